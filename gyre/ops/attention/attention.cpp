#include "gyre/ops/attention/attention.h"

#include <bit>

#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/attention/attention_kernels.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/random/random.h"

namespace gyre {
namespace {

constexpr Arg kAttentionArgs[] = {{"q"},
                                  {"k"},
                                  {"v"},
                                  {.name = "mask", .optional = true},
                                  {.name = "lengths", .optional = true, .differentiable = false}};
constexpr const char* kAttentionOut[] = {"out", "top", "sum"};

// Batch axes of keys equal those of queries except the last, the heads: several query heads may
// share one key head.
bool fits_batch(const Shape& q, const Shape& k) {
  if (q.rank != k.rank) return false;
  for (int i = 0; i + 3 < q.rank; ++i) {
    if (q[i] != k[i]) return false;
  }
  if (q.rank < 3 || q.back(2) == k.back(2)) return true;
  return k.back(2) > 0 && q.back(2) % k.back(2) == 0;
}

// "[2, 3, keys, 8]": the batch of q and two more axes.
std::string in_batch(const Shape& q, const std::string& rows, const std::string& columns) {
  std::string text = "[";
  for (int i = 0; i + 2 < q.rank; ++i) text += std::to_string(q[i]) + ", ";
  return text + rows + ", " + columns + "]";
}

void check_mask(const OpDef& op, const Shape& q, const Shape& k, const Tensor& mask, DType d) {
  Shape scores = q;
  scores.dims[q.rank - 1] = k.back(1);
  if (mask.rank() > scores.rank || !(broadcast(mask.shape(), scores, op.name) == scores)) {
    refuse(Code::shape, op,
           {"the mask must broadcast to the scores ", scores, ", got ", mask.shape()}, scores,
           mask.shape());
  }
  if (mask.dtype() != DType::boolean && mask.dtype() != d) {
    throw mismatch(Code::dtype, op.name, "the mask must be boolean or of the dtype of q", d,
                   mask.dtype());
  }
}

void check_lengths(const OpDef& op, const Shape& q, const Tensor& lengths) {
  check_index_dtype(op, lengths);
  const Shape wanted = sequences_of(q);
  if (lengths.rank() <= wanted.rank && broadcast(lengths.shape(), wanted, op.name) == wanted) {
    return;
  }
  refuse(Code::shape, op,
         {"lengths must broadcast to the batch axes ", wanted, ", got ", lengths.shape()}, wanted,
         lengths.shape());
}

bool has(Inputs in, size_t i) { return in.size() > i && in[i].defined(); }

void attention_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_record(op.name, attrs_as<AttentionAttrs>(attrs));
  const Shape &q = in[0].shape(), &k = in[1].shape(), &v = in[2].shape();
  auto misfit = [&](const std::string& expected, const Shape& actual) {
    refuse(Code::shape, op,
           {"expected q [..., queries, width], k [..., keys, width], v [..., keys, out], got ", q,
            ", ", k, ", ", v},
           expected, actual);
  };
  if (q.rank < 2) misfit("[..., queries, width]", q);
  if (!fits_batch(q, k) || k.back() != q.back()) {
    misfit(in_batch(q, "keys", std::to_string(q.back())), k);
  }
  if (!fits_batch(q, v) || v.back(1) != k.back(1) || (q.rank > 2 && v.back(2) != k.back(2))) {
    misfit(in_batch(k, std::to_string(k.back(1)), "out"), v);
  }
  DType d = in[0].dtype();
  for (const Tensor& t : in.first(3)) {
    if (t.dtype() == d && is_floating(d)) continue;
    refuse(Code::dtype, op, "q, k and v must have the same floating dtype",
           is_floating(d) ? name_of(d) : "a floating dtype", t.dtype());
  }
  if (has(in, 3)) check_mask(op, q, k, in[3], d);
  if (has(in, 4)) check_lengths(op, q, in[4]);
  out[0].shape = q;
  out[0].shape.dims[q.rank - 1] = v.back();
  out[0].dtype = d;
  for (int i : {1, 2}) {
    out[static_cast<size_t>(i)].shape = q;
    out[static_cast<size_t>(i)].shape.rank = q.rank - 1;
    out[static_cast<size_t>(i)].dtype = working_dtype(d);
  }
}

uint64_t words(const void* attrs, Inputs in, Inputs) {
  if (attrs_as<AttentionAttrs>(attrs).dropout == 0) return 0;
  Shape batch = in[0].shape();
  --batch.rank;
  return static_cast<uint64_t>(numel(batch) * in[1].size(-2));
}

// A mask and lengths broadcast from their last axes, so batch axes of their own cannot be aligned.
// Dropout would draw different numbers than for a single slice.
Tensors batched(const BatchedCall& call) {
  bool drops = attrs_as<AttentionAttrs>(call.attrs->value).dropout > 0;
  return has(call.in, 3) || has(call.in, 4) || drops ? Tensors() : batch_leading(call);
}

void attention_samples(Samples& s) {
  const Tensor none;
  AttentionAttrs causal{.causal = true}, scaled{.scale = 0.3}, window{.causal = true, .window = 3},
      around{.window = 2}, dropping{.dropout = 0.3, .seed = 5, .offset = 2};
  AttentionAttrs all{.causal = true, .softcap = 2, .window = 90, .dropout = 0.2, .seed = 5};
  s.add({s.uniform({2, 3, 4}), s.uniform({2, 5, 4}), s.uniform({2, 5, 3})});
  s.add({s.uniform({2, 2, 5, 4}), s.uniform({2, 2, 5, 4}), s.uniform({2, 2, 5, 4})}, box(causal));
  s.add({s.uniform({3, 4}), s.uniform({5, 4}), s.uniform({5, 4})}, box(scaled));
  s.add({s.uniform({3, 4}), s.uniform({7, 4}), s.uniform({7, 4}), none, s.integers({}, 6, 7)},
        box(causal));
  s.add({s.uniform({70, 3}), s.uniform({140, 3}), s.uniform({140, 2})}, box(scaled));
  s.add({s.uniform({2, 5, 4}), s.uniform({2, 7, 4}), s.uniform({2, 7, 3}), s.mask({5, 7})},
        box(AttentionAttrs{.softcap = 0.4}));
  s.add({s.uniform({2, 4, 3, 4}), s.uniform({2, 2, 5, 4}), s.uniform({2, 2, 5, 3}),
         s.uniform({2, 1, 3, 5}), s.indices({5, 2})},
        box(AttentionAttrs{.causal = true, .softcap = 1}));
  s.add({s.uniform({3, 2, 2, 4}), s.uniform({3, 2, 6, 4}), s.uniform({3, 2, 6, 4}), none,
         s.indices({6, 0, 3})});
  s.add({s.uniform({6, 4}), s.uniform({8, 4}), s.uniform({8, 4}), none, s.integers({}, 8, 9)},
        box(window));
  s.add({s.uniform({6, 4}), s.uniform({6, 4}), s.uniform({6, 4}), s.uniform({1})}, box(around));
  s.add({s.uniform({2, 1, 1, 4}), s.uniform({2, 1, 8, 4}), s.uniform({2, 1, 8, 4}), none,
         s.indices({7})},
        box(AttentionAttrs{.softcap = 0.5, .window = 16}));
  s.add({s.uniform({4, 4}), s.uniform({4, 4}), s.uniform({4, 4}), none, s.integers({}, 2, 3)},
        box(AttentionAttrs{.window = 90}));
  s.add({s.uniform({2, 3, 4}), s.uniform({1, 5, 4}), s.uniform({1, 5, 2})}, box(dropping));
  s.add({s.uniform({2, 70, 3}), s.uniform({2, 140, 3}), s.uniform({2, 140, 2}), s.mask({70, 1})},
        box(all));
  s.add({s.uniform({3, 4}), s.uniform({5, 4}), s.uniform({5, 4})},
        box(AttentionAttrs{.dropout = 1}));
  s.extreme({s.uniform({3, 2}, 90, 100), s.uniform({3, 2}, -100, 100), s.uniform({3, 2})},
            box(causal));
  s.extreme({s.uniform({3, 2}, 90, 100), s.uniform({3, 2}, -100, 100), s.uniform({3, 2})},
            box(AttentionAttrs{.softcap = 50}));
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({2, 5, 3}), s.uniform({2, 5, 3})});
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({1, 5, 4}), s.uniform({2, 5, 3})});
  s.refuse(Code::shape, {s.uniform({4, 3, 4}), s.uniform({3, 5, 4}), s.uniform({3, 5, 3})});
  s.refuse(Code::shape, {s.uniform({3, 4}), s.uniform({5, 4}), s.uniform({5, 4}), s.mask({4, 5})});
  s.refuse(Code::dtype,
           {s.uniform({3, 4}), s.uniform({5, 4}), s.uniform({5, 4}), s.integers({3, 5}, 0, 1)});
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({2, 5, 4}), s.uniform({1, 5, 3})});
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({4}), s.uniform({4})});
  s.refuse(Code::value, {s.uniform({2, 4}), s.uniform({2, 4}), s.uniform({2, 4})},
           box(AttentionAttrs{.scale = -0.5}));
  s.refuse(Code::value, {s.uniform({2, 4}), s.uniform({2, 4}), s.uniform({2, 4})},
           box(AttentionAttrs{.softcap = -1}));
  const auto with_lengths = [&](const Tensor& lengths) {
    return Tensors{s.uniform({2, 1, 3, 4}), s.uniform({2, 1, 5, 4}), s.uniform({2, 1, 5, 4}), none,
                   lengths};
  };
  s.refuse(Code::index, with_lengths(s.indices({5, 6})), box(causal));
  s.refuse(Code::index, with_lengths(s.indices({-1})), box(causal));
  s.refuse(Code::dtype, with_lengths(s.uniform({2})), box(causal));
  s.refuse(Code::shape, with_lengths(s.indices({5, 5, 5})), box(causal));
  s.refuse(Code::value, {s.uniform({2, 4}), s.uniform({2, 4}), s.uniform({2, 4})},
           box(AttentionAttrs{.window = -1}));
  s.refuse(Code::value, {s.uniform({2, 4}), s.uniform({2, 4}), s.uniform({2, 4})},
           box(AttentionAttrs{.dropout = 1.5}));
}

}  // namespace

