// What a measurement says, as JSON and as warnings.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "ask/how_many.hpp"
#include "ask/measure.hpp"
#include "core/printable.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2::ask {
namespace {

json value_of(const bounded<bits>& entropy) { return number(entropy.value.value()); }

json value_of(const std::optional<bounded<bits>>& entropy) {
  return entropy ? value_of(*entropy) : json();
}

json marginals_of(const measure::code_fields& fields) {
  json made{{"exponent", value_of(fields.exponent_alone)},
            {"mantissa", value_of(fields.mantissa_alone)}};
  json bytes = json::array();
  for (const bounded<bits>& one : fields.bytes) bytes.push_back(value_of(one));
  made["bytes"] = std::move(bytes);
  return made;
}

json normal_of(const std::optional<field_entropies>& normal) {
  if (!normal) return {};
  return {{"total", value_of(normal->total)},
          {"sign", value_of(normal->sign)},
          {"exponent", value_of(normal->exponent)},
          {"mantissa", value_of(normal->mantissa)}};
}

json optional_number(const std::optional<double>& x) { return x ? number(*x) : json(); }

void add_codes(json& made, const measured_codes& codes) {
  const measure::number_facts& facts = codes.facts;
  const measure::code_fields& fields = codes.fields;
  made["count"] = facts.count;
  made["mean"] = number(facts.mean);
  made["deviation"] = number(facts.deviation);
  made["zeros"] = facts.zeros;
  made["subnormals"] = facts.subnormals;
  made["infinities"] = facts.infinities;
  made["nans"] = facts.nans;
  made["smallest"] = optional_number(facts.smallest);
  made["largest"] = optional_number(facts.largest);
  made["bits"] = codes.width;
  made["total"] = value_of(fields.total);
  made["error"] = number(fields.total.error.value());
  made["counted"] = fields.is_counted;
  if (!fields.is_counted) made["low_bytes_counted"] = fields.low_count;
  made["sign"] = value_of(fields.sign);
  made["exponent"] = value_of(fields.exponent);
  made["mantissa"] = value_of(fields.mantissa);
  if (fields.regime) made["regime"] = value_of(fields.regime);
  if (fields.posit_exponent) made["posit_exponent"] = value_of(fields.posit_exponent);
  made["marginals"] = marginals_of(fields);
  made["normal"] = normal_of(codes.normal);
  made["gap"] = codes.normal
                    ? number(fields.total.value.value() - codes.normal->total.value.value())
                    : json();
  made["bytes"] = number(codes.bytes());
  made["floor_bytes"] = number(std::ceil(codes.floor_bytes()));
  if (codes.bits.empty()) return;
  json list = json::array();
  for (const bit_entropy& one : codes.bits) {
    list.push_back({{"name", one.name}, {"entropy", value_of(one.entropy)}});
  }
  made["bit_entropies"] = std::move(list);
}

json as_json(const std::string& format, const measure::requantized_facts& facts) {
  json made{{"format", format},
            {"bits", number(facts.bits_per_number)},
            {"entropy", value_of(facts.entropy)},
            {"error", number(facts.entropy.error.value())},
            {"mean_squared_error", number(facts.rms_error * facts.rms_error)},
            {"mean_square", number(facts.rms * facts.rms)},
            {"relative_error", number(facts.rms > 0 ? facts.rms_error / facts.rms : 0)},
            {"worst_relative_error", number(facts.worst_relative_error)},
            {"clipped", facts.clipped},
            {"flushed", facts.flushed}};
  if (facts.element_entropy) made["element_entropy"] = value_of(facts.element_entropy);
  if (facts.scale_entropy) made["scale_entropy"] = value_of(facts.scale_entropy);
  return made;
}

json as_json(const other_format& one) {
  return {{"format", one.name},
          {"bytes", number(std::ceil(one.bytes))},
          {"floor_bytes", number(std::ceil(one.floor_bytes))},
          {"relative_error", number(one.relative_error)},
          {"worst_relative_error", number(one.worst_relative_error)},
          {"clipped", number(one.clipped)},
          {"flushed", number(one.flushed)}};
}

json as_json(const measured_tensor& one, const std::vector<std::string>& formats) {
  json made{{"file", one.what.file},
            {"name", one.what.name},
            {"dtype", one.what.type.name},
            {"shape", one.what.shape}};
  add_codes(made, one.codes);
  if (one.first_nan()) made["first_nan"] = *one.first_nan();
  if (one.what.missing > 0) made["missing"] = one.what.missing;
  if (one.what.clipped > 0) made["clipped"] = one.what.clipped;
  made["constant"] = one.is_constant;
  made["fits_in"] = one.narrower;
  if (one.zstd) {
    made["zstd"] = {
        {"sample", one.zstd->bytes}, {"plain", one.zstd->plain}, {"split", one.zstd->split}};
  }
  if (one.as.empty()) return made;
  made["as"] = json::array();
  for (std::size_t i = 0; i < formats.size(); ++i) {
    made["as"].push_back(as_json(formats[i], one.as[i]));
  }
  return made;
}

json as_json(const measured_group& one) {
  json made{{"name", one.name}, {"dtype", one.dtype}, {"tensors", one.members.size()}};
  add_codes(made, one.codes);
  made["exponents"] = json::array();
  for (const exponent_share& share : one.exponents) {
    made["exponents"].push_back({{"exponent", share.exponent},
                                 {"seen", number(share.seen)},
                                 {"normal", number(share.normal)}});
  }
  if (!one.gap) return made;
  const measure::explained_gap& gap = *one.gap;
  const auto error_of = [](const bounded<bits>& part) { return number(part.error.value()); };
  made["explained"] = {{"gap", value_of(gap.gap())},
                       {"error", error_of(gap.gap())},
                       {"pooling", value_of(gap.pooling)},
                       {"pooling_error", error_of(gap.pooling)},
                       {"pooling_bias", number(gap.pooling_bias.value())},
                       {"few_numbers", number(gap.few_numbers.value())},
                       {"zeros", value_of(gap.zeros)},
                       {"zeros_error", error_of(gap.zeros)},
                       {"tails", value_of(gap.tails)},
                       {"tails_error", error_of(gap.tails)},
                       {"scales", number(gap.scales.value())},
                       {"low_bits", value_of(gap.low_bits)},
                       {"low_bits_error", error_of(gap.low_bits)},
                       {"kurtosis", number(gap.kurtosis)}};
  return made;
}

/// "a, b, c and 5 others"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string made;
  const std::size_t shown_count = names.size() > most + 1 ? most : names.size();
  for (std::size_t i = 0; i < shown_count; ++i) {
    if (i > 0) made += i + 1 == names.size() ? " and " : ", ";
    made += names[i];
  }
  if (shown_count < names.size()) {
    made += " and " + std::to_string(names.size() - shown_count) + " others";
  }
  return made;
}

