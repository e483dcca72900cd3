#include "gyre/autograd/gradcheck.h"

#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/op/apply.h"
#include "tests/conformance/op_test.h"
#include "tests/conformance/slopes.h"

// Derivatives against finite differences (f64, contiguous), then in every layout and dtype.

namespace gyre::conformance {
namespace {

constexpr int64_t kMostChecked = 200;  // operand elements per sample checked by differences

class Gradient : public OpTest {
 protected:
  bool smooth(const Call& call) const {
    for (size_t i = 0; i < call.in.size(); ++i) {
      if (op().differentiable() && is_smooth(op(), call.in, i)) return true;
    }
    return false;
  }

  Tensors leaves(const Tensors& in) const { return leaves_of(op(), in); }
  Slopes slopes(const Tensors& in, const Attrs& attrs, Order order, bool twice) const {
    return slopes_of(op(), in, attrs, order, twice);
  }

  // `reference` may lack zero gradients. The rounding error of a sum over a broadcast operand is
  // compared with the largest of all gradients of the call.
  void compare_all(const Tensors& got, const Tensors& reference, double ulp,
                   const std::string& where) const {
    double largest = 0;
    for (const Tensor& t : reference)
      largest = std::max(largest, t.defined() ? norm_of(values_of(t)) : 0);
    for (size_t i = 0; i < got.size(); ++i) {
      if (!got[i].defined() && !reference[i].defined()) continue;
      Values zeros(static_cast<size_t>((got[i].defined() ? got[i] : reference[i]).numel()), 0.0);
      Tensor t =
          got[i].defined() ? got[i] : lay_out(zeros, reference[i].shape(), reference[i].dtype());
      Distance d =
          compare(t, reference[i].defined() ? values_of(reference[i]) : zeros, ulp, false, largest);
      EXPECT_TRUE(d.within) << where << " by operand " << i << ": " << d.what;
    }
  }

  // Results and cotangents of 16 bits are rounded, so the reference gets the rounded cotangents.
  void check_half(const Tensors& in, const Attrs& attrs, DType dtype, const std::string& where) {
    Slopes got = slopes(in, attrs, Order::plain, false);
    Slopes reference = slopes(leaves(widened(in)), attrs, Order::plain, false);
    for (const Tensor& t : got.first) {
      EXPECT_EQ(t.defined() ? t.dtype() : dtype, dtype)
          << where << ": expected a gradient of its operand's dtype";
    }
    compare_all(got.first, reference.first, first_ulp(), where + " first");
  }

  // One tensor used for two operands gets the sum of both gradients.
  void check_alias(const Call& call, DType dtype, size_t one, size_t other,
                   const std::string& where) {
    bool wide = dtype == DType::f64;
    Tensors apart = operands(call, dtype, Order::plain);
    apart[other] = lay_out(apart[one], dtype, Order::plain);
    Tensors in = leaves(apart);
    const bool leaf = argument(op(), one).differentiable;
    in[leaf ? other : one] = in[leaf ? one : other];
    Slopes got = slopes(in, call.attrs, Order::plain, wide);
    Slopes reference = slopes(leaves(widened(apart)), call.attrs, Order::plain, false);
    Tensors sums = reference.first;
    Values a = sums[one].defined() ? values_of(sums[one]) : Values(in[one].numel(), 0.0);
    if (sums[other].defined()) {
      Values b = values_of(sums[other]);
      for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    }
    sums[one] = sums[other] = lay_out(a, in[one].shape(), DType::f64);
    compare_all(got.first, sums, first_ulp(), where + " first " + name_of(dtype));
    rows().add(op(), "first", "reference", name_of(dtype), "aliased");
    if (wide) rows().add(op(), "second", "reference", "f64", "aliased");
  }

  // Errors within the op's own bound propagate through the backward rule, which has several steps.
  double first_ulp() const { return 8 * op().ulp; }
  double second_ulp() const { return 64 * op().ulp; }
};

class Differences : public Gradient {};

TEST_P(Differences, OfValuesAndGradients) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (!smooth(call) || elements_of(call.in) > kMostChecked) continue;
    Tensors in = leaves(call.in);
    auto f = [&](Inputs x) { return apply(op(), x, call.attrs); };
    GradcheckOptions options;
    options.jacobian = s == 0 ? 8 : 0;
    GradcheckReport first = gradcheck(f, in, options);
    EXPECT_TRUE(first) << place(op(), s, "first") << "\n" << first.what();
    rows().add(op(), "first", "gradcheck", "f64", "plain");
    options.jacobian = 0;
    GradcheckReport second = gradgradcheck(f, in, options);
    EXPECT_TRUE(second) << place(op(), s, "second") << "\n" << second.what();
    rows().add(op(), "second", "gradcheck", "f64", "plain");
  }
}

