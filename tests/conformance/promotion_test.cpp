#include <algorithm>
#include <string_view>

#include "gyre/op/number.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "tests/conformance/op_test.h"
#include "tests/thrown.h"

// Operands of several dtypes, and numbers beside tensors: every op computes in the promoted dtype,
// gives numbers the dtype of the tensors and keeps every digit of an integer.

namespace gyre::conformance {
namespace {

// Ops that take a number for an f64 tensor, or refuse it for its dtype.
constexpr std::string_view kTakeNumbersAsF64[] = {"as_strided_scatter",
                                                  "index_put",
                                                  "klein_gyration",
                                                  "klein_layer_backward",
                                                  "klein_pointwise",
                                                  "klein_project",
                                                  "klein_transport",
                                                  "linear_recurrence",
                                                  "lorentz_gyration",
                                                  "lorentz_layer_backward",
                                                  "lorentz_pointwise",
                                                  "lorentz_scores",
                                                  "poincare_ball_layer_backward",
                                                  "poincare_from_planes",
                                                  "poincare_pointwise",
                                                  "poincare_project",
                                                  "poincare_scores",
                                                  "scaled_dot_product_attention",
                                                  "scatter",
                                                  "scatter_add",
                                                  "scatter_reduce",
                                                  "stack"};

class Promoted : public OpTest {
 protected:
  // The visible results, or none if the call is refused.
  Tensors results(const Tensors& in, const Attrs& attrs) const {
    try {
      Tensors out = apply(op(), in, attrs);
      if (op().visible > 0 && out.size() > static_cast<size_t>(op().visible))
        out.resize(static_cast<size_t>(op().visible));
      return out;
    } catch (const Error&) {
      return {};
    }
  }
  void expect_same(const Tensors& got, const Tensors& wanted, const std::string& where) const {
    ASSERT_EQ(got.size(), wanted.size()) << where;
    for (size_t k = 0; k < got.size(); ++k) {
      EXPECT_STREQ(name_of(got[k].dtype()), name_of(wanted[k].dtype())) << where;
      EXPECT_TRUE(same_bits(got[k], wanted[k])) << where;
    }
  }
};

TEST_P(Promoted, MixedFloatsAreComputedInTheWiderDtype) {
  NoGrad off;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    for (size_t i = 0; i < call.in.size() && call.in.size() > 1; ++i) {
      if (!is_varied(call.in[i])) continue;
      Tensors mixed = operands(call, DType::f64, Order::plain), wide = mixed;
      mixed[i] = to(mixed[i], DType::f32);
      wide[i] = to(mixed[i], DType::f64);
      const Tensors got = results(mixed, call.attrs);
      if (got.empty() || got[0].dtype() != DType::f64) continue;
      const Tensors wanted = results(wide, call.attrs);
      ASSERT_EQ(got.size(), wanted.size());
      for (size_t k = 0; k < got.size(); ++k) {
        if (got[k].dtype() != DType::f64 || got[k].numel() == 0) continue;
        // a step in f32 would err by 2^-24
        const Tensor error = abs(got[k] - wanted[k]), size = abs(wanted[k]) + 1.0;
        for (double e : to_vector<double>(error / size))
          EXPECT_TRUE(!(e > 0x1p-36)) << place(op(), s, "mixed operand " + std::to_string(i));
      }
    }
  }
}

TEST_P(Promoted, NumbersTakeTheDtypeOfTensors) {
  NoGrad off;
  if (std::ranges::find(kTakeNumbersAsF64, op().name) != std::end(kTakeNumbersAsF64)) return;
  for (size_t s = 0; s < calls().size(); ++s) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
      for (size_t i = 0; i < calls()[s].in.size() && calls()[s].in.size() > 1; ++i) {
        if (!is_varied(calls()[s].in[i])) continue;
        Tensors in = operands(calls()[s], dtype, Order::plain);
        bool others = false;
        for (size_t j = 0; j < in.size(); ++j)
          others |= j != i && in[j].defined() && in[j].dtype() == dtype;
        if (!others) continue;
        in[i] = to(Tensor(0.5), dtype);
        const Tensors wanted = results(in, calls()[s].attrs);
        if (wanted.empty()) continue;
        in[i] = Tensor(0.5);
        expect_same(results(in, calls()[s].attrs), wanted,
                    place(op(), s, "number as operand " + std::to_string(i)));
      }
    }
  }
}

TEST_P(Promoted, IntegersKeepEveryDigit) {
  NoGrad off;
  constexpr int64_t kLong = (int64_t{1} << 53) + 1;
  for (size_t s = 0; s < calls().size(); ++s) {
    for (size_t i = 0; i < calls()[s].in.size() && calls()[s].in.size() > 1; ++i) {
      if (!is_varied(calls()[s].in[i])) continue;
      Tensors in = whole_numbers(calls()[s], DType::i64);
      in[i] = to(Tensor(kLong), DType::i64);
      const Tensors wanted = results(in, calls()[s].attrs);
      if (wanted.empty()) continue;
      in[i] = Tensor(kLong);
      expect_same(results(in, calls()[s].attrs), wanted,
                  place(op(), s, "integer as operand " + std::to_string(i)));
    }
  }
}

// Attributes that are numbers of the dtype of the operands (Number).
TEST_P(Promoted, AttributesOfTheDtypeAreExactOrRefused) {
  NoGrad off;
  if (!op().attrs) return;
  for (const Field& field : op().attrs->fields) {
    if (!(field.tags & kExact)) continue;
    bool found = false;
    for (size_t s = 0; s < calls().size(); ++s) {
      if (!is_varied(calls()[s].in[0])) continue;
      const auto with = [&](Number value, DType dtype) {
        Ref<OpenAttrs> attrs = copy_of(*calls()[s].attrs);
        field_value<Number>(attrs->memory, field) = value;
        return apply_one(op(), whole_numbers(calls()[s], dtype), Attrs(attrs));
      };
      constexpr int64_t kLong = (int64_t{1} << 53) + 1;
      const Tensor zero = with(0, DType::i64), exact = with(kLong, DType::i64);
      for (int64_t n : to_vector<int64_t>(exact - zero)) {
        EXPECT_NE(n, kLong - 1) << place(op(), s, field.name);  // of a double
        found |= n == kLong;
      }
      if (same_bits(exact, zero)) continue;  // this call does not use it
      const auto refused = [&](Number value, DType dtype) {
        EXPECT_STREQ(code_name(code_of([&] { (void)with(value, dtype); })), "value")
            << place(op(), s, field.name);
      };
      refused(256, DType::u8);
      refused(-1, DType::u8);
      refused(int64_t{1} << 40, DType::i32);
      refused(0x1p63, DType::i64);
      refused(__builtin_nan(""), DType::i64);
      EXPECT_NO_THROW((void)with(255.9, DType::u8));
    }
    EXPECT_TRUE(found) << op().name << "." << field.name;
  }
}

GYRE_FOR_EVERY_OP(Promoted);

}  // namespace
}  // namespace gyre::conformance
