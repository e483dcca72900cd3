#include "gyre/ops/attention/attention_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/attention/attention_tile.h"
#include "gyre/ops/attention/plans.h"
#include "gyre/ops/attention/strided_product.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/indices.h"

namespace gyre {

GYRE_DECLARE_TILES(AttentionTiles, attention)

namespace {

constexpr int64_t kQueries = 64, kKeys = 128;  // a block of scores fits the L2 cache

GYRE_TILES_FUNCTION_OF_T(const AttentionTile<T>&, tile, AttentionTiles, attention)

// One matrix of a batch: rows `row` apart, elements adjacent.
template <class T>
struct Rows {
  T* data;
  int64_t row;
  T* at(int64_t i) const { return data + i * row; }
};

// Caps and masks a block of scores; the scale that is left to do. `slopes`, if not null, gets the
// derivatives of the cap.
template <class T>
double hide(const AttentionCall& call, const ScorePlace<T>& block, double scale,
            T* slopes = nullptr) {
  if (call.softcap > 0) {
    tile<T>().cap({block.scores, block.rows, block.cols, block.stride, 0, static_cast<T>(scale)},
                  static_cast<T>(call.softcap), slopes);
    scale = 1;
  }
  if (!call.mask.any()) return scale;
  call.mask.apply(block, static_cast<T>(scale));
  return 1;
}

int64_t first_block(const AttentionCall& call, int64_t position) {
  return call.mask.first_key(position) / kKeys * kKeys;
}

template <class T>
void forward_block(const AttentionSizes& s, const AttentionCall& call, Rows<T> q, Rows<T> k,
                   Rows<T> v, T* out, T* top, T* sum, int64_t head, int64_t first) {
  int64_t m = std::min(kQueries, s.queries - first);
  alignas(64) T scores[kQueries * kKeys];
  for (int64_t r = 0; r < m; ++r) {
    top[r] = -std::numeric_limits<T>::infinity();
    sum[r] = 0;
  }
  std::fill(out, out + m * s.out, T(0));
  int64_t seen = s.keys_seen(first, m);
  for (int64_t j = first_block(call, s.position + first); j < seen; j += kKeys) {
    int64_t n = std::min(kKeys, seen - j);
    multiply_strided<T>(m, n, s.width, {q.at(first), q.row}, {k.at(j), 1, k.row}, scores, kKeys,
                        false);
    ScorePlace<T> block{scores, head, first, m, j, n, kKeys, s.position};
    double scale = hide(call, block, s.scale);
    tile<T>().forward({scores, m, n, kKeys, s.visible(first, j), static_cast<T>(scale)}, top, sum,
                      out, s.out, s.out);
    if (call.dropout.any()) call.dropout.apply(block);
    multiply_strided<T>(m, s.out, n, {scores, kKeys}, {v.at(j), v.row}, out, s.out, true);
  }
  tile<T>().finish(sum, out, s.out, m, s.out);
}

template <class T>
struct Gradients {
  T *q, *k, *v;  // of one matrix each; contiguous
  T* scores;     // [queries, keys] before the scale, if the mask's gradient is wanted
};

template <class T>
struct HeadOperands {
  Rows<T> q, k, v, out, g;
  const T *top, *sum;
};

// Adds a block of score gradients to the gradient of the mask.
template <class T>
void keep_slopes(const ScorePlace<T>& block, T* scores, int64_t keys) {
  for (int64_t r = 0; r < block.rows; ++r) {
    const T* from = block.scores + r * block.stride;
    std::copy(from, from + block.cols, scores + (block.query + r) * keys + block.key);
  }
}

// Adds the gradients of one query head; recomputes the blocks of scores.
template <class T>
void backward_head(const AttentionSizes& s, const AttentionCall& call, const HeadOperands<T>& h,
                   Gradients<T> d, int64_t head) {
  alignas(64) T scores[kQueries * kKeys], slope[kQueries * kKeys], dropped[kQueries * kKeys],
      capped[kQueries * kKeys], dot[kQueries];
  const AttentionTile<T>& t = tile<T>();
  for (int64_t i = 0; i < s.queries; i += kQueries) {
    int64_t m = std::min(kQueries, s.queries - i);
    t.row_dot(h.out.at(i), h.out.row, h.g.at(i), h.g.row, dot, m, s.out);
    int64_t seen = s.keys_seen(i, m);
    for (int64_t j = first_block(call, s.position + i); j < seen; j += kKeys) {
      int64_t n = std::min(kKeys, seen - j);
      multiply_strided<T>(m, n, s.width, {h.q.at(i), h.q.row}, {h.k.at(j), 1, h.k.row}, scores,
                          kKeys, false);
      ScorePlace<T> place{scores, head, i, m, j, n, kKeys, s.position};
      double scale = hide(call, place, s.scale, capped);
      ScoreBlock<T> block{scores, m, n, kKeys, s.visible(i, j), static_cast<T>(scale)};
      t.probabilities(block, h.top + i, h.sum + i);
      const T* weights = scores;
      if (call.dropout.any()) {
        std::copy(scores, scores + m * kKeys, dropped);
        place.scores = dropped;
        call.dropout.apply(place);
        weights = dropped;
      }
      multiply_strided<T>(n, s.out, m, {weights, 1, kKeys}, {h.g.at(i), h.g.row}, d.v + j * s.out,
                          s.out, true);
      multiply_strided<T>(m, n, s.out, {h.g.at(i), h.g.row}, {h.v.at(j), 1, h.v.row}, slope, kKeys,
                          false);
      place.scores = slope;
      if (call.dropout.any()) call.dropout.apply(place);
      block.scale = d.scores ? T(1) : static_cast<T>(s.scale);
      t.score_gradient(block, slope, dot);
      if (d.scores) {
        keep_slopes(place, d.scores, s.keys);
        for (int64_t e = 0; e < m * kKeys; ++e) slope[e] *= static_cast<T>(s.scale);
      }
      if (call.softcap > 0) {
        for (int64_t e = 0; e < m * kKeys; ++e) slope[e] *= capped[e];
      }
      multiply_strided<T>(m, s.width, n, {slope, kKeys}, {h.k.at(j), h.k.row}, d.q + i * s.width,
                          s.width, true);
      multiply_strided<T>(n, s.width, m, {slope, 1, kKeys}, {h.q.at(i), h.q.row}, d.k + j * s.width,
                          s.width, true);
    }
  }
}

template <class T>
Rows<T> matrix(const ProductOperand& p, const Shape& batch, int64_t i) {
  return {reinterpret_cast<T*>(p.view.data) + p.offset(batch, i), p.row_stride()};
}

// Sizes for one item of the batch axes of q; reads its length.
AttentionSizes sizes_of(const AttentionCall& c, int64_t item) {
  AttentionSizes s = c.sizes;
  if (!c.lengths.data) return s;
  const View& lengths = c.lengths;
  const Shape& shape = c.q.view.shape;
  s.length = index_at(
      lengths, broadcast_offset(lengths.shape, lengths.strides, lengths.shape.rank,
                                sequences_of(shape), shape.rank > 2 ? item / shape.back(2) : item));
  s.position = s.length - s.queries;
  return s;
}

template <class T>
void forward(const AttentionPlan& p) {
  const AttentionSizes& s = p.call.sizes;
  Shape batch = p.call.q.batch(), shared = p.call.k.batch();
  int64_t blocks = (s.queries + kQueries - 1) / kQueries;
  Convert store = convert_tiles().store[sizeof(T) == 4 ? 0 : 1][static_cast<int>(p.dtype)];
  auto size = static_cast<int64_t>(size_of(p.dtype));
  // the last blocks attend to most keys: start with them, so that threads finish together
  parallel_for(numel(batch) * blocks, 1, [&](int64_t item, int64_t) {
    int64_t b = item / blocks, first = (blocks - 1 - item % blocks) * kQueries;
    int64_t m = std::min(kQueries, s.queries - first), at = b * s.queries + first;
    alignas(64) T numbers[2][kQueries], result[kQueries * kKeys];
    for (int64_t c = 0; c < s.out || c == 0; c += kKeys) {
      AttentionSizes part = sizes_of(p.call, b);
      part.out = std::min(kKeys, s.out - c);
      Rows<T> values = matrix<T>(p.call.v, shared, b / s.group);
      values.data += c;
      forward_block(part, p.call, matrix<T>(p.call.q, batch, b),
                    matrix<T>(p.call.k, shared, b / s.group), values, result, numbers[0],
                    numbers[1], b, first);
      for (int64_t r = 0; r < m; ++r) {
        store(result + r * part.out, p.out + ((at + r) * s.out + c) * size, part.out);
      }
    }
    std::byte* kept[] = {p.call.top, p.call.sum};
    for (int h : {0, 1}) {
      if (kept[h]) std::copy(numbers[h], numbers[h] + m, reinterpret_cast<T*>(kept[h]) + at);
    }
  });
}

Status run_attention(const AttentionPlan& p) noexcept {
  if (p.call.lengths.data) {
    Status s = check_indices(p.call.lengths, p.call.sizes.keys + 1, 0);
    if (s.failed) return s;
  }
  p.call.dtype == DType::f64 ? forward<double>(p) : forward<float>(p);
  return {};
}

template <class T>
void backward(const AttentionGradientPlan& p) {
  const AttentionCall& c = p.call;
  const AttentionSizes& s = c.sizes;
  const Shape batch = c.q.batch(), shared = c.k.batch();
  const auto at = [](std::byte* data, int64_t i) { return reinterpret_cast<T*>(data) + i; };
  // query heads that share keys add to one gradient, so one thread processes them in order
  parallel_for(numel(shared), 1, [&](int64_t kv, int64_t) {
    T *dk = at(p.dk, kv * s.keys * s.width), *dv = at(p.dv, kv * s.keys * s.out);
    std::fill(dk, dk + s.keys * s.width, T(0));
    std::fill(dv, dv + s.keys * s.out, T(0));
    for (int64_t b = kv * s.group; b < (kv + 1) * s.group; ++b) {
      T* dq = at(p.dq, b * s.queries * s.width);
      std::fill(dq, dq + s.queries * s.width, T(0));
      HeadOperands<T> h{matrix<T>(c.q, batch, b),   matrix<T>(c.k, shared, kv),
                        matrix<T>(c.v, shared, kv), matrix<T>(p.out, batch, b),
                        matrix<T>(p.g, batch, b),   at(c.top, b * s.queries),
                        at(c.sum, b * s.queries)};
      T* scores = p.dmask ? at(p.dmask, b * s.queries * s.keys) : nullptr;
      backward_head<T>(sizes_of(c, b), c, h, {dq, dk, dv, scores}, b);
    }
  });
}

Status run_attention_gradient(const AttentionGradientPlan& p) noexcept {
  p.call.dtype == DType::f64 ? backward<double>(p) : backward<float>(p);
  return {};
}

// From the operands, the outputs and the cotangent to the gradients.
Status attention_gradient_kernel(const OpDef& op, const KernelArgs& a) noexcept {
  const DType d = working_dtype(a.in[0].dtype);
  AttentionGradientPlan p{{a.in.first(5), a.in.subspan(5, 3), attrs_as<AttentionAttrs>(a.attrs)},
                          ProductOperand::by_rows(a.in[5], d),
                          ProductOperand::by_rows(a.in[8], d),
                          a.out[0].data,
                          a.out[1].data,
                          a.out[2].data,
                          a.out.size() > 3 ? a.out[3].data : nullptr};
  std::byte* memory = a.scratch;
  Status s = copy_needed({&p.call.q, &p.call.k, &p.call.v, &p.out, &p.g}, memory, d);
  return s.failed ? s : launch<run_attention_gradient>(op, a, p, Pass::gradient);
}

}  // namespace

AttentionSizes::AttentionSizes(const View& q, const View& k, const View& v, const AttentionAttrs& a)
    : queries(q.shape.back(1)),
      keys(k.shape.back(1)),
      width(q.shape.back(0)),
      out(v.shape.back(0)),
      scale(a.scale != 0 ? a.scale : 1 / std::sqrt(static_cast<double>(width))),
      causal(a.causal),
      length(keys),
      group(q.shape.rank > 2 && k.shape.back(2) ? q.shape.back(2) / k.shape.back(2) : 1) {}

AttentionCall::AttentionCall(std::span<const View> in, std::span<const View> out,
                             const AttentionAttrs& a)
    : sizes(in[0], in[1], in[2], a),
      softcap(a.softcap),
      mask(in[0], in[1], in.size() > 3 ? in[3] : View(), a),
      dropout(in[0], in[1], a),
      dtype(working_dtype(in[0].dtype)),
      q(ProductOperand::by_rows(in[0], dtype)),
      k(ProductOperand::by_rows(in[1], dtype)),
      v(ProductOperand::by_rows(in[2], dtype)),
      lengths(in.size() > 4 ? in[4] : View()),
      top(out.size() > 1 ? out[1].data : nullptr),
      sum(out.size() > 2 ? out[2].data : nullptr) {}

size_t attention_scratch(const void*, Inputs in) {
  DType d = working_dtype(in[0].dtype());
  size_t bytes = 0;
  for (const Tensor& t : in.first(3)) {
    bytes += ProductOperand::by_rows(layout_of(t), d).copy_bytes(d);
  }
  return bytes;
}

Status attention_kernel(const OpDef& op, const KernelArgs& a) noexcept {
  AttentionPlan p{{a.in, a.out, attrs_as<AttentionAttrs>(a.attrs)}, a.out[0].dtype, a.out[0].data};
  AttentionCall& c = p.call;
  if (c.sizes.queries == 0 || numel(c.q.batch()) == 0) return {};
  std::byte* memory = a.scratch;
  Status s = copy_needed({&c.q, &c.k, &c.v}, memory, c.dtype);
  return s.failed ? s : launch<run_attention>(op, a, p);
}

Tensors attention_vjp(const VjpArgs& a) {
  const DType d = working_dtype(a.in[0].dtype());
  const Device device = a.in[0].device();
  Tensors r(a.in_meta.size());
  for (size_t i = 0; i < 3; ++i) r[i] = empty(a.in[i].shape(), d, device);
  if (a.wanted[3]) {
    Shape scores = a.in[0].shape();
    scores.dims[scores.rank - 1] = a.in[1].size(-2);
    r[3] = zeros(scores, {.dtype = d, .device = device});  // fully masked blocks are not visited
  }
  const Tensor in[] = {a.in[0],  a.in[1],  a.in[2],  a.in[3],  a.in[4],
                       a.out[0], a.out[1], a.out[2], a.grad[0]};
  size_t bytes = 0;
  for (int i : {0, 1, 2, 5, 8}) bytes += ProductOperand::by_rows(layout_of(in[i]), d).copy_bytes(d);
  check(a.op, try_kernel(a.op, attention_gradient_kernel, in, r, a.attrs, device, bytes));
  return r;
}

}  // namespace gyre
