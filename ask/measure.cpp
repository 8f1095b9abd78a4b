#include "ask/measure.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "ask/block.hpp"
#include "ask/problem.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/measure/count.hpp"

namespace ktln2::ask {
namespace {

using measure::tensor_counts;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

measured_codes summary_of(const tensor_counts& counts, const measure_question& asked) {
  measured_codes made{counts.type().bits, counts.facts(), fields_of(counts, asked.estimator)};
  if (asked.wants_bits) made.bits = bits_of(counts, asked.estimator);
  const auto normal = measure::predict_normal(counts.type(), made.facts.deviation);
  if (normal) made.normal = normal->of_code.fields;
  return made;
}

/// By the codes, or by their leading bits.
std::vector<exponent_share> exponents_of(const tensor_counts& counts) {
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
  const double deviation = counts.facts().deviation;
  std::vector<exponent_share> made;
  for (const auto& [exponent, times] : found) {
    const auto below = [&](int e) { return std::erf(std::ldexp(std::sqrt(0.5), e) / deviation); };
    made.push_back(
        {exponent, times / all, deviation > 0 ? below(exponent + 1) - below(exponent) : 0});
  }
  return made;
}

/// Some tensors as one, while they are counted.
struct pool {
  measured_group made;
  std::size_t missing = 0;  ///< members that are not yet in it
  std::unique_ptr<measure::tensor_group> group = {};

  void add(std::size_t member, const tensor_counts& counts) {
    made.members.push_back(member);
    --missing;
    if (!group) group = std::make_unique<measure::tensor_group>(counts.type());
    group->add(counts);
  }
  /// What it is in the end, without the counts.
  void finish(const measure_question& asked) {
    if (!group) return;
    std::sort(made.members.begin(), made.members.end());
    made.codes = summary_of(group->pooled(), asked);
    made.gap = group->explain();
    made.exponents = exponents_of(group->pooled());
    group.reset();
  }
};

/// Can the numbers be stored in it by their counts alone?
bool is_told_by_counts(const data::element& type, const std::string& format) {
  return type.bits <= 16 && !block_format_called(format);
}

measure::requantizer requantizer_to(const std::string& format, const tensor_counts& from) {
  const auto blocks = block_format_called(format);
  if (!blocks) return {from.type(), *find_number_format(format)};
  return {from.type(), *blocks, from.facts().largest.value_or(0)};
}

/// Goes through all files, the large tensors one by one on all threads, then the small ones side by
/// side.
class survey {
 public:
  survey(const measure_question& asked, const stop_token& stop, const tell_progress& tell)
      : asked_{asked}, stop_{stop}, tell_{tell} {}

  measure_answer run() {
    for (const std::string& path : asked_.files) open(path);
    // What runs by once is read in order.
    const auto is_large = [this](const job& one) {
      return one.bytes == 0 || one.bytes > large_bytes || files_[one.file]->runs_by_once();
    };
    const auto small = std::stable_partition(jobs_.begin(), jobs_.end(), is_large);
    try {
      for (auto one = jobs_.begin(); one != small; ++one) count(*one, asked_.threads);
      parallel_for(static_cast<std::size_t>(jobs_.end() - small), asked_.threads,
                   [&](std::size_t i) { count(small[static_cast<std::ptrdiff_t>(i)], 1); });
    } catch (const stopped&) {
      made_.is_complete = false;
    }
    return finished();
  }

 private:
  static constexpr std::uint64_t large_bytes = std::uint64_t{1} << 24;

  struct job {
    std::size_t file;
    data::tensor_file::together pass;
    std::uint64_t bytes;  ///< 0 where it is not known
  };
  using group_key = std::pair<std::string, std::string>;  ///< pattern and type

  void open(const std::string& path) {
    try {
      files_.push_back(data::open_file(path, asked_.how_to_read));
    } catch (const data::file_error& mistake) {
      made_.failures.emplace_back(mistake.what());
      return;
    }
    const data::tensor_file& file = *files_.back();
    offsets_.push_back(found_.size());
    found_.resize(found_.size() + file.tensors().size());
    for (const data::tensor& one : file.tensors()) {
      ++by_pattern_[key_of(one)].missing;
      ++by_type_[one.type.name].missing;
    }
    for (const auto& pass : file.passes()) {
      jobs_.push_back({files_.size() - 1, pass, bytes_of(file, pass)});
      bytes_ += jobs_.back().bytes;
    }
  }

  static group_key key_of(const data::tensor& one) {
    return {name_pattern(one.name), one.type.name};
  }
  static std::uint64_t bytes_of(const data::tensor_file& file,
                                const data::tensor_file::together& pass) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < pass.count; ++i) {
      const data::tensor& one = file.tensors()[pass.first + i];
      bytes += one.count() / 8 * static_cast<std::uint64_t>(one.type.bits);
    }
    return bytes;
  }

