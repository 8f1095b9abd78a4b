#include "ktln2/distribution/catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/named.hpp"
#include "core/nearest.hpp"
#include "core/number_list.hpp"
#include "core/parse.hpp"
#include "distribution/law_forms.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/distribution/further_laws.hpp"

namespace ktln2 {
namespace {

linear_model model_of(const law_values& given) {
  return {given.number("w"), given.number("sigma_x"), given.number("sigma_xi")};
}

/// The features of a row: their number, and how they vary together.
struct features_given {
  std::size_t count = 0;
  feature_covariance covariance;
};
features_given features_of(const std::string& where, const law_values& given,
                           const square_matrix* covariance) {
  if (covariance != nullptr) return {covariance->size(), *covariance};
  const double d = given.number("d");
  if (!(d >= 1 && d <= 2000 && d == std::floor(d))) {
    throw std::domain_error(where + ": d must be a whole number from 1 to 2000, got " + shown(d));
  }
  const auto count = static_cast<std::size_t>(d);
  const std::vector<double> deviations =
      parse_numbers(where + ": sigma_x", given.word("sigma_x"), count);
  const double corr = given.number("corr");
  const double ar = given.number("ar");
  if (corr != 0 && ar != 0) {
    throw std::domain_error(where + ": the features have one correlation, corr or ar, got corr = " +
                            shown(corr) + " and ar = " + shown(ar));
  }
  return {count, ar != 0 ? autoregressive(deviations, ar) : equally_correlated(deviations, corr)};
}

row_model row_of(const std::string& where, const law_values& given,
                 const square_matrix* covariance = nullptr) {
  features_given features = features_of(where, given, covariance);
  const auto list = [&](const char* key) {
    return parse_numbers(where + ": " + key, given.word(key), features.count);
  };
  return {list("w"), list("mu"), std::move(features.covariance), given.number("b"),
          given.number("sigma_xi")};
}

least_squares task_of(const law_values& given, const square_matrix* covariance = nullptr) {
  const double intercept = given.number("intercept");
  if (intercept != 0 && intercept != 1) {
    throw std::domain_error("ols: intercept must be 0 or 1, got " + shown(intercept));
  }
  return {row_of("ols", given, covariance), given.number("n"), intercept == 1,
          given.number("ridge")};
}

/// What a covariance has already must not be said twice.
void refuse_beside_covariance(std::string_view description, const square_matrix& covariance) {
  const described given = parse_described(description);
  for (const auto& setting : given.settings) {
    if (setting.key == "sigma_x" || setting.key == "corr" || setting.key == "ar") {
      throw std::domain_error(given.name + ": " + setting.key +
                              " is in the covariance already, got " + setting.text);
    }
    if (setting.key == "d" &&
        parse_number(given.name + ": d", setting.text) != static_cast<double>(covariance.size())) {
      throw std::domain_error(given.name + ": the covariance is of " +
                              std::to_string(covariance.size()) +
                              " features, got d = " + setting.text);
    }
  }
}

any_law make_sgd(const law_values& given) {
  const descent how{given.number("eta"), given.number("batch"), given.number("w0"),
                    given.number("w0_sigma")};
  return sgd_law(model_of(given), how, given.number("steps"), parse_sgd_model(given.word("law")));
}

/// What else people call them. As a list of its own, so that the catalogue is read easily.
const std::vector<std::pair<std::string_view, std::vector<std::string_view>>>& other_names() {
  static const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> all{
      {"normal", {"gaussian", "gauss", "norm"}},
      {"student", {"student_t", "t"}},
      {"uniform", {"unif"}},
      {"lognormal", {"lognorm", "log_normal"}},
      {"exponential", {"expon", "exp"}},
      {"chi2", {"chisquared", "chi_squared"}},
      {"halfnormal", {"halfnorm", "half_normal"}},
      {"truncated", {"trunc"}},
  };
  return all;
}

/// Those of the rows, how many of them, and what is made of them.
std::vector<law_key> estimate_keys(const std::vector<law_key>& row_keys) {
  std::vector<law_key> all{{"n", "20", true}};
  all.insert(all.end(), row_keys.begin(), row_keys.end());
  all.push_back({"intercept", "0"});
  all.push_back({"ridge", "0"});
  return all;
}

std::vector<law_entry> made_catalogue() {
  const std::vector<law_key> around{{"loc", "0"}, {"scale", "1"}};
  const std::vector<law_key> row_keys{{"d", "3", true}, {"w", "1"},       {"sigma_x", "1"},
                                      {"corr", "0"},    {"ar", "0"},      {"mu", "0"},
                                      {"b", "0"},       {"sigma_xi", "1"}};
  return {
      {"normal",
       {{"mu", "0"}, {"sigma", "1"}},
       "",
       [](const law_values& v) {
         return normal{v.number("mu"), v.number("sigma")};
       }},
      {"student",
       {{"dof", "5"}, {"loc", "0"}, {"scale", "1"}},
       "Student's t, with any number of degrees of freedom > 0",
       [](const law_values& v) {
         return student_t{v.number("dof"), v.number("loc"), v.number("scale")};
       }},
      {"uniform",
       {{"low", "0"}, {"high", "1"}},
       "",
       [](const law_values& v) {
         return uniform{v.number("low"), v.number("high")};
       }},
      {"laplace", around, "",
       [](const law_values& v) {
         return laplace{v.number("loc"), v.number("scale")};
       }},
      {"logistic", around, "",
       [](const law_values& v) {
         return logistic{v.number("loc"), v.number("scale")};
       }},
      {"slope",
       {{"n", "10", true}, {"w", "1"}, {"sigma_x", "1"}, {"sigma_xi", "1"}},
       "the slope found by exact regression on n points",
       [](const law_values& v) { return slope_law(model_of(v), v.number("n")); }},
      {"sgd",
       {{"steps", "100", true},
        {"batch", "10", true},
        {"eta", "0.01"},
        {"w0", "1"},
        {"w0_sigma", "0"},
        {"w", "2"},
        {"sigma_x", "1"},
        {"sigma_xi", "1"},
        {"law", "moments"}},
       "the slope after some steps of stochastic gradient descent; law=ou, stationary, moments "
       "(normal, with the exact mean and variance) or exact",
       make_sgd},
      {"lognormal",
       {{"mu", "0"}, {"sigma", "1"}},
       "e^Y for a normal Y",
       [](const law_values& v) { return lognormal_law(v.number("mu"), v.number("sigma")); }},
      {"exponential",
       {{"scale", "1"}},
       "",
       [](const law_values& v) { return exponential_law(v.number("scale")); }},
      {"gamma",
       {{"shape", "2"}, {"scale", "1"}},
       "",
       [](const law_values& v) { return gamma_law(v.number("shape"), v.number("scale")); }},
      {"chi2",
       {{"dof", "3"}},
       "the sum of dof squares of standard normal numbers",
       [](const law_values& v) { return chi2_law(v.number("dof")); }},
      {"halfnormal",
       {{"sigma", "1"}},
       "|Y| for a normal Y with mean 0",
       [](const law_values& v) { return halfnormal_law(v.number("sigma")); }},
      {"triangular",
       {{"low", "0"}, {"mode", "0.5"}, {"high", "1"}},
       "",
       [](const law_values& v) {
         return triangular_law(v.number("low"), v.number("mode"), v.number("high"));
       }},
      {"mixture",
       {},
       "one of several laws, with probabilities in proportion to the weights",
       {},
       "0.9@normal:sigma=1/0.1@normal:sigma=5",
       [](std::string_view text) { return read_mixture(text); }},
      {"relu",
       {},
       "the larger one of 0 and a number with this law",
       {},
       "normal:mu=0,sigma=1",
       [](std::string_view text) { return read_relu(text); }},
      {"truncated",
       {},
       "a law given that its number is from low to high; one of the two may be missing",
       {},
       "low=-1,high=1@normal:mu=0,sigma=1",
       [](std::string_view text) { return read_truncated(text); }},
      {"empirical",
       {},
       "each number of a file, one a line, with the same probability",
       {},
       "FILE",
       [](std::string_view text) { return read_empirical(text); }},
      {"pair",
       {{"w", "1"}, {"sigma_x", "1"}, {"sigma_xi", "0.5"}, {"mu_x", "0"}, {"b", "0"}},
       "two variables, Y = b + wX + noise",
       [](const law_values& v) {
         return regression_pair{model_of(v), {v.number("mu_x"), v.number("b")}};
       }},
      {"row", row_keys,
       "d features and y = b + w.x + noise; w, sigma_x and mu are lists such as 1/-2/0.5, corr or "
       "ar the features' correlation",
       [](const law_values& v) { return normal_row{row_of("row", v)}; }},
      {"ols", estimate_keys(row_keys), "the coefficients that regression finds on n such rows",
       [](const law_values& v) { return coefficients{task_of(v)}; }},
  };
}

const law_key& key_called(const law_entry& entry, std::string_view name) {
  if (const law_key* found = find_named(entry.keys, name)) return *found;
  throw std::domain_error(std::string(entry.name) + ": " +
                          unknown_name("key", name, names_of(entry.keys)));
}

std::string_view name_of(std::string_view description) {
  return description.substr(0, description.find(':'));
}

bool is_called(std::string_view description, std::string_view name) {
  const law_entry* const found = find_law(name_of(description));
  return found != nullptr && found->name == name;
}

}  // namespace

double law_values::number(std::string_view key) const {
  return parse_number(law_ + ": " + std::string(key), word(key));
}

std::string law_values::word(std::string_view key) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const value& one) { return one.key == key; });
  if (found == all_.end()) throw std::logic_error(law_ + " has no key " + std::string(key));
  return found->text;
}

