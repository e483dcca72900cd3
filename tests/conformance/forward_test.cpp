#include <algorithm>
#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "tests/conformance/op_test.h"

// Results in every layout and dtype against the f64 result of the same rounded operands.

namespace gyre::conformance {
namespace {

constexpr DType kFloats[] = {DType::f64, DType::f32, DType::f16, DType::bf16};
std::vector<DType> integer_dtypes() {
  std::vector<DType> all;
  for (int d = 0; d < kDTypes; ++d) {
    if (!is_floating(static_cast<DType>(d))) all.push_back(static_cast<DType>(d));
  }
  return all;
}

struct Threads {
  explicit Threads(int n) { set_num_threads(n); }
  ~Threads() { set_num_threads(0); }
};

std::vector<Values> values_of_all(const Tensors& tensors) {
  std::vector<Values> v;
  for (const Tensor& t : tensors) v.push_back(values_of(t));
  return v;
}

class Forward : public OpTest {
 protected:
  void check(const Tensors& results, const std::vector<Values>& reference, const std::string& where,
             double growth = 1) {
    ASSERT_EQ(results.size(), reference.size()) << where;
    for (size_t k = 0; k < results.size(); ++k) {
      // an f64 reference has the same error as the result
      double both = results[k].dtype() == DType::f64 ? 4 : 1;
      Distance d = compare(results[k], reference[k], op().ulp * growth * both, op().by_element);
      EXPECT_TRUE(d.within) << where << " result " << k << ": " << d.what;
    }
  }

  // Elements of an operand that several tiles and threads share. Ops outside of the families may be
  // far slower, and their sums are as long as the operand.
  bool in_family() const {
    return op().family.pointwise[0] || op().family.rowwise[0] || op().family.reduction[0];
  }
  int64_t large() const { return in_family() ? 70000 : 20000; }
  double growth() const { return in_family() ? 1 : std::log2(static_cast<double>(large())); }

  bool has_floats(const Call& call) const {
    return std::any_of(call.in.begin(), call.in.end(), is_varied);
  }

  // The dtypes in which a sample runs, with their names in its rows.
  std::vector<std::pair<DType, const char*>> dtypes(const Call& call) const {
    if (!has_floats(call)) return {{DType::f64, "own"}};
    std::vector<std::pair<DType, const char*>> r;
    for (DType d : kFloats) r.push_back({d, name_of(d)});
    return r;
  }
};

TEST_P(Forward, LayoutsAndDtypes) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    for (auto [dtype, name] : dtypes(call)) {
      Tensors plain = operands(call, dtype, Order::plain);
      auto reference = values_of_all(apply(op(), widened(plain), call.attrs));
      for (Order order : kOrders) {
        std::string where = place(op(), s, std::string(name_of(order)) + " " + name);
        SCOPED_TRACE(where);
        Tensors in = operands(call, dtype, order);
        check(apply(op(), in, call.attrs), reference, where);
        for (size_t i = 0; i < in.size(); ++i) {
          EXPECT_TRUE(same_bits(in[i], plain[i])) << where << ": operand " << i << " was modified";
        }
        if (order == Order::plain || !in.empty()) {
          rows().add(op(), "forward", "reference", name, name_of(order));
        }
      }
    }
  }
}

TEST_P(Forward, Expanded) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    for (auto [dtype, name] : dtypes(call)) {
      const auto [dense, strided, any] =
          expanded(op(), operands(call, dtype, Order::plain), call.attrs, s % 2);
      if (!any) continue;
      std::string where = place(op(), s, std::string("expanded ") + name);
      SCOPED_TRACE(where);
      check(apply(op(), strided, call.attrs),
            values_of_all(apply(op(), widened(dense), call.attrs)), where);
      rows().add(op(), "forward", "reference", name, "expanded");
    }
  }
}

TEST_P(Forward, Aliased) {
  for (size_t s = 0; s < calls().size(); ++s) {
    size_t first, second;
    if (!find_alias(calls()[s], first, second)) continue;
    for (DType dtype : kFloats) {
      Tensors in = operands(calls()[s], dtype, Order::plain), apart = in;
      in[second] = in[first];
      apart[second] = lay_out(in[first], dtype, Order::plain);
      std::string where = place(op(), s, std::string("aliased ") + name_of(dtype));
      SCOPED_TRACE(where);
      check(apply(op(), in, calls()[s].attrs),
            values_of_all(apply(op(), widened(apart), calls()[s].attrs)), where);
      rows().add(op(), "forward", "reference", name_of(dtype), "aliased");
    }
  }
}

