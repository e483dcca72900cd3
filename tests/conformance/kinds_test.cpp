#include <algorithm>
#include <set>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/vmap.h"
#include "gyre/op/apply.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/conformance/counted_kind.h"
#include "tests/conformance/hidden_values.h"
#include "tests/conformance/op_test.h"
#include "tests/conformance/values.h"

// Every op on operands of another kind: same values and gradients as on plain ones, through the
// handler of the kind alone.

namespace gyre::conformance {
namespace {

// Ops whose gradient looks at values: det, whether a matrix is singular.
const std::set<std::string_view> kGradientReadsValues = {"det"};

class Kinds : public OpTest {
 protected:
  Tensors wrapped(const Tensors& in) const {
    Tensors all;
    for (const Tensor& t : in) all.push_back(is_plain(t) ? counted(t) : t);
    return all;
  }
  Tensors gradients(const Tensors& in, const Attrs& attrs) const {
    Tensors x;
    SmallVector<size_t, 4> which;
    for (size_t i = 0; i < in.size(); ++i) {
      if (in[i].defined() && is_smooth(op(), samples_of_operand(in), i)) which.push_back(i);
    }
    for (size_t i : which) x.push_back(in[i]);
    if (x.empty()) return {};
    auto f = [&](Inputs at) -> Tensors {
      Tensors operands = in;
      for (size_t k = 0; k < which.size(); ++k) operands[which[k]] = at[k];
      Tensor total = Tensor(0.0);
      for (const Tensor& y : apply(op(), operands, attrs)) {
        if (is_floating(y.dtype())) total = total + sum(y * y * weights_for(y));
      }
      return {total};
    };
    return grad(f, x);
  }
  static Tensors samples_of_operand(const Tensors& in) {
    Tensors all;
    for (const Tensor& t : in) all.push_back(uncounted(t));
    return all;
  }
};

TEST_P(Kinds, GiveTheSameValuesAndGradients) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (std::ranges::none_of(call.in, is_plain)) continue;
    std::string where = place(op(), s, "counted");
    Tensors wanted = apply(op(), call.in, call.attrs), in = wrapped(call.in), got;
    int64_t before = counted_calls();
    try {
      got = apply(op(), in, call.attrs);
    } catch (const Error& e) {
      EXPECT_TRUE(refuses_hidden_values(op(), e)) << where << ": " << e.what();
      continue;
    }
    EXPECT_GT(counted_calls(), before) << where;
    ASSERT_EQ(got.size(), wanted.size()) << where;
    for (size_t k = 0; k < got.size(); ++k) {
      ASSERT_EQ(got[k].kind(), kCounted) << where;
      EXPECT_EQ(got[k].shape(), wanted[k].shape()) << where;
      Distance d = compare(uncounted(got[k]), values_of(wanted[k]), 0, true);
      EXPECT_TRUE(d.within) << where << ": " << d.what;
    }
    if (!op().differentiable()) continue;
    Tensors of_plain = gradients(call.in, call.attrs), of_kind;
    try {
      of_kind = gradients(in, call.attrs);
    } catch (const Error& e) {
      EXPECT_TRUE(kGradientReadsValues.contains(op().name)) << where << ": " << e.what();
      EXPECT_EQ(e.code, Code::unsupported) << where;
      continue;
    }
    double scale = 0;  // a gradient that ought to be 0 is judged by the others
    for (const Tensor& g : of_plain) scale = std::max(scale, norm_of(values_of(g)));
    for (size_t k = 0; k < of_plain.size(); ++k) {
      Distance d =
          compare(uncounted(of_kind[k]), values_of(of_plain[k]), 64 * op().ulp, false, scale);
      EXPECT_TRUE(d.within) << where << " gradient " << k << ": " << d.what;
    }
  }
}

GYRE_FOR_EVERY_OP(Kinds);

TEST(Kinds, ABatchOfACountedTensorKeepsItWhole) {
  Tensor x(2.0), rows = empty(Shape{3}, DType::f64);
  for (int64_t i = 0; i < 3; ++i) rows.data<double>()[i] = static_cast<double>(i);
  Tensor w = counted(rows);
  int64_t before = counted_calls();
  auto f = [&](Inputs in) -> Tensors { return {uncounted(mul(in[0], w))}; };
  Tensors batch{stack({rows, rows}, 0)};
  Tensors y = vmap(f, batch, {});
  EXPECT_EQ(counted_calls(), before + 1);
  EXPECT_EQ(to_string(y[0].shape()), "[2, 3]");
  EXPECT_EQ(sum(y[0]).item(), 10);
}

}  // namespace
}  // namespace gyre::conformance
