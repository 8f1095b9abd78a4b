#include "ask/survey.hpp"

#include <algorithm>
#include <cmath>

#include "ask/block.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/measure/as_bytes.hpp"

namespace ktln2::ask {
namespace {

using measure::tensor_counts;

measured_codes summary_of(const tensor_counts& counts, const measure::number_facts& facts,
                          const measure_question& asked) {
  measured_codes made{counts.type().bits, facts, fields_of(counts, asked.estimator)};
  if (asked.wants_bits) made.bits = bits_of(counts, asked.estimator);
  const auto normal = measure::predict_normal(counts.type(), made.facts.deviation);
  if (normal) made.normal = normal->of_code.fields;
  return made;
}

/// By the codes, or by their leading bits.
std::vector<exponent_share> exponents_of(const tensor_counts& counts, double deviation) {
  const auto& format = counts.type().format;
  if (!format || format->kind() != number_format::family::floating) return {};
  std::map<int, double> found;
  double all = 0;
  for (const auto& [code, times] : counts.codes().seen()) {
    const auto value = format->value(std::uint64_t{code} << counts.low_bits());
    if (!value || value->is_infinite() || value->is_zero()) continue;
    found[value->exponent()] += static_cast<double>(times);
    all += static_cast<double>(times);
  }
  std::vector<exponent_share> made;
  for (const auto& [exponent, times] : found) {
    const auto below = [&](int e) { return std::erf(std::ldexp(std::sqrt(0.5), e) / deviation); };
    made.push_back(
        {exponent, times / all, deviation > 0 ? below(exponent + 1) - below(exponent) : 0});
  }
  return made;
}

/// Can the numbers be stored in it by their counts alone?
bool is_told_by_counts(const data::element& type, const std::string& format) {
  return type.bits <= 16 && !block_format_called(format);
}

measure::requantizer requantizer_to(const std::string& format, const tensor_counts& from) {
  const auto blocks = block_format_called(format);
  if (!blocks) return {from.type(), *find_number_format(format)};
  return {from.type(), *blocks, from.facts().largest.value_or(0)};
}

std::uint64_t bytes_of_pass(const data::tensor_file& file,
                            const data::tensor_file::together& pass) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < pass.count; ++i) {
    const data::tensor& one = file.tensors()[pass.first + i];
    bytes += one.count() / 8 * static_cast<std::uint64_t>(one.type.bits);
  }
  return bytes;
}

}  // namespace

void tensor_pool::add(std::size_t member, const tensor_counts& counts, measure::estimator how) {
  made_.members.push_back(member);
  --missing_;
  if (!group_) group_ = std::make_unique<measure::tensor_group>(counts.type(), how);
  group_->add(counts);
}

void tensor_pool::finish(const measure_question& asked) {
  if (!group_) return;
  std::sort(made_.members.begin(), made_.members.end());
  made_.codes = summary_of(group_->pooled(), group_->facts(), asked);
  made_.gap = group_->explain();
  made_.exponents = exponents_of(group_->pooled(), group_->facts().deviation);
  group_.reset();
}

survey::survey(measure_question asked) : asked_{std::move(asked)} {
  for (const std::string& path : asked_.files) open(path);
  constexpr std::uint64_t large_bytes = std::uint64_t{1} << 24;
  // What runs by once is read in order.
  const auto is_large = [this](const job& one) {
    return one.bytes == 0 || one.bytes > large_bytes || files_[one.file]->runs_by_once();
  };
  const auto small = std::stable_partition(jobs_.begin(), jobs_.end(), is_large);
  large_jobs_ = static_cast<std::size_t>(small - jobs_.begin());
}

void survey::open(const std::string& path) {
  try {
    files_.push_back(data::open_file(path, asked_.how_to_read));
  } catch (const data::file_error& mistake) {
    made_.failures.emplace_back(mistake.what());
    return;
  }
  const data::tensor_file& file = *files_.back();
  if (must_be_read_twice(file)) {
    made_.failures.push_back((path == "-" ? "standard input" : path) +
                             ": --as reads the numbers a second time, and what comes through a "
                             "pipe runs by once: keep it in a file");
    files_.pop_back();
    return;
  }
  if (file.tensors().empty()) made_.notes.push_back(path + " holds no tensor");
  offsets_.push_back(found_.size());
  found_.resize(found_.size() + file.tensors().size());
  for (const data::tensor& one : file.tensors()) {
    by_pattern_[key_of(one)].expect();
    by_type_[one.type.name].expect();
  }
  for (const auto& pass : file.passes()) {
    jobs_.push_back({files_.size() - 1, pass, bytes_of_pass(file, pass)});
    bytes_ += jobs_.back().bytes;
  }
}

/// And cannot be.
bool survey::must_be_read_twice(const data::tensor_file& file) const {
  if (!file.runs_by_once()) return false;
  return std::any_of(file.tensors().begin(), file.tensors().end(), [this](const auto& one) {
    return std::any_of(asked_.as.begin(), asked_.as.end(), [&](const std::string& format) {
      return !is_told_by_counts(one.type, format);
    });
  });
}

survey::outcome survey::count(const job& what, unsigned threads, const stop_token& stop,
                              const measure::bytes_counted& told) const {
  outcome found;
  try {
    data::tensor_file& file = *files_[what.file];
    std::optional<measure::compressed_sizes> zstd;
    const auto compress = [&] { zstd = compressed(what, stop); };
    // A table is known only when it was read: not by two at a time.
    if (what.bytes == 0) compress();
    const auto beside = what.bytes > 0 ? std::function<void()>(compress) : nullptr;
    auto counts = measure::count(file, what.pass, threads, stop, told, beside);
    const auto stored = stored_otherwise(what, counts, threads, stop);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      found.tensors.push_back(
          {file.tensors()[what.pass.first + i], std::move(counts[i]), stored[i], zstd});
    }
  } catch (const data::file_error& mistake) {
    found = {{}, mistake.what()};
  }
  return found;
}

