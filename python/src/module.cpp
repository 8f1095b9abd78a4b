// ktln2._core: arrays in, arrays out, without the interpreter's lock. What users see is the Python
// around it.
#include "bindings.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/version.hpp"
#include "rows.hpp"

namespace {

namespace py = pybind11;

/// RowError(row, message), a ValueError.
PyObject* row_error_type = nullptr;

// By value, as pybind11 has it.
void raise_as_python(std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param)
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ktln2::python::row_error& error) {
    PyErr_SetObject(row_error_type, py::make_tuple(error.row, error.what()).ptr());
  } catch (const ktln2::stopped&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const std::domain_error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.attr("version") = ktln2::version;
  row_error_type = PyErr_NewException("ktln2._core.RowError", PyExc_ValueError, nullptr);
  module.add_object("RowError", row_error_type);
  py::register_exception_translator(raise_as_python);
  module.def("hardware_threads", &ktln2::hardware_threads);
  ktln2::python::bind_laws(module);
  ktln2::python::bind_registers(module);
  ktln2::python::bind_entropy(module);
  ktln2::python::bind_arrays(module);
  ktln2::python::bind_questions(module);
  ktln2::python::bind_sweep(module);
}