std::string law_entry::pattern() const {
  std::string text(name);
  if (has_own_form()) return text + ":" + std::string(form);
  for (const law_key& key : keys) {
    text += text.size() == name.size() ? ':' : ',';
    text += std::string(key.name) + "=" + std::string(key.otherwise);
  }
  return text;
}

bool law_entry::is_of_one_variable() const {
  return name != "pair" && name != "row" && name != "ols";
}

const std::vector<law_entry>& law_catalogue() {
  static const std::vector<law_entry> all = [] {
    std::vector<law_entry> made = made_catalogue();
    for (law_entry& one : made) {
      for (const auto& [name, others] : other_names()) {
        if (one.name == name) one.also_called = others;
      }
    }
    return made;
  }();
  return all;
}

const law_entry* find_law(std::string_view name) {
  std::string known(name);
  for (char& c : known) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const law_entry& one : law_catalogue()) {
    const auto& others = one.also_called;
    if (one.name == known || std::find(others.begin(), others.end(), known) != others.end()) {
      return &one;
    }
  }
  return nullptr;
}

const law_entry& law_called(std::string_view name) {
  if (const law_entry* found = find_law(name)) return *found;
  throw std::domain_error(unknown_name("distribution", name, names_of(law_catalogue())));
}

law_values parse_values(std::string_view description) {
  const described given = parse_described(description);
  const law_entry& entry = law_called(given.name);
  if (entry.has_own_form()) {
    throw std::domain_error(given.name + ": expected a law with keys such as normal:sigma=1");
  }
  std::vector<law_values::value> values;
  values.reserve(entry.keys.size());
  for (const law_key& key : entry.keys) values.push_back({key.name, std::string(key.otherwise)});
  for (const auto& setting : given.settings) {
    const law_key& key = key_called(entry, setting.key);
    values[static_cast<std::size_t>(&key - entry.keys.data())].text = setting.text;
  }
  return {std::string(entry.name), std::move(values)};
}

