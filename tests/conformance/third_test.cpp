#include <cmath>

#include "gyre/autograd/transform.h"
#include "gyre/base/philox.h"
#include "gyre/op/apply.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "tests/conformance/op_test.h"

// Directional third derivatives by gyre's transforms against finite differences of second
// derivatives: backward rules applied three times.

namespace gyre::conformance {
namespace {

constexpr double kStep = 1e-4;

Tensor direction(const Shape& shape, uint64_t stream) {
  Tensor t = empty(shape, DType::f64);
  for (int64_t i = 0; i < t.numel(); ++i) {
    t.data<double>()[i] = std::ldexp(philox(stream, static_cast<uint64_t>(i))[0], -32) - 0.3;
  }
  return t;
}

class Third : public OpTest {
 protected:
  // The first differentiable operand; false when there is none.
  bool find_smooth(const Call& call, size_t& which) const {
    for (which = 0; which < call.in.size(); ++which) {
      if (is_smooth(op(), call.in, which)) return call.in[which].numel() > 0;
    }
    return false;
  }
};

TEST_P(Third, AgreesWithDifferencesOfSecond) {
  if (!op().differentiable()) return;
  const Call& call = calls()[0];
  size_t which;
  if (!find_smooth(call, which)) return;
  Tensor x = call.in[which], v = direction(x.shape(), 1);
  auto weighted = [&](const Tensor& t) {
    Tensors in = call.in;
    in[which] = t;
    Tensor y = apply(op(), in, call.attrs)[0];
    return sum(y * y * direction(y.shape(), 2));  // nonlinear, so that linear ops are tested too
  };
  auto second = [&](const Tensor& t) { return hvp(weighted, t, v); };
  Tensor third = jvp(second, x, v).second;
  Tensor quotient = (second(x + kStep * v) - second(x - kStep * v)) / (2 * kStep);
  Values got = values_of(third), wanted = values_of(quotient);
  double scale = norm_of(wanted) + norm_of(values_of(second(x)));
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], wanted[i], 1e-4 * scale + 1e-9) << place(op(), 0, "third");
  }
}

GYRE_FOR_VALUES_OF_EVERY_OP(Third);

}  // namespace
}  // namespace gyre::conformance