extern constinit const OpDef scaled_dot_product_attention_def{
    .name = "scaled_dot_product_attention",
    .doc =
        "attention softmax(scale q k^T) v of q, k, v [..., heads, length, width], computed "
        "blockwise; lengths: number of valid keys per sequence, of which the queries are the last",
    .args = kAttentionArgs,
    .outputs = kAttentionOut,
    .attrs = &record_of<AttentionAttrs>,
    .infer = attention_infer,
    .kernels = on_every_device(attention_kernel),
    .scratch = attention_scratch,
    .compose = attention_compose,
    .vjp_first = attention_vjp,
    .saves_in = 31,
    .saves_out = 7,
    .batch = batched,
    .words = words,
    .samples = attention_samples,
    .ulp = 16 /* f32 sums over 128 keys */};

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const Tensor& mask, const Tensor& lengths, AttentionAttrs attrs,
                                    Generator* generator) {
  const OpDef& op = scaled_dot_product_attention_def;
  Generator& g = generator ? *generator : default_generator();
  bool draws = attrs.dropout > 0;
  if (draws) {
    attrs.seed = std::bit_cast<int64_t>(g.seed);
    attrs.offset = std::bit_cast<int64_t>(g.offset);
  }
  Attrs boxed = box(attrs);
  const Tensor in[] = {q, k, v, mask, lengths};
  Tensor out = apply_one(op, in, boxed);
  if (draws) take_words(op, boxed, in, {&out, 1}, g);
  return out;
}

}  // namespace gyre