using warning_list = std::vector<std::string>;

void warn_of_nans(const measure_answer& made, warning_list& list) {
  for (const measured_tensor& one : made.tensors) {
    const measure::number_facts& facts = one.codes.facts;
    if (facts.nans > 0 && facts.first_nan) {
      list.push_back(one.known_as + " has " + std::to_string(facts.nans) +
                     " NaN, the first at index " + std::to_string(*one.first_nan()));
    }
    if (facts.infinities > 0) {
      list.push_back(one.known_as + " has " + how_many(facts.infinities, "infinity", "infinities"));
    }
  }
}

void warn_of_clipped_cells(const measure_answer& made, warning_list& list) {
  for (const measured_tensor& one : made.tensors) {
    if (one.what.clipped == 0) continue;
    list.push_back(one.known_as + " has " + how_many(one.what.clipped, "cell") +
                   " beyond the largest number of " + one.what.type.name +
                   ", which stands for them");
  }
}

void warn_of_constants(const measure_answer& made, warning_list& list) {
  std::vector<std::string> names;
  for (const measured_tensor& one : made.tensors) {
    if (one.is_constant && one.codes.facts.count > 1) names.push_back(one.known_as);
  }
  if (!names.empty()) list.push_back("all numbers alike: " + some_of(names));
}

