#include <algorithm>
#include <string_view>

#include "gyre/op/apply.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/conformance/op_test.h"
#include "tests/conformance/values.h"

// An axis counted from the end gives the bits of the same axis counted from the front: results and
// gradients.

namespace gyre::conformance {
namespace {

class Axes : public OpTest {
 protected:
  // Results, and the gradients of a weighted sum of them.
  Tensors everything(const Tensors& operands, const Attrs& attrs) const {
    Tensors in, leaves;
    for (const Tensor& t : operands) {
      in.push_back(t.defined() ? t.detach() : t);
      if (t.defined() && is_floating(t.dtype()) && op().differentiable()) {
        in.back() = clone(in.back());
        in.back().set_requires_grad();
        leaves.push_back(in.back());
      }
    }
    Tensors all = apply(op(), in, attrs);
    Tensor total(0.0);
    for (const Tensor& y : all) {
      if (is_floating(y.dtype())) total = total + sum(y * weights_for(y));
    }
    if (total.tracked()) total.backward();
    for (const Tensor& leaf : leaves) all.push_back(leaf.grad());
    return all;
  }

  bool equal(const Tensors& a, const Tensors& b) const {
    if (a.size() != b.size()) return false;
    for (size_t k = 0; k < a.size(); ++k) {
      if (a[k].defined() != b[k].defined() || (a[k].defined() && !same_bits(a[k], b[k])))
        return false;
    }
    return true;
  }
};

// The number of axes of the tensor that a field counts the axes of: where its text says so, the
// result, else the operand with the most.
int64_t axes_counted(const Field& field, const Call& call, const Tensors& results) {
  const bool of_result = std::string_view(field.doc).find("the result") != std::string_view::npos;
  int64_t rank = of_result ? results[0].rank() : 0;
  for (const Tensor& t : call.in) {
    if (t.defined() && !of_result) rank = std::max<int64_t>(rank, t.rank());
  }
  return std::max<int64_t>(rank, 1);  // a 0-d tensor has axis 0
}

TEST_P(Axes, CountedFromTheEndAreTheSame) {
  for (size_t s = 0; s < calls().size() && op().attrs; ++s) {
    const Call& call = calls()[s];
    for (const Field& field : op().attrs->fields) {
      const std::string_view name = field.name;
      const bool one = field.type == Field::integer && name.starts_with("axis");
      const bool many = field.type == Field::shape && name == "axes";
      if (!one && !many) continue;
      const Tensors wanted = everything(call.in, call.attrs);
      const int64_t rank = axes_counted(field, call, wanted);
      const auto other = [&](int64_t axis) { return axis < 0 ? axis + rank : axis - rank; };
      Attrs attrs;
      if (one) {
        attrs =
            with_integer(call.attrs, field, other(field_value<int64_t>(call.attrs->value, field)));
      } else {
        Shape axes = field_value<Shape>(call.attrs->value, field);
        for (int64_t& axis : axes) axis = other(axis);
        attrs = with_shape(call.attrs, field, axes);
      }
      EXPECT_TRUE(equal(wanted, everything(call.in, attrs))) << place(op(), s, field.name);
    }
  }
}

GYRE_FOR_EVERY_OP(Axes);

}  // namespace
}  // namespace gyre::conformance
