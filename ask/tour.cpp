#include "ask/tour.hpp"

#include <utility>

#include "ktln2/format/catalogue.hpp"

namespace ktln2::ask {

tour_question read_tour(const words& asked) {
  const reader given{asked};
  return {};
}

tour_answer solve(const tour_question& /*asked*/, const stop_token& /*stop*/) {
  tour_answer made;
  for (const format_entry& entry : format_catalogue()) {
    const float_format format = parse_format(entry.name);
    made.stops.push_back(
        {format, std::string(entry.size_of), entropy_by_field(format, normal{0, 1})});
  }
  return made;
}

report tour_answer::report() const {
  ask::report made{"tour"};
  made.add("distribution", json("normal:mu=0,sigma=1"));
  json rows = json::array();
  for (const tour_stop& here : stops) {
    const field_entropies& h = here.entropies;
    rows.push_back({{"format", here.format.name()},
                    {"size_of", here.size_of},
                    {"bits", here.format.width()},
                    {"value", number(h.total.value.value())},
                    {"error", number(h.total.error.value())},
                    {"sign", number(h.sign.value.value())},
                    {"exponent", number(h.exponent.value.value())},
                    {"mantissa", number(h.mantissa.value.value())}});
  }
  made.add("rows", std::move(rows));
  return made;
}

}  // namespace ktln2::ask
