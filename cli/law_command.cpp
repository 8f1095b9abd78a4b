#include "commands.hpp"
#include "core/parse.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/distribution/pair.hpp"

namespace ktln2::cli {
namespace {

void run_pair(const law_request& request, style how) {
  const regression_pair pair = parse_pair(request.distribution);
  if (!request.at.empty()) {
    throw std::domain_error("law: --at is for laws of one variable, got a pair");
  }
  const double h = differential_entropy(pair).value();
  const double shared = mutual_information(pair).value();
  if (how == style::json) {
    json_value object = report("law");
    object["distribution"] = request.distribution;
    object["mean"] = {0, 0};
    object["deviation"] = {number(pair.sigma_x()), number(pair.sigma_y())};
    object["correlation"] = number(pair.correlation());
    object["snr"] = number(pair.snr());
    object["differential_entropy"] = number(h);
    object["mutual_information"] = number(shared);
    object["unit"] = "bit";
    return print_json(object);
  }
  table rows({"quantity", "value"});
  const auto add = [&rows](const char* name, double value) {
    rows.add({name, fmt::format("{}", value)});
  };
  add("deviation of X", pair.sigma_x());
  add("deviation of Y", pair.sigma_y());
  add("correlation", pair.correlation());
  add("signal-to-noise ratio", pair.snr());
  add("differential entropy, bits", h);
  add("mutual information, bits", shared);
  print(how == style::csv ? rows.csv() : request.distribution + "\n\n" + rows.text());
}

}  // namespace

void run(const law_request& request, style how) {
  if (describes_pair(request.distribution)) return run_pair(request, how);
  const law known = parse_law(request.distribution);
  std::vector<double> points;
  for (const std::string& text : request.at) points.push_back(parse_number("law: --at", text));

  std::visit(
      [&](const auto& x) {
        const double h = differential_entropy(x).value();
        json_value object = report("law");
        object["distribution"] = request.distribution;
        object["mean"] = number(mean(x));
        object["deviation"] = number(deviation(x));
        object["differential_entropy"] = number(h);
        object["unit"] = "bit";
        table rows({"x", "pdf", "cdf", "ccdf", "ln_pdf"});
        if (!points.empty()) {
          for (const char* key : {"at", "pdf", "cdf", "ccdf", "ln_pdf"}) {
            object[key] = json_value::array();
          }
          for (const double at : points) {
            object["at"].push_back(number(at));
            object["pdf"].push_back(number(pdf(x, at)));
            object["cdf"].push_back(number(cdf(x, at)));
            object["ccdf"].push_back(number(ccdf(x, at)));
            object["ln_pdf"].push_back(number(log_pdf(x, at)));
            rows.add({fmt::format("{}", at), fmt::format("{}", pdf(x, at)),
                      fmt::format("{}", cdf(x, at)), fmt::format("{}", ccdf(x, at)),
                      fmt::format("{}", log_pdf(x, at))});
          }
        }
        if (how == style::json) return print_json(object);
        if (how == style::csv) {
          if (points.empty()) {
            rows = table({"distribution", "mean", "deviation", "differential_entropy"});
            const auto entry = [](double value) {
              return std::isnan(value) ? std::string() : fmt::format("{}", value);
            };
            rows.add({request.distribution, entry(mean(x)), entry(deviation(x)), entry(h)});
          }
          return print(rows.csv());
        }
        const auto shown_moment = [](double value) {
          if (std::isnan(value)) return std::string("does not exist");
          return std::isinf(value) ? std::string("infinite") : fmt::format("{}", value);
        };
        print(fmt::format("{}\n\n", request.distribution));
        print(fmt::format("  mean                  {}\n", shown_moment(mean(x))));
        print(fmt::format("  standard deviation    {}\n", shown_moment(deviation(x))));
        print(fmt::format("  differential entropy  {} bits\n", h));
        if (!points.empty()) print("\n" + rows.text());
      },
      known);
}

}  // namespace ktln2::cli
