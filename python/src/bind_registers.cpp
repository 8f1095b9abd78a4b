#include <cmath>

#include "bindings.hpp"
#include "registers.hpp"

namespace ktln2::python {
namespace {

py::tuple runs(const number_register& of) {
  std::vector<double> start;
  std::vector<double> spacing;
  std::vector<double> count;
  for (const number_register::run& one : of.runs()) {
    start.push_back(one.start);
    spacing.push_back(one.spacing);
    count.push_back(one.count);
  }
  return py::make_tuple(as_array(start), as_array(spacing), as_array(count));
}

/// From the top.
std::vector<std::string> bit_names(const number_register& of) {
  const leading_entropy nothing = [](int) { return exactly(bits{0}); };
  const std::vector<bit_entropy> all = of.ideal() != nullptr
                                           ? entropy_by_bit(of.ideal()->format, nothing)
                                           : entropy_by_bit(of.number().format, nothing);
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const bit_entropy& one : all) names.push_back(one.name);
  return names;
}

wide largest(const number_register& of) {
  return of.ideal() != nullptr ? of.ideal()->format.max() : of.number().format.max();
}

wide smallest(const number_register& of) {
  return of.ideal() != nullptr ? of.ideal()->format.min_positive()
                               : of.number().format.min_positive();
}

/// As `format` has them; a format that is not floating point has no exponent.
int significant_bits(const number_register& of) {
  return of.ideal() != nullptr ? of.ideal()->format.p() : storage{of.number().format}.p();
}

int exponent_bits(const number_register& of) {
  if (of.ideal() != nullptr) return of.ideal()->format.exponent_bits();
  const number_format& format = of.number().format;
  return format.kind() == number_format::family::floating ? format.fields().exponent_bits : 0;
}

}  // namespace

void bind_registers(py::module_& module) {
  py::class_<number_register>(module, "Register")
      .def(py::init<std::string, std::string, std::string>(), py::arg("name"),
           py::arg("rounding") = "", py::arg("overflow") = "")
      .def_property_readonly("name", &number_register::name)
      .def_property_readonly("rounding", &number_register::rounding_name)
      .def_property_readonly("width", &number_register::width)
      .def_property_readonly("p", &significant_bits)
      .def_property_readonly("exponent_bits", &exponent_bits)
      .def_property_readonly("is_ideal",
                             [](const number_register& of) { return of.ideal() != nullptr; })
      .def_property_readonly("max",
                             [](const number_register& of) { return largest(of).to_double(); })
      .def_property_readonly("min_positive",
                             [](const number_register& of) { return smallest(of).to_double(); })
      .def("runs", &runs)
      .def("bit_names", &bit_names);
}

}  // namespace ktln2::python