  void count(const job& what, unsigned threads) {
    try {
      const auto told = [this](std::uint64_t bytes) { tell(bytes); };
      const auto counts = measure::count(*files_[what.file], what.pass, threads, stop_, told);
      const auto stored = stored_otherwise(what, counts, threads);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        keep(what, what.pass.first + i, counts[i], stored[i]);
      }
    } catch (const data::file_error& mistake) {
      const std::lock_guard lock{mutex_};
      made_.failures.emplace_back(mistake.what());
    }
  }

  /// The tensors of a pass in each of the other formats: by their counts, where these tell it, or
  /// by reading them once more.
  std::vector<std::vector<measure::requantized_facts>> stored_otherwise(
      const job& what, const std::vector<tensor_counts>& counts, unsigned threads) {
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
    if (must_read) requantize(*files_[what.file], what.pass, by_reading, threads, stop_);
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

  void tell(std::uint64_t bytes) {
    if (!tell_) return;
    const std::lock_guard lock{mutex_};
    done_ += bytes;
    tell_({done_, bytes_});
  }

  void keep(const job& what, std::size_t place, const tensor_counts& counts,
            const std::vector<measure::requantized_facts>& as) {
    const data::tensor& of = files_[what.file]->tensors()[place];
    auto one = std::make_unique<measured_tensor>(
        measured_tensor{of, summary_of(counts, asked_), as, counts.is_constant(), counts.digest(),
                        counts.narrower()});
    const std::lock_guard lock{mutex_};
    const std::size_t index = offsets_[what.file] + place;
    found_[index] = std::move(one);
    pool& alike = by_pattern_.at(key_of(of));
    alike.add(index, counts);
    if (alike.missing == 0) alike.finish(asked_);
    by_type_.at(of.type.name).add(index, counts);
  }

  measure_answer finished() {
    // What a stop has left out has no place.
    std::vector<std::size_t> places(found_.size());
    for (std::size_t i = 0; i < found_.size(); ++i) {
      places[i] = made_.tensors.size();
      if (found_[i]) made_.tensors.push_back(std::move(*found_[i]));
    }
    const auto take = [&](pool& from, std::string name, std::string dtype,
                          std::vector<measured_group>& to) {
      from.finish(asked_);
      if (from.made.members.empty()) return;
      from.made.name = std::move(name);
      from.made.dtype = std::move(dtype);
      for (std::size_t& member : from.made.members) member = places[member];
      to.push_back(std::move(from.made));
    };
    for (auto& [key, one] : by_pattern_) take(one, key.first, key.second, made_.groups);
    for (auto& [type, one] : by_type_) take(one, "all " + type, type, made_.dtypes);
    for (auto* list : {&made_.groups, &made_.dtypes}) {
      std::stable_sort(list->begin(), list->end(), [](const auto& a, const auto& b) {
        return a.codes.wasted_bytes() > b.codes.wasted_bytes();
      });
    }
    for (const auto& file : files_) {
      for (const std::string& note : file->notes()) made_.notes.push_back(note);
    }
    made_.asked = asked_;
    return std::move(made_);
  }

  const measure_question& asked_;
  stop_token stop_;
  const tell_progress& tell_;
  std::vector<std::unique_ptr<data::tensor_file>> files_;
  std::vector<std::size_t> offsets_;  ///< of a file's first tensor among all
  std::vector<job> jobs_;
  std::uint64_t bytes_ = 0;

  std::mutex mutex_;  ///< for all that follows
  std::uint64_t done_ = 0;
  std::vector<std::unique_ptr<measured_tensor>> found_;
  std::map<group_key, pool> by_pattern_;
  std::map<std::string, pool> by_type_;
  measure_answer made_;
};

}  // namespace

std::string name_pattern(const std::string& name) {
  std::string made;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && is_digit(name[end])) ++end;
    const bool stands_alone =
        end > i && (i == 0 || !is_word(name[i - 1])) && (end == name.size() || !is_word(name[end]));
    if (stands_alone) {
      made += '*';
    } else {
      end = std::max(end, i + 1);
      made += name.substr(i, end - i);
    }
    i = end;
  }
  return made;
}

double measured_codes::floor_bytes() const {
  return std::max(0.0, static_cast<double>(facts.count) * fields.total.value.value() / 8);
}

namespace {

/// --as, with commas.
std::vector<std::string> read_other_formats(const reader& given) {
  std::vector<std::string> made;
  for (const std::string& list : given.list("as")) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      made.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  for (std::string& name : made) {
    if (const auto blocks = block_format_called(name)) {
      name = blocks->name();
      continue;
    }
    const auto format = find_number_format(name);
    if (!format) (void)parse_format(name);  // throws, with the nearest name
    if (!format || format->width() > 16) {
      throw std::domain_error(given.where("as") + ": expected formats of up to 16 bits such as " +
                              "bfloat16, e4m3, mxfp4 or nvfp4, got " + name);
    }
    name = format->name();
  }
  return made;
}

}  // namespace

measure_question read_measure(const words& asked) {
  const reader given{asked};
  measure_question made;
  made.files = given.list("files");
  if (const auto dtype = given.optional_word("dtype")) {
    made.how_to_read.dtype = data::parse_element(*dtype);
  }
  if (const auto kind = given.optional_word("kind")) made.how_to_read.as = data::parse_kind(*kind);
  if (const auto sign = given.optional_word("delimiter")) {
    made.how_to_read.table.delimiter = data::parse_delimiter(*sign);
  }
  made.how_to_read.table.decimal_comma = given.flag("decimal-comma");
  if (const auto name = given.optional_word("estimator")) {
    made.estimator = measure::parse_estimator(*name);
  }
  made.as = read_other_formats(given);
  made.temperature = read_temperature(given);
  made.threads = static_cast<unsigned>(given.has("threads") ? given.whole("threads", 1, 256) : 0);
  made.wants_each = given.flag("each");
  made.wants_bits = given.flag("bits");
  try {
    made.files = data::expand(made.files);
  } catch (const data::file_error& mistake) {
    throw std::domain_error(mistake.what());
  }
  return made;
}

measure_answer solve(measure_question asked, const stop_token& stop, const tell_progress& tell) {
  return survey{asked, stop, tell}.run();
}

}  // namespace ktln2::ask
