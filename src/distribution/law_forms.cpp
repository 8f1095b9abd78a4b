#include "distribution/law_forms.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "core/file_text.hpp"
#include "core/parse.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/distribution/further_laws.hpp"
#include "ktln2/distribution/sample_text.hpp"

namespace ktln2 {
namespace {

[[noreturn]] void refuse_form(const std::string& what) { throw std::domain_error(what); }

/// Does a weight and an '@' come next?
bool begins_component(std::string_view text) {
  const std::size_t end = text.find_first_of("@/:");
  return end != std::string_view::npos && text[end] == '@';
}

std::vector<std::string_view> components_of(std::string_view text) {
  std::vector<std::string_view> list;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '/' || !begins_component(text.substr(i + 1))) continue;
    list.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  list.push_back(text.substr(begin));
  return list;
}

}  // namespace

law read_mixture(std::string_view text) {
  std::vector<weighted_law> all;
  for (const std::string_view one : components_of(text)) {
    const std::size_t at = one.find('@');
    if (!begins_component(one)) {
      refuse_form("mixture: expected WEIGHT@LAW/WEIGHT@LAW, got '" + std::string(one) + "'");
    }
    const std::string_view description = one.substr(at + 1);
    if (description.starts_with("mixture")) {
      refuse_form("mixture: cannot hold another mixture: give all its laws with their weights");
    }
    const std::string where = "mixture: weight " + std::to_string(all.size() + 1);
    all.push_back({parse_number(where, one.substr(0, at)), parse_law(description)});
  }
  return mixture_law(all);
}

law read_relu(std::string_view text) { return relu_law(parse_law(text)); }

law read_truncated(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) {
    refuse_form("truncated: expected low=A,high=B@LAW, got '" + std::string(text) + "'");
  }
  const described given = parse_described("truncated:" + std::string(text.substr(0, at)));
  double low = -infinity;
  double high = infinity;
  fill_settings(given, {{"low", &low}, {"high", &high}});
  return truncated_law(parse_law(text.substr(at + 1)), low, high);
}

law read_empirical(std::string_view path) {
  const std::string where = "empirical " + std::string(path);
  return empirical_law(
      parse_samples(text_of_file(std::string(path), where, "one number a line", 256), where));
}

}  // namespace ktln2
