#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace ktln2::python {

namespace py = pybind11;

/// Arrays come as they are needed: the Python around this has made them so.
template <class T>
using plain_array = py::array_t<T, py::array::c_style>;

template <class T>
std::vector<T> copied(const plain_array<T>& array) {
  return {array.data(), array.data() + array.size()};
}

template <class T>
plain_array<T> as_array(const std::vector<T>& values) {
  return plain_array<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

void bind_laws(py::module_& module);
void bind_registers(py::module_& module);
void bind_entropy(py::module_& module);
void bind_arrays(py::module_& module);
void bind_questions(py::module_& module);
void bind_sweep(py::module_& module);

}  // namespace ktln2::python
