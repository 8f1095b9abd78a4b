#include <memory>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "laws.hpp"
#include "registers.hpp"
#include "rows.hpp"

namespace ktln2::python {
namespace {

/// What each row is about: one of some registers, and a law.
struct row_questions {
  std::vector<number_register> registers;
  std::vector<int> which;  ///< register of each row; one for all, or one a row
  law_batch laws;
  bits tolerance;

  [[nodiscard]] std::size_t rows() const { return common_length({which.size(), laws.size()}); }
  [[nodiscard]] const number_register& register_of(std::size_t row) const {
    return registers.at(static_cast<std::size_t>(which[which.size() == 1 ? 0 : row]));
  }
};

/// Values and error bars, so many a row.
struct row_answers {
  explicit row_answers(std::size_t rows, std::size_t parts_of_row)
      : parts{parts_of_row},
        value(rows * parts_of_row),
        error(rows * parts_of_row),
        proved(rows * parts_of_row) {}

  void set(std::size_t row, std::size_t part, const bounded<bits>& one) {
    const std::size_t i = row * parts + part;
    value[i] = one.value.value();
    error[i] = one.error.value();
    proved[i] = one.how == evidence::proved ? 1 : 0;
  }
  [[nodiscard]] py::tuple shown() const {
    return py::make_tuple(as_array(value), as_array(error), as_array(proved));
  }

  std::size_t parts;
  std::vector<double> value;
  std::vector<double> error;
  std::vector<std::uint8_t> proved;
};

using row_solver =
    std::function<void(const number_register&, const law&, bits, row_answers&, std::size_t row)>;

/// So few rows are answered before anybody can press Ctrl-C.
constexpr std::size_t few_rows = 8;

py::tuple solve(std::vector<number_register> registers, const plain_array<int>& which,
                const law_batch& laws, double tolerance, unsigned threads, std::size_t parts,
                const row_solver& solve_row) {
  const auto asked = std::make_shared<const row_questions>(
      row_questions{std::move(registers), copied(which), laws, bits{tolerance}});
  const std::size_t rows = asked->rows();
  const auto made = std::make_shared<row_answers>(rows, parts);
  const auto work = [=](const stop_token& stop) {
    for_rows(rows, threads, stop, [&](std::size_t row) {
      solve_row(asked->register_of(row), asked->laws.at(row), asked->tolerance, *made, row);
    });
  };
  if (rows <= few_rows && laws.is_quick()) {
    const py::gil_scoped_release unlocked;
    work({});
  } else {
    run_interruptibly(work);
  }
  return made->shown();
}

py::tuple entropy(const std::vector<number_register>& registers, const plain_array<int>& which,
                  const law_batch& laws, double tolerance, unsigned threads) {
  return solve(registers, which, laws, tolerance, threads, 1,
               [](const number_register& of, const law& x, bits wanted, row_answers& made,
                  std::size_t row) { made.set(row, 0, of.entropy(x, wanted)); });
}

/// Total, sign, exponent and mantissa of each row.
py::tuple by_field(const std::vector<number_register>& registers, const plain_array<int>& which,
                   const law_batch& laws, double tolerance, unsigned threads) {
  return solve(
      registers, which, laws, tolerance, threads, 4,
      [](const number_register& of, const law& x, bits wanted, row_answers& made, std::size_t row) {
        const field_entropies fields = of.by_field(x, wanted);
        made.set(row, 0, fields.total);
        made.set(row, 1, fields.sign);
        made.set(row, 2, fields.exponent);
        made.set(row, 3, fields.mantissa);
      });
}

/// Every bit of each row, from the top.
py::tuple by_bit(const number_register& of, const law_batch& laws, double tolerance,
                 unsigned threads) {
  const auto width = static_cast<std::size_t>(of.width());
  return solve({of}, as_array(std::vector<int>{0}), laws, tolerance, threads, width,
               [](const number_register& reg, const law& x, bits wanted, row_answers& answers,
                  std::size_t row) {
                 const std::vector<bit_entropy> all = reg.by_bit(x, wanted);
                 for (std::size_t i = 0; i < all.size(); ++i) answers.set(row, i, all[i].entropy);
               });
}

}  // namespace

void bind_entropy(py::module_& module) {
  module.def("entropy", &entropy, py::arg("registers"), py::arg("which"), py::arg("laws"),
             py::arg("tolerance"), py::arg("threads"));
  module.def("by_field", &by_field, py::arg("registers"), py::arg("which"), py::arg("laws"),
             py::arg("tolerance"), py::arg("threads"));
  module.def("by_bit", &by_bit, py::arg("register"), py::arg("laws"), py::arg("tolerance"),
             py::arg("threads"));
}

}  // namespace ktln2::python