/// The tensors of a pass in each of the other formats: by their counts, where these tell it, or
/// by reading them once more.
std::vector<std::vector<measure::requantized_facts>> survey::stored_otherwise(
    const job& what, const std::vector<tensor_counts>& counts, unsigned threads,
    const stop_token& stop) const {
  std::vector<std::vector<measure::requantizer>> by_counts(counts.size());
  std::vector<std::vector<measure::requantizer>> by_reading(counts.size());
  bool must_read = false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (const std::string& format : asked_.as) {
      const bool is_told = is_told_by_counts(counts[i].type(), format);
      (is_told ? by_counts : by_reading)[i].push_back(requantizer_to(format, counts[i]));
      if (is_told) by_counts[i].back().add(counts[i]);
      must_read = must_read || !is_told;
    }
  }
  if (must_read) requantize(*files_[what.file], what.pass, by_reading, threads, stop);
  std::vector<std::vector<measure::requantized_facts>> made(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto counted = by_counts[i].begin();
    auto read = by_reading[i].begin();
    for (const std::string& format : asked_.as) {
      const bool is_told = is_told_by_counts(counts[i].type(), format);
      made[i].push_back((is_told ? *counted++ : *read++).facts(asked_.estimator));
    }
  }
  return made;
}

/// Of a pass with one tensor, by a sample from its beginning. Standard input is gone once it is
/// counted.
std::optional<measure::compressed_sizes> survey::compressed(const job& what,
                                                            const stop_token& stop) const {
  constexpr std::uint64_t sample_bytes = std::uint64_t{1} << 20;
  if (files_[what.file]->runs_by_once() || what.pass.count != 1) return {};
  return measure::zstd_sizes(*files_[what.file], what.pass, what.pass.first, sample_bytes, stop);
}

void survey::keep(const job& what, const outcome& found) {
  if (!found.failure.empty()) made_.failures.push_back(found.failure);
  for (std::size_t i = 0; i < found.tensors.size(); ++i) {
    const auto& [of, counts, as, zstd] = found.tensors[i];
    const std::size_t index = offsets_[what.file] + what.pass.first + i;
    found_[index] = std::make_unique<measured_tensor>(
        measured_tensor{of, of.known_as(), summary_of(counts, counts.facts(), asked_), as, zstd,
                        counts.is_constant(), counts.digest(), counts.narrower()});
    tensor_pool& alike = by_pattern_.at(key_of(of));
    alike.add(index, counts, asked_.estimator);
    if (alike.is_complete()) alike.finish(asked_);
    by_type_.at(of.type.name).add(index, counts, asked_.estimator);
  }
}

std::string survey::as_bytes(const outcome& found) const {
  measure::byte_writer bytes;
  bytes.put_text(found.failure);
  bytes.put(found.tensors.size());
  for (const counted_tensor& one : found.tensors) {
    bytes.put_all(one.what.shape);
    bytes.put(one.what.missing);
    bytes.put(one.what.clipped);
    one.counts.put_into(bytes);
    bytes.put_all(one.as);
    bytes.put(one.zstd);
  }
  return bytes.take();
}

survey::outcome survey::from_bytes(const job& what, std::string_view text) const {
  measure::byte_reader bytes{text};
  outcome found;
  found.failure = bytes.get_text();
  const auto count = bytes.get<std::size_t>();
  for (std::size_t i = 0; i < count; ++i) {
    data::tensor of = files_[what.file]->tensors()[what.pass.first + i];
    of.shape = bytes.get_all<std::uint64_t>();
    of.missing = bytes.get<std::uint64_t>();
    of.clipped = bytes.get<std::uint64_t>();
    tensor_counts counts = tensor_counts::from(of.type, bytes);
    auto as = bytes.get_all<measure::requantized_facts>();
    auto zstd = bytes.get<std::optional<measure::compressed_sizes>>();
    found.tensors.push_back({std::move(of), std::move(counts), std::move(as), zstd});
  }
  return found;
}

measure_answer survey::finish(bool is_complete) {
  made_.is_complete = is_complete;
  // What a stop has left out has no place.
  std::vector<std::size_t> places(found_.size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    places[i] = made_.tensors.size();
    if (found_[i]) made_.tensors.push_back(std::move(*found_[i]));
  }
  const auto take = [&](tensor_pool& from, std::string name, std::string dtype,
                        std::vector<measured_group>& to) {
    from.finish(asked_);
    measured_group& made = from.made();
    if (made.members.empty()) return;
    made.name = std::move(name);
    made.dtype = std::move(dtype);
    for (std::size_t& member : made.members) member = places[member];
    to.push_back(std::move(made));
  };
  for (auto& [key, one] : by_pattern_) take(one, key.first, key.second, made_.groups);
  for (auto& [type, one] : by_type_) take(one, "all " + type, type, made_.dtypes);
  for (auto* list : {&made_.groups, &made_.dtypes}) {
    std::stable_sort(list->begin(), list->end(), [](const auto& a, const auto& b) {
      return a.codes.wasted_bytes() > b.codes.wasted_bytes();
    });
  }
  std::map<std::string, int> called;
  for (const measured_tensor& one : made_.tensors) ++called[one.known_as];
  for (measured_tensor& one : made_.tensors) {
    if (called[one.known_as] > 1) one.known_as = one.what.in_file();
  }
  for (const auto& file : files_) {
    for (const std::string& note : file->notes()) made_.notes.push_back(note);
  }
  made_.asked = asked_;
  return std::move(made_);
}

}  // namespace ktln2::ask
