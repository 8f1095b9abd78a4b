#include "commands.hpp"
#include "ktln2/core/parse.hpp"
#include "ktln2/distribution/law.hpp"

namespace ktln2::cli {

void run(const law_request& request, style how) {
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