void warn_of_narrow_numbers(const measure_answer& made, warning_list& list) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> found;
  for (const measured_tensor& one : made.tensors) {
    if (one.narrower.empty() || one.is_constant) continue;
    found[{one.what.type.name, one.narrower.front()}].push_back(one.known_as);
  }
  for (const auto& [kind, names] : found) {
    list.push_back(kind.first + ", but every number is a " + kind.second + ": " + some_of(names));
  }
}

void warn_of_twins(const measure_answer& made, warning_list& list) {
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::vector<std::string>> found;
  for (const measured_tensor& one : made.tensors) {
    if (one.is_constant) continue;
    found[{one.what.type.name, one.codes.facts.count, one.digest}].push_back(one.known_as);
  }
  for (const auto& [key, names] : found) {
    if (names.size() > 1) list.push_back("the same bytes: " + some_of(names));
  }
}

bool ends_with_any(const std::string& name, std::string& stem) {
  for (const std::string_view ending : {"_scale_inv", "_scales", "_scale", ".scales", ".scale"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      stem = name.substr(0, name.size() - ending.size());
      return true;
    }
  }
  return false;
}

/// Tensors by their names. A model may be in several files; but where several files have one of
/// that name, it is that of the same file.
class tensors_by_name {
 public:
  explicit tensors_by_name(const std::vector<measured_tensor>& all) {
    for (const measured_tensor& one : all) named_[one.what.name].push_back(&one);
  }
  [[nodiscard]] const measured_tensor* beside(const measured_tensor& other,
                                              const std::string& name) const {
    const auto found = named_.find(name);
    if (found == named_.end()) return nullptr;
    for (const measured_tensor* one : found->second) {
      if (one->what.file == other.what.file) return one;
    }
    return found->second.size() == 1 ? found->second.front() : nullptr;
  }

 private:
  std::map<std::string, std::vector<const measured_tensor*>> named_;
};

/// Scales beside the elements that they belong to: "w_scales" with "w", "w_blocks" or "w_packed".
void warn_of_scales(const measure_answer& made, warning_list& list) {
  const tensors_by_name named(made.tensors);
  for (const measured_tensor& scale : made.tensors) {
    std::string stem;
    if (!ends_with_any(scale.what.name, stem)) continue;
    for (const char* suffix : {"", "_blocks", "_packed", ".qweight", ".weight"}) {
      const measured_tensor* const elements = named.beside(scale, stem + suffix);
      if (elements == nullptr) continue;
      const measured_codes& codes = elements->codes;
      if (codes.facts.count == 0) break;
      const double together = 8 * (codes.floor_bytes() + scale.codes.floor_bytes()) /
                              static_cast<double>(codes.facts.count);
      list.push_back(scale.known_as + " holds the scales of " + elements->known_as +
                     ": together they carry " + shown(std::round(together * 1e4) / 1e4) +
                     " bits for each number there");
      break;
    }
  }
}

}  // namespace

std::optional<std::uint64_t> measured_tensor::first_nan() const {
  const auto& first = codes.facts.first_nan;
  return first ? std::optional(*first / static_cast<std::uint64_t>(what.type.parts)) : first;
}

const measured_group& measure_answer::largest_dtype() const {
  return *std::max_element(dtypes.begin(), dtypes.end(), [](const auto& a, const auto& b) {
    return a.codes.bytes() < b.codes.bytes();
  });
}

double measure_answer::bytes() const {
  double sum = 0;
  for (const measured_tensor& one : tensors) sum += one.codes.bytes();
  return sum;
}

double measure_answer::floor_bytes() const {
  double sum = 0;
  for (const measured_tensor& one : tensors) sum += one.codes.floor_bytes();
  return sum;
}

bool measure_answer::is_counted() const {
  return std::all_of(tensors.begin(), tensors.end(),
                     [](const measured_tensor& one) { return one.codes.fields.is_counted; });
}

