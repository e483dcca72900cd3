#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "tests/conformance/op_test.h"

// Kinks and boundaries of the domain, where the samples say that derivatives exist.

namespace gyre::conformance {
namespace {

class Extreme : public OpTest {
 protected:
  Tensors leaves(const Call& call, DType dtype) const {
    Tensors r;
    for (size_t i = 0; i < call.in.size(); ++i) {
      const Tensor& t = call.in[i];
      r.push_back(lay_out(t, is_varied(t) ? dtype : t.defined() ? t.dtype() : dtype, Order::plain));
      if (is_smooth(op(), call.in, i)) r.back().set_requires_grad();
    }
    return r;
  }

  // The sum of the gradients of all smooth results by all leaves; recorded when `twice`.
  Tensors gradients(const Tensors& of, const Tensors& in, bool twice) const {
    Tensors outputs, ones, asked;
    for (const Tensor& t : of) {
      if (!t.defined() || !t.tracked()) continue;
      outputs.push_back(t);
      ones.push_back(lay_out(Values(static_cast<size_t>(t.numel()), 1.0), t.shape(), t.dtype()));
    }
    for (const Tensor& t : in) {
      if (t.requires_grad()) asked.push_back(t);
    }
    if (outputs.empty()) return {};
    return grad(outputs, asked, ones, {.create_graph = twice, .allow_unused = true});
  }

  void expect_finite(const Tensors& tensors, const std::string& where) const {
    for (size_t i = 0; i < tensors.size(); ++i) {
      for (double x : tensors[i].defined() ? values_of(tensors[i]) : Values{}) {
        EXPECT_TRUE(std::isfinite(x)) << where << " derivative " << i << " is " << x;
      }
    }
  }
  std::string where(size_t s, DType dtype) const {
    return std::string(op().name) + " extreme #" + std::to_string(s) + " " + gyre::name_of(dtype);
  }
};

TEST_P(Extreme, NanOnlyWhereTheReferenceHasIt) {
  const auto& extremes = samples_of(op()).extremes;
  for (size_t s = 0; s < extremes.size(); ++s) {
    for (DType dtype : {DType::f32, DType::f16, DType::bf16}) {
      Tensors in = operands(extremes[s], dtype, Order::plain);
      Tensors results = apply(op(), in, extremes[s].attrs);
      Tensors reference = apply(op(), widened(in), extremes[s].attrs);
      for (size_t k = 0; k < results.size(); ++k) {
        Values got = values_of(results[k]), want = values_of(reference[k]);
        for (size_t i = 0; i < got.size(); ++i) {
          EXPECT_EQ(std::isnan(got[i]), std::isnan(want[i]))
              << where(s, dtype) << " element " << i << " is " << got[i] << ", expected "
              << want[i];
        }
        Distance d = compare(results[k], want, op().ulp, op().by_element);
        EXPECT_TRUE(d.within) << where(s, dtype) << ": " << d.what;
      }
      rows().add(op(), "forward", "extreme", gyre::name_of(dtype), "plain");
    }
  }
}

TEST_P(Extreme, DerivativesAreFinite) {
  const auto& extremes = samples_of(op()).extremes;
  for (size_t s = 0; s < extremes.size() && op().differentiable(); ++s) {
    for (DType dtype : {DType::f64, DType::f32}) {
      Tensors in = leaves(extremes[s], dtype);
      Tensors plain = gradients(apply(op(), in, extremes[s].attrs), in, false);
      expect_finite(plain, where(s, dtype) + " first");
      rows().add(op(), "first", "extreme", gyre::name_of(dtype), "plain");
      if (dtype != DType::f64) continue;
      Tensors recorded = gradients(apply(op(), in, extremes[s].attrs), in, true);
      expect_finite(recorded, where(s, dtype) + " first, recorded");
      for (size_t i = 0; i < plain.size(); ++i) {
        if (!plain[i].defined() || !recorded[i].defined()) continue;
        Distance d = compare(recorded[i], values_of(plain[i]), 8 * op().ulp, false);
        EXPECT_TRUE(d.within) << where(s, dtype) << " recorded and plain pass differ: " << d.what;
      }
      expect_finite(gradients(recorded, in, false), where(s, dtype) + " second");
      rows().add(op(), "second", "extreme", "f64", "plain");
    }
  }
}

GYRE_FOR_EVERY_OP(Extreme);

}  // namespace
}  // namespace gyre::conformance