any_law parse_distribution(std::string_view description) {
  const std::string_view name = name_of(description);
  if (const law_entry* own = find_law(name); own != nullptr && own->has_own_form()) {
    const std::string_view rest =
        trimmed(description.substr(std::min(name.size() + 1, description.size())));
    if (rest.empty()) {
      throw std::domain_error(std::string(name) + ": expected " + own->pattern() + ", got '" +
                              std::string(description) + "'");
    }
    return own->read(rest);
  }
  const law_values values = parse_values(description);
  return law_called(name_of(description)).make(values);
}

law parse_law(std::string_view description) {
  any_law made = parse_distribution(description);
  if (law* one = std::get_if<law>(&made)) return std::move(*one);
  throw std::domain_error("expected a law of one variable, got '" + std::string(description) + "'");
}

bool describes_pair(std::string_view description) { return is_called(description, "pair"); }

bool describes_row(std::string_view description) { return is_called(description, "row"); }

bool describes_estimate(std::string_view description) { return is_called(description, "ols"); }

row_model parse_row(std::string_view description, const square_matrix* covariance) {
  if (!describes_row(description)) {
    throw std::domain_error("expected a row such as row:d=3, got '" + std::string(description) +
                            "'");
  }
  const law_values given = parse_values(description);
  if (covariance != nullptr) refuse_beside_covariance(description, *covariance);
  return row_of("row", given, covariance);
}

least_squares parse_estimate(std::string_view description, const square_matrix* covariance) {
  if (!describes_estimate(description)) {
    throw std::domain_error("expected an estimate such as ols:n=20,d=3, got '" +
                            std::string(description) + "'");
  }
  const law_values given = parse_values(description);
  if (covariance != nullptr) refuse_beside_covariance(description, *covariance);
  return task_of(given, covariance);
}

regression_pair parse_pair(std::string_view description) {
  const any_law made = parse_distribution(description);
  if (const auto* pair = std::get_if<regression_pair>(&made)) return *pair;
  throw std::domain_error("expected a pair of variables, got '" + std::string(description) + "'");
}

std::vector<law_key> keys_of_law(std::string_view description) {
  const law_entry& entry = law_called(name_of(description));
  if (entry.name != "relu" || description.find(':') == std::string_view::npos) return entry.keys;
  return keys_of_law(description.substr(description.find(':') + 1));
}

std::string with_key(std::string_view description, std::string_view key, std::string_view value) {
  const law_entry* const own = find_law(name_of(description));
  if (own != nullptr && own->has_own_form()) {
    const std::size_t colon = description.find(':');
    if (own->name == "relu" && colon != std::string_view::npos) {
      return "relu:" + with_key(description.substr(colon + 1), key, value);
    }
    throw std::domain_error(std::string(own->name) + ": there is no key '" + std::string(key) +
                            "' to set: give the whole law");
  }
  described given = parse_described(description);
  (void)key_called(law_called(given.name), key);
  const auto found = std::find_if(given.settings.begin(), given.settings.end(),
                                  [&](const auto& one) { return one.key == key; });
  if (found != given.settings.end()) {
    found->text = value;
  } else {
    given.settings.push_back({std::string(key), std::string(value)});
  }
  std::string text = given.name;
  for (const auto& one : given.settings) {
    text += (text.size() == given.name.size() ? ':' : ',') + one.key + "=" + one.text;
  }
  return text;
}

}  // namespace ktln2
