#include <algorithm>
#include <set>
#include <string>

#include "gyre/base/error.h"
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

TEST_P(Axes, CountedFromTheEndAreTheSame) {
  for (size_t s = 0; s < calls().size() && op().attrs; ++s) {
    const Call& call = calls()[s];
    for (const Field& field : op().attrs->fields) {
      if (field.type != Field::integer || !std::string_view(field.name).starts_with("axis"))
        continue;
      const auto axis = field_value<int64_t>(call.attrs->value, field);
      const Tensors wanted = everything(call.in, call.attrs);
      // an axis is one of the first operand or, as in stack, of the result
      bool same = false;
      for (int64_t rank : std::set{call.in[0].rank(), wanted[0].rank()}) {
        rank = std::max<int64_t>(rank, 1);  // a 0-d tensor has axis 0
        const int64_t other = axis < 0 ? axis + rank : axis - rank;
        if (other < -rank || other >= rank) continue;
        try {
          same |= equal(wanted, everything(call.in, with_integer(call.attrs, field, other)));
        } catch (const Error&) {  // the axis is one of the other
        }
      }
      EXPECT_TRUE(same) << place(op(), s, field.name) << " = " << axis;
    }
  }
}

GYRE_FOR_EVERY_OP(Axes);

}  // namespace
}  // namespace gyre::conformance