TEST_P(Forward, IntegersWhereTheOpTakesThem) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (!has_floats(call)) continue;
    for (DType dtype : integer_dtypes()) {
      Call whole{whole_numbers(call, dtype), call.attrs}, wide{{}, call.attrs};
      for (size_t i = 0; i < whole.in.size(); ++i) {
        wide.in.push_back(is_varied(call.in[i]) ? lay_out(whole.in[i], DType::f64, Order::plain)
                                                : whole.in[i]);
      }
      std::string where = place(op(), s, name_of(dtype));
      SCOPED_TRACE(where);
      Tensors results;
      try {
        results = apply(op(), whole.in, call.attrs);
      } catch (const Error& e) {
        EXPECT_EQ(e.code, Code::dtype) << where << ": " << e.what();
        continue;
      }
      check(results, values_of_all(apply(op(), wide.in, call.attrs)), where);
      rows().add(op(), "forward", "reference", name_of(dtype), "plain");
    }
  }
}

// Multiples of 2^61, most of them above the largest i64, and results that f64 holds exactly.
TEST_P(Forward, LargeUnsignedIntegers) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (!has_floats(call)) continue;
    Call whole{call.in, call.attrs}, wide{call.in, call.attrs};
    for (size_t i = 0; i < call.in.size(); ++i) {
      if (!is_varied(call.in[i])) continue;
      Values v = values_of(call.in[i]);
      for (double& x : v) x = 0x1p61 * std::fabs(std::round(2 * x));
      whole.in[i] = lay_out(v, call.in[i].shape(), DType::u64);
      wide.in[i] = lay_out(whole.in[i], DType::f64, Order::plain);
    }
    std::string where = place(op(), s, "u64");
    SCOPED_TRACE(where);
    Tensors results;
    try {
      results = apply(op(), whole.in, call.attrs);
    } catch (const Error&) {  // IntegersWhereTheOpTakesThem tells which; others do not divide by 0
      continue;
    }
    const std::vector<Values> reference = values_of_all(apply(op(), wide.in, call.attrs));
    const bool is_exact =
        std::ranges::none_of(results, is_floating, &Tensor::dtype) &&
        std::ranges::all_of(reference, [](const Values& values) {
          return std::ranges::all_of(values, [](double x) { return std::fabs(x) < 0x1p113; });
        });
    if (!is_exact) continue;
    check(results, reference, where);
    rows().add(op(), "forward", "reference", "u64", "large");
  }
}

TEST_P(Forward, EveryNumberOfThreadsGivesTheSameBits) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    auto at_work = [&](const Call& c, const char* layout, Order order) {
      Tensors in = operands(c, DType::f32, order), one;
      {
        Threads threads(1);
        one = apply(op(), in, c.attrs);
      }
      for (int n : thread_counts()) {
        Threads threads(n);
        Tensors many = apply(op(), in, c.attrs);
        for (size_t k = 0; k < one.size(); ++k) {
          EXPECT_TRUE(same_bits(one[k], many[k]))
              << place(op(), s, layout) << " differs on " << n << " threads";
        }
      }
      rows().add(op(), "forward", "threads", has_floats(c) ? "f32" : "own", layout);
      return one;
    };
    at_work(call, "plain", Order::plain);
    if (s >= kEnlarged) continue;
    for (const Call& big : enlarged(op(), call, large())) {
      for (Order order : {Order::plain, Order::transposed}) {
        std::string where = place(op(), s, std::string("large ") + name_of(order) + " f32");
        SCOPED_TRACE(where);
        Tensors in = operands(big, DType::f32, order);
        check(at_work(big, "large", order), values_of_all(apply(op(), widened(in), big.attrs)),
              where, growth());
      }
    }
  }
}

TEST_P(Forward, RecordingChangesNothing) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    for (DType dtype : {DType::f64, DType::f32}) {
      std::string where = place(op(), s, std::string("recorded ") + name_of(dtype));
      SCOPED_TRACE(where);
      Tensors in = operands(call, dtype, Order::plain);
      Tensors plain = apply(op(), in, call.attrs);
      if (op().kernels[Device::cpu]) {  // for a composition the number may depend on the call
        EXPECT_EQ(plain.size(), static_cast<size_t>(op().visible)) << where;
      }
      bool recorded_call = false;
      for (size_t i = 0; i < in.size(); ++i) {
        if (!is_varied(in[i])) continue;
        in[i].set_requires_grad();
        recorded_call |= op().differentiable() && argument(op(), i).differentiable;
      }
      Tensors recorded = apply(op(), in, call.attrs);
      ASSERT_EQ(recorded.size(), plain.size()) << where;
      for (size_t k = 0; k < plain.size(); ++k) {
        EXPECT_FALSE(plain[k].tracked()) << where;
        EXPECT_EQ(recorded[k].tracked(), recorded_call && is_floating(recorded[k].dtype()))
            << where;
        EXPECT_TRUE(same_bits(plain[k], recorded[k])) << where;
      }
      NoGrad guard;
      for (const Tensor& t : apply(op(), in, call.attrs)) EXPECT_FALSE(t.tracked()) << where;
      rows().add(op(), "forward", "recorded", has_floats(call) ? name_of(dtype) : "own", "plain");
    }
  }
}

GYRE_FOR_EVERY_OP(Forward);

}  // namespace
}  // namespace gyre::conformance
