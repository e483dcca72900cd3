// Variance, standard deviation and norms: merge the axes into one, then a row op.
#include "gyre/op/apply.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/reduce/bodies.h"
#include "gyre/ops/reduce/define_reduction.h"

namespace gyre {

GYRE_FIELDS(MomentRowsAttrs, GYRE_FIELD(axis, "axis; negative: from the end"),
            GYRE_FIELD(correction, "degrees of freedom: divide by count - correction"));
GYRE_FIELDS(NormRowsAttrs, GYRE_FIELD(axis, "axis; negative: from the end"));

#define GYRE_OPS "gyre/ops/reduce/reduce.def"
#include "gyre/kernel/declare_ops.def"

namespace {

// A row op of [..., n] over the joined axes.
Tensor by_joined_rows(const OpDef& op, const ReduceAttrs& a, const Tensor& x, const OpDef& rows,
                      const Attrs& row_attrs) {
  JoinedAxes joined(op, a.axes, x.shape());
  Tensor y = apply_one(rows, {joined.join(x)}, row_attrs);
  return a.keepdim ? reshape(y, reduced_shape(op, a, x.shape())) : y;
}

// ---- var and std ----

template <const OpDef* op, const OpDef* rows>
Tensors moment_by_rows(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<MomentAttrs>(attrs);
  const Tensor& x = in[0];
  ReduceAttrs over{a.axes, a.keepdim};
  // mean and variance of an empty reduction are NaN
  if (x.numel() == 0) return {mean(x, over)};
  return {by_joined_rows(*op, over, x, *rows, box(MomentRowsAttrs{-1, a.correction}))};
}

void moment_samples(Samples& s) {
  s.add({s.uniform({3, 5})});
  s.add({s.uniform({2, 3, 4})}, box(MomentAttrs{{1}, false, 1}));
  s.add({s.uniform({4, 3, 2})}, box(MomentAttrs{{0, -1}, true, 0}));
  s.add({s.uniform({7, 40})}, box(MomentAttrs{{1}, true, 0.5}));
  s.add({s.uniform({3, 0})}, box(MomentAttrs{{0}, false, 1}));
  s.extreme({s.values({2, 2, 2})});
  s.extreme({s.uniform({50}, 1e4, 1e4 + 1)});
  s.refuse(Code::index, {s.uniform({2, 3})}, box(MomentAttrs{{2}, false, 1}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(MomentAttrs{{1, -1}, false, 1}));
}

void moment_rows_samples(Samples& s) {
  s.add({s.uniform({3, 5})});
  s.add({s.uniform({4, 3, 2})}, box(MomentRowsAttrs{0, 0}));
  s.add({s.uniform({2, 70}, 9, 10)}, box(MomentRowsAttrs{1, 1}));
  s.add({s.uniform({2, 9, 40})}, box(MomentRowsAttrs{1, 2.5}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(MomentRowsAttrs{2, 1}));
  s.refuse(Code::value, {s.uniform({2, 0})});
}

constexpr OpDef define_moment(const char* name, const char* doc,
                              Tensors (*compose)(const OpDef&, const void*, Inputs)) {
  return {.name = name,
          .doc = doc,
          .attrs = &record_of<MomentAttrs>,
          .compose = compose,
          .samples = moment_samples};
}

template <class Body>
constexpr OpDef define_moment_rows(const char* name, const char* doc,
                                   const PerIsa<RowwiseTiles>& tiles) {
  return define_rowwise<Body>(name, doc, kOneArg, tiles, moment_rows_samples);
}

// ---- norm ----

// (sum |x|^p)^(1/p) with |x| by the one that matters most, the largest or (p < 0) the smallest:
// powers neither overflow nor vanish. Where a power or the sum is 0 or infinite the gradient is 0.
Tensor power_norm(const Tensor& x, const ReduceAttrs& a, double p) {
  ReduceAttrs keep{a.axes, true};
  Tensor size = abs(x);
  Tensor m = p > 0 ? max(size.detach(), keep) : min(size.detach(), keep);
  Tensor scale = where(eq(m + m, m), 1.0, m);  // 0 and infinity (m + m == m) are not used as scale
  Tensor t = size / scale;
  Tensor none = eq(t, 0.0);
  Tensor powers = where(none, p > 0 ? 0.0 : __builtin_inf(), pow(where(none, 1.0, t), p));
  Tensor s = sum(powers, a);
  Tensor flat = eq(s + s, s);
  Tensor root = where(flat, pow(s.detach(), 1 / p), pow(where(flat, 1.0, s), 1 / p));
  return root * reshape(scale, s.shape());
}

Tensors norm_by_rows(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<PNormAttrs>(attrs);
  ReduceAttrs over{a.axes, a.keepdim};
  Tensor x = is_floating(in[0].dtype()) ? in[0] : to(in[0], DType::f32);
  if (a.p != a.p) refuse(Code::value, norm_def, "p must not be NaN", "a number", "nan");
  if (a.p == __builtin_inf()) return {max(abs(x), over)};
  if (a.p == -__builtin_inf()) return {min(abs(x), over)};
  if (a.p == 0) return {sum(where(eq(x, 0.0), x * 0.0, 1.0), over)};
  if (a.p == 1 || (x.numel() == 0 && a.p > 0)) return {sum(abs(x), over)};
  if (a.p == 2) return {by_joined_rows(norm_def, over, x, norm_rows_def, box(NormRowsAttrs{}))};
  return {power_norm(x, over, a.p)};
}

void norm_samples(Samples& s) {
  double inf = __builtin_inf();
  s.add({s.uniform({3, 5})});
  s.add({s.uniform({2, 3, 4})}, box(PNormAttrs{{1}, false, 2}));
  s.add({s.uniform({4, 3, 2})}, box(PNormAttrs{{0, -1}, true, 2}));
  s.add({s.uniform({})});
  s.add({s.uniform({3, 0})}, box(PNormAttrs{{1}, true, 2}));
  for (double p : {0.0, 1.0, 1.5, 3.0, -2.0, inf, -inf}) {
    s.add({s.uniform({3, 5}, 0.2, 1)}, box(PNormAttrs{{0}, false, p}));
    s.add({s.uniform({4, 3, 2}, -1, -0.2)}, box(PNormAttrs{{0, -1}, true, p}));
    s.extreme({s.values({0, 0, 0})}, box(PNormAttrs{{}, false, p}));
    s.extreme({s.values({0, 2, -1})}, box(PNormAttrs{{}, false, p}));
  }
  s.extreme({s.values({1e30, -1e30, 3e29})});
  s.extreme({s.values({1e-30, -1e-30, 3e-31})});
  s.extreme({s.values({1e30, -1e30, 3e29})}, box(PNormAttrs{{}, false, 3}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(PNormAttrs{{2}, false, 2}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(PNormAttrs{{1, -1}, false, 2}));
  s.refuse(Code::value, {s.uniform({2})}, box(PNormAttrs{{}, false, __builtin_nan("")}));
  s.refuse(Code::value, {s.uniform({0})}, box(PNormAttrs{{}, false, -1}));
}

void norm_rows_samples(Samples& s) {
  s.add({s.uniform({3, 5})});
  s.add({s.uniform({4, 3, 2})}, box(NormRowsAttrs{0}));
  s.add({s.uniform({2, 70}, 9, 10)}, box(NormRowsAttrs{1}));
  s.add({s.uniform({2, 9, 40})}, box(NormRowsAttrs{1}));
  s.extreme({s.values({0, 0})});
  s.refuse(Code::index, {s.uniform({2, 3})}, box(NormRowsAttrs{2}));
  s.refuse(Code::value, {s.uniform({2, 0})});
}

}  // namespace

constinit const OpDef var_rows_def =
    define_moment_rows<VarRows>("var_rows", "variance along one axis", GYRE_TILES_OF(var_rows));
constinit const OpDef std_rows_def = define_moment_rows<StdRows>(
    "std_rows", "standard deviation along one axis", GYRE_TILES_OF(std_rows));
constinit const OpDef var_def =
    define_moment("var", "variance over axes", moment_by_rows<&var_def, &var_rows_def>);
constinit const OpDef std_def =
    define_moment("std", "standard deviation over axes", moment_by_rows<&std_def, &std_rows_def>);

GYRE_FUNCTION_1(var, MomentAttrs)
GYRE_FUNCTION_1(std, MomentAttrs)

constinit const OpDef norm_rows_def =
    define_rowwise<NormRows>("norm_rows", "Euclidean norm along one axis", kOneArg,
                             GYRE_TILES_OF(norm_rows), norm_rows_samples);
constinit const OpDef norm_def{.name = "norm",
                               .doc = "p-norm over axes: (sum |x|^p)^(1/p)",
                               .attrs = &record_of<PNormAttrs>,
                               .compose = norm_by_rows,
                               .samples = norm_samples};
GYRE_FUNCTION_1(norm, PNormAttrs)

}  // namespace gyre