joules measure_answer::landauer() const {
  return landauer_cost(bits{8 * floor_bytes()}, asked.temperature);
}

std::optional<double> measure_answer::zstd_bytes(
    std::uint64_t measure::compressed_sizes::*way) const {
  double sum = 0;
  for (const measured_tensor& one : tensors) {
    if (one.codes.facts.count == 0) continue;
    if (!one.zstd || one.zstd->bytes == 0) return {};
    sum += one.codes.bytes() * static_cast<double>((*one.zstd).*way) /
           static_cast<double>(one.zstd->bytes);
  }
  return sum;
}

std::vector<other_format> measure_answer::in_other_formats() const {
  std::vector<other_format> made;
  for (std::size_t i = 0; i < asked.as.size(); ++i) {
    other_format all{asked.as[i]};
    double unit = 0;  // as large as any of them, for squares may be beyond double's range
    for (const measured_tensor& one : tensors) {
      unit = std::max({unit, one.as[i].rms, one.as[i].rms_error});
    }
    double squares = 0;
    double errors = 0;
    for (const measured_tensor& one : tensors) {
      const measure::requantized_facts& facts = one.as[i];
      const auto count = static_cast<double>(facts.count);
      all.numbers += count;
      all.bytes += count * facts.bits_per_number / 8;
      all.floor_bytes += count * facts.entropy.value.value() / 8;
      all.clipped += static_cast<double>(facts.clipped);
      all.flushed += static_cast<double>(facts.flushed);
      all.worst_relative_error = std::max(all.worst_relative_error, facts.worst_relative_error);
      if (unit == 0) continue;
      squares += count * (facts.rms / unit) * (facts.rms / unit);
      errors += count * (facts.rms_error / unit) * (facts.rms_error / unit);
    }
    if (squares > 0) all.relative_error = std::sqrt(errors / squares);
    if (all.numbers > 0) {
      all.clipped /= all.numbers;
      all.flushed /= all.numbers;
    }
    made.push_back(all);
  }
  return made;
}

std::vector<std::string> measure_answer::warnings() const {
  warning_list list = notes;
  warn_of_nans(*this, list);
  warn_of_clipped_cells(*this, list);
  warn_of_narrow_numbers(*this, list);
  warn_of_constants(*this, list);
  warn_of_twins(*this, list);
  warn_of_scales(*this, list);
  for (std::string& one : list) one = printable(std::move(one));  // there are names in them
  if (!is_complete) list.emplace_back("interrupted: what follows is complete, the rest is missing");
  return list;
}

report measure_answer::report() const {
  ask::report made{"measure"};
  made.add("estimator", json(std::string{name_of(asked.estimator)}));
  made.add_lazy("tensors", [this] {
    json list = json::array();
    for (const measured_tensor& one : tensors) list.push_back(as_json(one, asked.as));
    return list;
  });
  const auto shown_groups = [](const std::vector<measured_group>& all) {
    return [&all] {
      json list = json::array();
      for (const measured_group& one : all) list.push_back(as_json(one));
      return list;
    };
  };
  made.add_lazy("groups", shown_groups(groups));
  made.add_lazy("dtypes", shown_groups(dtypes));
  made.add_lazy("pooled", [this] { return dtypes.empty() ? json() : as_json(largest_dtype()); });
  if (!asked.as.empty()) {
    json list = json::array();
    for (const other_format& one : in_other_formats()) list.push_back(as_json(one));
    made.add("as", std::move(list));
  }
  made.add("bytes", bytes());
  made.add("floor_bytes", std::ceil(floor_bytes()));
  if (const auto plain_bytes = zstd_bytes(&measure::compressed_sizes::plain)) {
    made.add("zstd_bytes", std::ceil(*plain_bytes));
    made.add("zstd_split_bytes", std::ceil(*zstd_bytes(&measure::compressed_sizes::split)));
  }
  made.add("joules", landauer().value());
  made.add("temperature", asked.temperature.value());
  made.add("failures", json(failures));
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