TEST_P(Gradient, LayoutsAndDtypes) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (!smooth(call)) continue;
    for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
      bool wide = dtype == DType::f64, half = size_of(dtype) == 2;
      Tensors plain = operands(call, dtype, Order::plain);
      Slopes reference;
      if (!half) reference = slopes(leaves(widened(plain)), call.attrs, Order::plain, wide);
      for (Order order : kOrders) {
        if (half && order != Order::plain) break;
        std::string where = place(op(), s, std::string(name_of(order)) + " " + name_of(dtype));
        SCOPED_TRACE(where);
        Tensors in = leaves(operands(call, dtype, order));
        if (half) {
          check_half(in, call.attrs, dtype, where);
        } else {
          Slopes first = slopes(in, call.attrs, order, false);
          compare_all(first.first, reference.first, first_ulp(), where + " first");
        }
        rows().add(op(), "first", "reference", name_of(dtype), name_of(order));
        if (!wide) continue;
        Slopes recorded = slopes(in, call.attrs, order, true);
        compare_all(recorded.first, reference.first, first_ulp(), where + " first, recorded");
        compare_all(recorded.second, reference.second, second_ulp(), where + " second");
        rows().add(op(), "second", "reference", "f64", name_of(order));
      }
    }
  }
}

// Operands that only the gradients of others need are not saved then.
TEST_P(Gradient, OfOneOperandAlone) {
  if (op().saves_for_others == 0) return;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (!smooth(call)) continue;
    const Tensors all = leaves(call.in);
    const Slopes reference = slopes(all, call.attrs, Order::plain, false);
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i].requires_grad()) continue;
      Tensors one;
      for (size_t j = 0; j < all.size(); ++j)
        one.push_back(j == i || !all[j].defined() ? all[j] : all[j].detach());
      for (bool recorded : {false, true}) {
        const Slopes got = slopes(one, call.attrs, Order::plain, recorded);
        ASSERT_EQ(got.first[i].defined(), reference.first[i].defined());
        if (!got.first[i].defined()) continue;
        EXPECT_EQ(values_of(got.first[i]), values_of(reference.first[i]))
            << place(op(), s, "first") << " of operand " << i;
      }
    }
  }
}

TEST_P(Gradient, ExpandedAndAliased) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (!smooth(call)) continue;
    size_t one, other;
    bool alias = find_alias(call, one, other);
    for (DType dtype : {DType::f64, DType::f32}) {
      bool wide = dtype == DType::f64;
      const auto [dense, strided, any] =
          expanded(op(), operands(call, dtype, Order::plain), call.attrs, s % 2);
      if (any) {
        std::string where = place(op(), s, std::string("expanded ") + name_of(dtype));
        Slopes reference = slopes(leaves(widened(dense)), call.attrs, Order::plain, wide);
        Slopes got = slopes(leaves(strided), call.attrs, Order::plain, wide);
        compare_all(got.first, reference.first, first_ulp(), where + " first");
        rows().add(op(), "first", "reference", name_of(dtype), "expanded");
        if (wide) {
          compare_all(got.second, reference.second, second_ulp(), where + " second");
          rows().add(op(), "second", "reference", "f64", "expanded");
        }
      }
      if (alias) check_alias(call, dtype, one, other, place(op(), s, "aliased"));
    }
  }
}

TEST_P(Gradient, LargeOperandsAndThreads) {
  if (!op().family.pointwise[0] && !op().family.rowwise[0] && !op().family.reduction[0]) return;
  for (size_t s = 0; s < calls().size() && s < kEnlarged; ++s) {
    if (!smooth(calls()[s])) continue;
    for (const Call& big : enlarged(op(), calls()[s], 70000)) {
      for (Order order : {Order::plain, Order::transposed}) {
        std::string where = place(op(), s, std::string("large ") + name_of(order));
        SCOPED_TRACE(where);
        Tensors in = operands(big, DType::f32, order);
        set_num_threads(1);
        Slopes one = slopes(leaves(in), big.attrs, order, false);
        for (int n : thread_counts()) {
          set_num_threads(n);
          Slopes many = slopes(leaves(in), big.attrs, order, false);
          for (size_t i = 0; i < in.size(); ++i) {
            EXPECT_TRUE(same_bits(one.first[i], many.first[i]))
                << where << " by operand " << i << " differs on " << n << " threads";
          }
        }
        set_num_threads(0);
        Slopes reference = slopes(leaves(widened(in)), big.attrs, Order::plain, false);
        compare_all(one.first, reference.first, first_ulp(), where);
        rows().add(op(), "first", "threads", "f32", "large");
      }
    }
  }
}

GYRE_FOR_EVERY_OP(Gradient);
GYRE_FOR_VALUES_OF_EVERY_OP(Differences);

}  // namespace
}  // namespace gyre::conformance
