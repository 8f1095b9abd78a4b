#include <memory>

#include "ask/sweep.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"
#include "ktln2/core/parallel.hpp"

namespace ktln2::python {
namespace {

/// A question with axes, whose rows are computed where they are asked for.
class swept {
 public:
  swept(const std::vector<std::string>& typed, const std::vector<std::string>& over,
        const std::string& columns) {
    const ask::command& of = ask::sweepable_called(typed.at(0));
    ask::words asked = parse_words(of, {typed.begin() + 1, typed.end()});
    const auto question = ask::read_sweep(std::move(asked), over, columns, false);
    const auto made = std::make_shared<std::shared_ptr<const ask::sweep>>();
    run_interruptibly([=](const stop_token& stop) {
      *made = std::make_shared<const ask::sweep>(question, stop);
    });
    rows_ = *made;
  }

  [[nodiscard]] std::uint64_t size() const { return rows_->size(); }
  [[nodiscard]] const std::vector<std::string>& headings() const { return rows_->headings(); }
  [[nodiscard]] std::vector<std::uint64_t> shape() const {
    std::vector<std::uint64_t> lengths;
    for (const ask::axis& one : rows_->question().axes) lengths.push_back(one.size());
    return lengths;
  }

  /// Lines of CSV, as the command line has them.
  [[nodiscard]] std::string rows(std::uint64_t first, std::uint64_t count, unsigned threads) const {
    constexpr std::uint64_t some = 16;
    const auto text = std::make_shared<std::string>();
    run_interruptibly([=, all = rows_](const stop_token& stop) {
      parallel_in_order((count + some - 1) / some, threads,
                        [&](std::size_t i) -> std::function<void()> {
                          const std::uint64_t begin = i * some;
                          auto made = all->rows(first + begin, std::min(some, count - begin), stop);
                          return [&, made = std::move(made)] {
                            if (!made.error.empty()) {
                              if (made.is_mistake) throw std::domain_error(made.error);
                              throw std::runtime_error(made.error);
                            }
                            *text += made.csv;
                          };
                        },
                        stop);
      throw_if_stopped(stop);
    });
    return *text;
  }

 private:
  std::shared_ptr<const ask::sweep> rows_;
};

}  // namespace

void bind_sweep(py::module_& module) {
  py::class_<swept>(module, "Sweep")
      .def(py::init<const std::vector<std::string>&, const std::vector<std::string>&,
                    const std::string&>(),
           py::arg("words"), py::arg("over"), py::arg("columns") = "")
      .def_property_readonly("size", &swept::size)
      .def_property_readonly("headings", &swept::headings)
      .def_property_readonly("shape", &swept::shape)
      .def("rows", &swept::rows, py::arg("first"), py::arg("count"), py::arg("threads"));
}

}  // namespace ktln2::python
