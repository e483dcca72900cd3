#include "gyre/packed/gradient/factored.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/op/kind_handler.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/gradient_norm.h"
#include "gyre/optim/rules/optim_ops.h"

namespace gyre {
namespace {

Tensor plain_f32(const Tensor& t) { return contiguous(to(t.detach(), DType::f32)); }

Tensor of_terms(const Shape& shape, std::vector<FactoredTerm> terms) {
  Meta meta;
  meta.shape = shape;
  return make_of_kind(TensorKind::factored, meta, make_ref<FactoredStorage>(std::move(terms)));
}

std::vector<FactoredTerm> own_terms(const Tensor& t) {
  if (is_factored(t)) return factored_storage(t).terms;
  return {{.sort = FactoredTerm::dense, .right = plain_f32(t)}};
}

[[noreturn]] void refuse_factored(const KindCall& call) {
  throw Error(Code::unsupported, call.op.name,
              "gradients of packed tensors are not supported; pass dense_gradient(g) instead",
              "a plain tensor", "a gradient in factors");
}

// Rows [begin, end) of the gradient, multiplied out.
Tensor rows_of(const Tensor& gradient, int64_t begin, int64_t end) {
  const int64_t rows = gradient.size(0), cols = gradient.numel() / rows;
  Tensor sum = zeros({end - begin, cols});
  for (const FactoredTerm& term : factored_storage(gradient).terms) {
    const Tensor right = reshape(term.right, {-1, cols}) * Tensor(term.scale);
    if (term.sort == FactoredTerm::product) {
      const Tensor left = slice(reshape(term.left, {-1, rows}), {1, begin, end, 1});
      sum = sum + matmul(transpose(left, 0, 1), right);
    } else if (term.sort == FactoredTerm::dense) {
      sum = sum + slice(right, {0, begin, end, 1});
    } else {
      const Tensor all = reshape(term.left, {-1}), inside = (all >= begin) & (all < end);
      const Tensor chosen = where(reshape(inside, {-1, 1}), right, zeros_like(right));
      sum = index_add(sum, 0, where(inside, all - begin, zeros_like(all)), chosen);
    }
  }
  return sum;
}

Tensor sum_of(const KindCall& call) {
  if (!(call.in[0].shape() == call.in[1].shape())) refuse_factored(call);
  std::vector<FactoredTerm> terms = own_terms(call.in[0]);
  for (FactoredTerm& term : own_terms(call.in[1])) terms.push_back(std::move(term));
  return of_terms(call.in[0].shape(), std::move(terms));
}

Tensor times(const Tensor& t, double factor) {
  std::vector<FactoredTerm> terms = own_terms(t);
  for (FactoredTerm& term : terms) term.scale *= factor;
  return of_terms(t.shape(), std::move(terms));
}

bool is_number(const Tensor& t) { return t.plain() && t.numel() == 1; }

// Of plain and factored tensors together; the latter by blocks of rows.
Tensor norm_of(const KindCall& call) {
  constexpr int64_t kRows = 256;
  const bool finite_only = call.attrs && attrs_as<TotalNormAttrs>(call.attrs->value).finite_only;
  double squares = 0;
  const auto count = [&](const Tensor& t) {
    const double norm = total_norm(std::span(&t, 1), finite_only).item();
    squares += norm * norm;
  };
  for (const Tensor& t : call.in) {
    if (!is_factored(t)) {
      count(t);
      continue;
    }
    for (int64_t row = 0; row < t.size(0); row += kRows)
      count(rows_of(t, row, std::min(row + kRows, t.size(0))));
  }
  return full({}, std::sqrt(squares), {.dtype = DType::f64});
}

Tensors call_factored(const KindCall& call) {
  const std::string_view op = call.op.name;
  if (op == "add") return {sum_of(call)};
  if (op == "mul" && is_number(call.in[1])) return {times(call.in[0], call.in[1].item())};
  if (op == "mul" && is_number(call.in[0])) return {times(call.in[1], call.in[0].item())};
  if (op == "div" && is_number(call.in[1])) return {times(call.in[0], 1 / call.in[1].item())};
  if (op == "clone") return {times(call.in[0], 1)};
  if (op == "total_norm") return {norm_of(call)};
  refuse_factored(call);
}

}  // namespace

Tensor factored(const Shape& shape, std::vector<FactoredTerm> terms) {
  set_kind_handler(TensorKind::factored, call_factored);
  for (FactoredTerm& term : terms) {
    term.right = plain_f32(term.right);
    if (term.sort == FactoredTerm::product) term.left = plain_f32(term.left);
    if (term.sort == FactoredTerm::rows) term.left = contiguous(term.left.detach());
  }
  return of_terms(shape, std::move(terms));
}

Tensor dense_gradient(const Tensor& gradient) {
  NoGrad off;
  if (!is_factored(gradient)) return plain_f32(gradient);
  const std::vector<FactoredTerm>& terms = factored_storage(gradient).terms;
  if (terms.size() == 1 && terms[0].sort == FactoredTerm::dense && terms[0].scale == 1)
    return reshape(terms[0].right, gradient.shape());
  return reshape(rows_of(gradient, 0, gradient.size(0)), gradient.shape());
}

}  // namespace gyre
