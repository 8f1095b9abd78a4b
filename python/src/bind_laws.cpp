#include "bindings.hpp"
#include "interrupt.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "laws.hpp"
#include "rows.hpp"
#include "tabulated_density.hpp"

namespace ktln2::python {
namespace {

using parameter_arrays = std::vector<plain_array<double>>;

std::vector<std::vector<double>> copied_columns(const parameter_arrays& arrays) {
  std::vector<std::vector<double>> values;
  for (const auto& array : arrays) values.push_back(copied(array));
  return values;
}

using law_function = double (*)(const law&, double);

law_function function_called(const std::string& name) {
  if (name == "pdf") return pdf;
  if (name == "log_pdf") return log_pdf;
  if (name == "cdf") return cdf;
  if (name == "ccdf") return ccdf;
  if (name == "quantile") return quantile;
  throw std::logic_error("no function " + name);
}

/// A function of the law in each row, at one place or at one a row.
py::array evaluate(const law_batch& laws, const std::string& name, const plain_array<double>& at,
                   unsigned threads) {
  const law_function function = function_called(name);
  const auto places = std::make_shared<const std::vector<double>>(copied(at));
  const std::size_t rows = places->empty() ? 0 : common_length({laws.size(), places->size()});
  const auto values = std::make_shared<std::vector<double>>(rows);
  run_interruptibly([=](const stop_token& stop) {
    for_rows(rows, threads, stop, [&](std::size_t row) {
      (*values)[row] = function(laws.at(row), (*places)[places->size() == 1 ? 0 : row]);
    });
  });
  return as_array(*values);
}

/// Mean, deviation and differential entropy of each law.
py::tuple moments(const law_batch& laws, unsigned threads) {
  using list = std::vector<double>;
  const auto found = std::make_shared<std::array<list, 3>>();
  for (list& one : *found) one.resize(laws.size());
  run_interruptibly([=](const stop_token& stop) {
    for_rows(laws.size(), threads, stop, [&](std::size_t row) {
      const law x = laws.at(row);
      (*found)[0][row] = mean(x);
      (*found)[1][row] = deviation(x);
      (*found)[2][row] = differential_entropy(x).value();
    });
  });
  return py::make_tuple(as_array((*found)[0]), as_array((*found)[1]), as_array((*found)[2]));
}

/// Makes every law once, so that a bad parameter is found now.
void check(const law_batch& laws, unsigned threads) {
  run_interruptibly([=](const stop_token& stop) {
    for_rows(laws.size(), threads, stop, [&](std::size_t row) { (void)laws.at(row); });
  });
}

/// The laws with keys: (name, [(key, default)], help).
py::list catalogue() {
  py::list all;
  for (const law_entry& one : law_catalogue()) {
    py::list keys;
    for (const law_key& key : one.keys) {
      keys.append(py::make_tuple(std::string(key.name), std::string(key.otherwise)));
    }
    all.append(py::make_tuple(std::string(one.name), keys, std::string(one.help)));
  }
  return all;
}

}  // namespace

void bind_laws(py::module_& module) {
  py::class_<law_batch>(module, "Laws")
      .def_static(
          "of_parameters",
          [](const std::string& kind, const parameter_arrays& values) {
            return law_batch::of_parameters(kind, copied_columns(values));
          },
          py::arg("kind"), py::arg("values"))
      .def_static(
          "mixture",
          [](const parameter_arrays& weights, const std::vector<law_batch>& laws) {
            return law_batch::mixture(copied_columns(weights), laws);
          },
          py::arg("weights"), py::arg("laws"))
      .def_static(
          "described",
          [](const std::string& text) {
            const py::gil_scoped_release unlocked;
            return law_batch{1, false, [made = parse_law(text)](std::size_t) { return made; }};
          },
          py::arg("text"))
      .def_static("relu", &law_batch::relu, py::arg("of"))
      .def_static(
          "truncated",
          [](const law_batch& of, const plain_array<double>& low, const plain_array<double>& high) {
            return law_batch::truncated(of, copied(low), copied(high));
          },
          py::arg("of"), py::arg("low"), py::arg("high"))
      .def_static(
          "empirical",
          [](const plain_array<double>& samples) { return law_batch::empirical(copied(samples)); },
          py::arg("samples"))
      .def_static(
          "tabulated",
          [](const std::string& name, const plain_array<double>& edges,
             const plain_array<double>& coefficients, const plain_array<double>& breaks,
             bool has_jumps, double location, double scale, double relative_error) {
            return tabulated_batch({name, copied(edges), copied(coefficients), copied(breaks),
                                    has_jumps, location, scale, relative_error});
          },
          py::arg("name"), py::arg("edges"), py::arg("coefficients"), py::arg("breaks"),
          py::arg("has_jumps"), py::arg("location"), py::arg("scale"), py::arg("relative_error"))
      .def_property_readonly("size", &law_batch::size)
      .def("check", &check, py::arg("threads"))
      .def("evaluate", &evaluate, py::arg("name"), py::arg("at"), py::arg("threads"))
      .def("moments", &moments, py::arg("threads"));
  module.def("law_catalogue", &catalogue);
}

}  // namespace ktln2::python
