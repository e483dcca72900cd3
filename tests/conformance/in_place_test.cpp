#include "gyre/ops/in_place.h"

#include "gyre/autograd/backward.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "tests/conformance/op_test.h"

// Every op that supports it gives the same bits in place, in every layout, and either the gradients
// of the plain call or an error: never other gradients.

namespace gyre::conformance {
namespace {

class InPlace : public OpTest {
 protected:
  // Whether the first operand can hold the result.
  bool fits(const Call& call) const {
    if (!op().family.pointwise[0] || call.in[0].numel() == 0) return false;
    Tensor result = apply_one(op(), call.in, call.attrs);
    return result.shape() == call.in[0].shape() && result.dtype() == call.in[0].dtype();
  }
};

TEST_P(InPlace, SameBits) {
  NoGrad off;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (!fits(call)) continue;
    for (Order order : {Order::plain, Order::transposed, Order::stepped, Order::offset}) {
      Tensors in = operands(call, DType::f64, order);
      Tensor wanted = apply_one(op(), in, call.attrs);
      apply_in_place(op(), in, call.attrs);
      EXPECT_TRUE(same_bits(in[0], wanted)) << place(op(), s, "in place");
    }
    // the first operand again as the last
    if (call.in.size() < 2 || !(call.in.back().shape() == call.in[0].shape())) continue;
    Tensors in = operands(call, DType::f64, Order::plain);
    in.back() = in[0];
    Tensor wanted = apply_one(op(), in, call.attrs);
    apply_in_place(op(), in, call.attrs);
    EXPECT_TRUE(same_bits(in[0], wanted)) << place(op(), s, "with itself in place");
  }
}

// The gradients of the sum of squares of a call whose first operand is itself a result.
Tensors gradients(const OpDef& op, const Call& call, bool in_place) {
  Tensors leaves, in;
  for (const Tensor& t : operands(call, DType::f64, Order::plain)) {
    leaves.push_back(t);
    if (is_floating(t.dtype())) leaves.back().set_requires_grad();
  }
  in = leaves;
  in[0] = leaves[0] * 1.0;
  Tensor y = in_place ? apply_in_place(op, in, call.attrs) : apply_one(op, in, call.attrs);
  return grad(Tensors{sum(y * y)}, leaves, {}, {.allow_unused = true});
}

// Also where the call overwrites an operand whose values backward needs: it copies them.
TEST_P(InPlace, SameGradients) {
  if (!op().differentiable()) return;
  for (size_t s = 0; s < calls().size(); ++s) {
    NoGrad off;
    if (!fits(calls()[s])) continue;
    GradMode on(true);
    Tensors wanted = gradients(op(), calls()[s], false), got = gradients(op(), calls()[s], true);
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].defined(), wanted[i].defined());
      bool same = !got[i].defined() || same_bits(got[i], wanted[i]);
      EXPECT_TRUE(same) << place(op(), s, "gradients");
    }
  }
}

GYRE_FOR_EVERY_OP(InPlace);

}  // namespace
}  // namespace gyre::conformance
