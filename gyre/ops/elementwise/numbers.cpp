#include "gyre/ops/elementwise/numbers.h"

#include <algorithm>
#include <cmath>

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre {

extern const OpDef isclose_def, nan_to_num_def;

namespace {

Tensors isclose_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<IscloseAttrs>(attrs);
  if (!(a.rtol >= 0 && a.atol >= 0)) {
    throw mismatch(Code::value, op.name,
                   {"expected tolerances of at least 0, got rtol ", a.rtol, " and atol ", a.atol},
                   ">= 0", a.rtol >= 0 ? a.atol : a.rtol);
  }
  const auto numbers = [](const Tensor& t) {
    return t.dtype() == DType::boolean ? mul(t, Tensor(int64_t{1})) : t;
  };
  const Tensor x = numbers(in[0]), y = numbers(in[1]);
  const Tensor bound = add(mul(abs(y), Tensor(a.rtol)), Tensor(a.atol));
  const Tensor apart = sub(maximum(x, y), minimum(x, y));  // unsigned integers have no negatives
  const Tensor near = logical_and(isfinite(y), le(apart, bound));
  Tensor close = logical_or(eq(x, y), near);
  if (a.equal_nan) close = logical_or(close, logical_and(isnan(x), isnan(y)));
  return {close};
}

void isclose_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.uniform({4})}, box(IscloseAttrs{0.5, 0.1}));
  s.add({s.values({1, 2, 3}), s.values({1, 2.00001, 3.1})});
  s.add({s.integers({5}, 0, 3), s.integers({5}, 0, 3)});
  s.add({s.uniform({0}), s.uniform({})});
  s.extreme({s.values({NAN, INFINITY, -INFINITY, INFINITY, 1}),
             s.values({NAN, INFINITY, INFINITY, 1, INFINITY})},
            box(IscloseAttrs{1e-5, 1e-8, true}));
  s.refuse(Code::value, {s.uniform({2}), s.uniform({2})}, box(IscloseAttrs{-1, 0}));
  s.refuse(Code::value, {s.uniform({2}), s.uniform({2})}, box(IscloseAttrs{0, -1}));
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({3})});
}

double largest(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 65504;
    case DType::bf16:
      return 0x1.fep127;
    case DType::f32:
      return __FLT_MAX__;
    default:
      return __DBL_MAX__;
  }
}

Tensors nan_to_num_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<NanToNumAttrs>(attrs);
  if (std::isnan(a.posinf) || std::isnan(a.neginf)) {
    throw mismatch(Code::value, op.name, "expected a number for infinities, got NaN", "a number",
                   "NaN");
  }
  const Tensor& x = in[0];
  if (!is_floating(x.dtype())) return {x};
  const double most = largest(x.dtype());
  const double high = std::min(a.posinf, most), low = std::max(a.neginf, -most);
  const Tensor finite =
      where(eq(x, Tensor(-INFINITY)), Tensor(low), where(eq(x, Tensor(INFINITY)), Tensor(high), x));
  return {where(isnan(x), Tensor(a.nan), finite)};
}

void nan_to_num_samples(Samples& s) {
  s.add({s.uniform({3, 4})});
  s.add({s.uniform({0, 2})}, box(NanToNumAttrs{1, 2, -2}));
  s.add({s.uniform({})});
  s.extreme({s.values({NAN, INFINITY, -INFINITY, 1})});
  s.extreme({s.values({NAN, INFINITY, -INFINITY, 1})}, box(NanToNumAttrs{7, 8, -9}));
  s.refuse(Code::value, {s.uniform({2})}, box(NanToNumAttrs{0, NAN, -1}));
  s.refuse(Code::value, {s.uniform({2})}, box(NanToNumAttrs{0, 1, NAN}));
}

}  // namespace

constinit const OpDef isclose_def{.name = "isclose",
                                  .doc = "whether x and y are equal within tolerances",
                                  .args = kTwoArgs,
                                  .attrs = &record_of<IscloseAttrs>,
                                  .compose = isclose_compose,
                                  .samples = isclose_samples,
                                  .is_discrete = true};
constinit const OpDef nan_to_num_def{.name = "nan_to_num",
                                     .doc = "replace NaN and infinities by numbers",
                                     .attrs = &record_of<NanToNumAttrs>,
                                     .compose = nan_to_num_compose,
                                     .samples = nan_to_num_samples};

GYRE_FUNCTION_2(isclose, IscloseAttrs)
GYRE_FUNCTION_1(nan_to_num, NanToNumAttrs)

}  // namespace gyre
