#include "gyre/ops/attention/cached_attention.h"

#include <cmath>

#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/attention/cached_attention_kernels.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kCachedAttentionArgs[] = {{"q"},
                                        {"keys"},
                                        {"values"},
                                        {.name = "lengths", .differentiable = false},
                                        {.name = "key_scales", .optional = true},
                                        {.name = "value_scales", .optional = true}};

void check_cache_dtypes(const OpDef& op, Inputs in) {
  const DType stored = in[1].dtype();
  if (in[2].dtype() != stored || !(is_floating(stored) || stored == DType::i8)) {
    refuse(Code::dtype, op, {"keys and values must be of one floating dtype, or i8, got ", stored},
           stored, in[2].dtype());
  }
  if (in[0].dtype() != cached_working_dtype(stored)) {
    refuse(Code::dtype, op, "q must be of the dtype of the computation",
           cached_working_dtype(stored), in[0].dtype());
  }
  for (size_t i : {4, 5}) {
    const bool given = in.size() > i && in[i].defined();
    if (given != (stored == DType::i8) || (given && in[i].dtype() != DType::f32)) {
      refuse(Code::dtype, op, "keys and values of i8, and no others, have scales of f32",
             stored == DType::i8 ? "f32" : "none", given ? name_of(in[i].dtype()) : "none");
    }
  }
}

void check_cache_shapes(const OpDef& op, Inputs in) {
  const Shape &q = in[0].shape(), &k = in[1].shape(), &v = in[2].shape();
  bool fits = q.rank == 4 && k.rank == 4 && v.rank == 4;
  fits = fits && q[0] == k[0] && q[3] == k[3] && k[1] > 0 && q[1] % k[1] == 0 && k[2] > 0;
  fits = fits && v == Shape{k[0], k[1], k[2], v[3]} && in[3].shape() == Shape{q[0]};
  for (size_t i : {1, 2}) fits = fits && in[i].impl()->strides[3] == 1;
  for (size_t i : {4, 5}) {
    if (in.size() > i && in[i].defined()) fits = fits && in[i].shape() == Shape{k[0], k[1], k[2]};
  }
  if (!fits) {
    refuse(Code::shape, op,
           {"expected q [rows, n heads, queries, width], keys [rows, heads, capacity, width] and "
            "values [rows, heads, capacity, out] with adjacent elements, lengths [rows], scales "
            "[rows, heads, capacity]; got ",
            q, ", ", k, ", ", v},
           "[rows, heads, capacity, width]", k);
  }
  if (q[3] <= kMostCachedWidth && v[3] <= kMostCachedWidth) return;
  refuse(Code::unsupported, op, {"heads are wider than ", kMostCachedWidth}, kMostCachedWidth,
         std::max(q[3], v[3]));
}

void cached_attention_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<CachedAttentionAttrs>(attrs);
  check_record(op.name, a);
  check_index_dtype(op, in[3]);
  check_cache_dtypes(op, in);
  check_cache_shapes(op, in);
  const int64_t capacity = in[1].size(2), queries = in[0].size(2);
  if (a.ring && (a.window == 0 || a.window - 1 > capacity - queries)) {
    refuse(Code::value, op,
           {"a ring of ", capacity, " tokens does not hold a window of ", a.window, " for ",
            queries, " queries"},
           a.window == 0 ? "a window" : std::to_string(capacity - queries + 1), a.window);
  }
  out[0].shape = in[0].shape();
  out[0].shape.dims[3] = in[2].size(3);
  out[0].dtype = in[0].dtype();
}

constinit const OpDef cached_attention_def{
    .name = "cached_attention",
    .doc = "causal attention of the last tokens of each row to a key-value cache",
    .args = kCachedAttentionArgs,
    .attrs = &record_of<CachedAttentionAttrs>,
    .infer = cached_attention_infer,
    .kernels = on_every_device(cached_attention_kernel),
    .scratch = cached_attention_scratch,
    .is_discrete = true};

}  // namespace

Tensor cached_attention(const Tensor& q, const CachedTokens& keys, const CachedTokens& values,
                        const Tensor& lengths, const CachedAttentionAttrs& attrs) {
  const Tensor from = contiguous(to(q, cached_working_dtype(keys.values.dtype())));
  const Tensor in[] = {from, keys.values, values.values, lengths, keys.scales, values.scales};
  return to(apply_one(cached_attention_def, in, box(attrs)), q.dtype());
}

}  // namespace gyre
