#include <array>

#include "commands.hpp"
#include "ktln2/entropy/fields.hpp"

namespace ktln2::cli {
namespace {

struct stop {
  const char* format;
  const char* size_of;
};

constexpr std::array stops = {stop{"p2e2", "a 4-bit float"}, stop{"p4e4", "e4m3"},
                              stop{"p3e5", "e5m2"},          stop{"p11e5", "binary16"},
                              stop{"p8e8", "bfloat16"},      stop{"p24e8", "binary32"},
                              stop{"p53e11", "binary64"},    stop{"p64e15", "extended"}};

}  // namespace

void run(const tour_request&, style how) {
  const normal x{0, 1};
  table rows({"format", "size of", "bits", "entropy", "sign", "exponent", "mantissa", "error"});
  json_value object = report("tour");
  object["distribution"] = "normal:mu=0,sigma=1";
  object["rows"] = json_value::array();
  for (const stop& here : stops) {
    const float_format format = float_format::parse(here.format);
    const field_entropies h = entropy_by_field(format, x);
    rows.add({here.format, here.size_of, fmt::format("{}", format.width()),
              fmt::format("{:.9f}", h.total.value.value()),
              fmt::format("{:.6f}", h.sign.value.value()),
              fmt::format("{:.6f}", h.exponent.value.value()),
              fmt::format("{:.6f}", h.mantissa.value.value()),
              fmt::format("{:.0e}", h.total.error.value())});
    object["rows"].push_back({{"format", here.format},
                              {"size_of", here.size_of},
                              {"bits", format.width()},
                              {"value", number(h.total.value.value())},
                              {"error", number(h.total.error.value())},
                              {"sign", number(h.sign.value.value())},
                              {"exponent", number(h.exponent.value.value())},
                              {"mantissa", number(h.mantissa.value.value())}});
  }
  if (how == style::json) return print_json(object);
  if (how == style::csv) {
    table plain({"format", "size_of", "bits", "entropy", "error", "sign", "exponent", "mantissa"});
    for (const json_value& row : object["rows"]) {
      std::vector<std::string> entries;
      for (const char* key :
           {"format", "size_of", "bits", "value", "error", "sign", "exponent", "mantissa"}) {
        entries.push_back(row[key].is_string() ? row[key].get<std::string>() : row[key].dump());
      }
      plain.add(std::move(entries));
    }
    return print(plain.csv());
  }
  print(
      "The entropy of a standard normal variable stored on a register, in bits: exact, not "
      "approximated.\n\n");
  print(rows.text());
  print(
      "\nA mantissa bit is worth nearly a bit, an exponent bit far less. Try:\n"
      "  ktln2 entropy p24e8 normal:mu=0,sigma=1 --bits\n"
      "  ktln2 entropy p24e8 normal:mu=1,sigma=1e-8\n"
      "  ktln2 --help\n");
}

}  // namespace ktln2::cli
