#include <fmt/format.h>

#include <string>
#include <vector>

#include "gyre/op/node.h"
#include "gyre/ops/print.h"
#include "gyre/ops/shape/shape.h"
#include "python/tensor/tensor_class.h"
#include "python/tensor/tensor_text.h"

// Display of tensors: repr as in PyTorch, HTML table for notebooks, format specs of elements.

namespace gyre::python {
namespace {

// ---- notebooks ----

constexpr int64_t kMostCells = 12;  // per axis; longer axes show both ends

// The indices shown along an axis of length n; -1 marks the omitted ones.
std::vector<int64_t> shown(int64_t n) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < n; ++i) {
    if (n > kMostCells && i == kMostCells / 2) {
      indices.push_back(-1);
      i = n - kMostCells / 2;
    }
    indices.push_back(i);
  }
  return indices;
}

std::string cell_text(const Tensor& element) {
  if (element.dtype() == DType::boolean) return element.item() != 0 ? "True" : "False";
  if (!is_floating(element.dtype())) return nb::cast<std::string>(nb::str(item(element)));
  return fmt::format("{:.4g}", element.item());
}

std::string row_html(const Tensor& row) {
  std::string html = "<tr>";
  for (int64_t i : shown(row.shape()[0])) {
    html += "<td>" + (i < 0 ? "&hellip;" : cell_text(select(row, {0, i}))) + "</td>";
  }
  return html + "</tr>";
}

std::string table_html(const Tensor& t) {
  Tensor rows = t.rank() == 1 ? unsqueeze(t, 0) : t;
  std::string html = "<table>";
  for (int64_t i : shown(rows.shape()[0])) {
    html += i < 0 ? std::string("<tr><td>&#8942;</td></tr>") : row_html(select(rows, {0, i}));
  }
  return html + "</table>";
}

std::string html(const Tensor& t) {
  NoGrad values_only;
  std::string caption = fmt::format("tensor {} {}", to_string(t.shape()), name_of(t.dtype())) +
                        (t.requires_grad() ? ", requires_grad=True"
                         : t.tracked()     ? ", tracked by autograd"
                                           : "");
  bool is_table = (t.rank() == 1 || t.rank() == 2) && t.numel() > 0 && t.readable();
  return (is_table ? table_html(t) : "<pre>" + to_string(t) + "</pre>") + "<small>" + caption +
         "</small>";
}

// f"{x:.3f}"
nb::object formatted(nb::pointer_and_handle<Tensor> self, const nb::str& spec) {
  if (nb::len(spec) == 0) return nb::repr(self.h);
  const Tensor& t = *self.p;
  if (t.numel() != 1) wrong_type("expected a tensor with one element for a format spec");
  return nb::module_::import_("builtins").attr("format")(item(t), spec);
}

}  // namespace

void add_display(TensorClass& c) {
  c.def("__repr__", tensor_text)
      .def("__format__", formatted, nb::arg("format_spec"),
           nb::sig("def __format__(self, format_spec: str, /) -> str"))
      .def("_repr_html_", html, "HTML representation for notebooks.");
}

}  // namespace gyre::python
