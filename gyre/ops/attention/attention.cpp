#include "gyre/ops/attention/attention.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/attention/attention_tile.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/linalg/gemm.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/linalg/product_operand.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

GYRE_DECLARE_TILES(AttentionTiles, attention)

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/attention/attention.def"
#undef OP

namespace {

constexpr Arg kArgs[] = {{"q"}, {"k"}, {"v"}};
constexpr const char* kOut[] = {"out", "top", "sum"};
constexpr int64_t kQueries = 64, kKeys = 128;  // a block of scores stays in the second-level cache

template <class T>
const AttentionTile<T>& tile() {
  static constexpr PerIsa<AttentionTiles> kTiles = GYRE_TILES_OF(attention);
  if constexpr (sizeof(T) == 4) {
    return kTiles[isa()]->f32;
  } else {
    return kTiles[isa()]->f64;
  }
}

// One matrix of a batch: rows `row` apart, elements adjacent.
template <class T>
struct Rows {
  T* data;
  int64_t row;
  T* at(int64_t i) const { return data + i * row; }
};

struct Sizes {
  int64_t queries, keys, width, out;
  double scale;
  bool causal;
  int64_t offset;

  Sizes(const View& q, const View& k, const View& v, const AttentionAttrs& a)
      : queries(q.shape.back(1)),
        keys(k.shape.back(1)),
        width(q.shape.back(0)),
        out(v.shape.back(0)),
        scale(a.scale != 0 ? a.scale : 1 / std::sqrt(static_cast<double>(width))),
        causal(a.causal),
        offset(std::clamp(a.offset, -queries, keys)) {}  // further ones see no less and no more
  /// Keys that some query of [first, first + n) sees.
  int64_t keys_seen(int64_t first, int64_t n) const {
    if (!causal) return keys;
    int64_t last = first + n + offset;
    return last < 0 ? 0 : last < keys ? last : keys;
  }
  /// Columns of a block of keys from `key` on that query `first` sees.
  int64_t visible(int64_t first, int64_t key) const {
    return causal ? first + offset + 1 - key : keys;
  }
};

// C[m, n] (+)= A B with A and B by row and column strides.
template <class T>
void product(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_col, const T* b,
             int64_t b_row, int64_t b_col, T* c, int64_t c_row, bool accumulate) {
  Gemm<T> g;
  g.m = m;
  g.n = n;
  g.k = k;
  g.a = a;
  g.a_row = a_row;
  g.a_col = a_col;
  g.b = b;
  g.b_row = b_row;
  g.b_col = b_col;
  g.c = c;
  g.c_row = c_row;
  g.accumulate = accumulate;
  gemm(g);
}

template <class T>
void forward_block(const Sizes& s, Rows<T> q, Rows<T> k, Rows<T> v, T* out, T* top, T* sum,
                   int64_t first) {
  int64_t m = std::min(kQueries, s.queries - first);
  alignas(64) T scores[kQueries * kKeys];
  for (int64_t r = 0; r < m; ++r) {
    top[r] = -std::numeric_limits<T>::infinity();
    sum[r] = 0;
  }
  std::fill(out, out + m * s.out, T(0));
  int64_t seen = s.keys_seen(first, m);
  for (int64_t j = 0; j < seen; j += kKeys) {
    int64_t n = std::min(kKeys, seen - j);
    product(m, n, s.width, q.at(first), q.row, int64_t{1}, k.at(j), int64_t{1}, k.row, scores,
            kKeys, false);
    tile<T>().forward({scores, m, n, kKeys, s.visible(first, j), static_cast<T>(s.scale)}, top, sum,
                      out, s.out, s.out);
    product(m, s.out, n, scores, kKeys, int64_t{1}, v.at(j), v.row, int64_t{1}, out, s.out, true);
  }
  tile<T>().finish(sum, out, s.out, m, s.out);
}

template <class T>
struct Gradients {
  T *q, *k, *v;  // of one matrix each; contiguous
};

// All gradients of one matrix of the batch; the blocks of scores are made again.
template <class T>
void backward_one(const Sizes& s, Rows<T> q, Rows<T> k, Rows<T> v, Rows<T> out, Rows<T> g,
                  const T* top, const T* sum, Gradients<T> d) {
  alignas(64) T scores[kQueries * kKeys], slope[kQueries * kKeys], dot[kQueries];
  std::fill(d.q, d.q + s.queries * s.width, T(0));
  std::fill(d.k, d.k + s.keys * s.width, T(0));
  std::fill(d.v, d.v + s.keys * s.out, T(0));
  const AttentionTile<T>& t = tile<T>();
  for (int64_t i = 0; i < s.queries; i += kQueries) {
    int64_t m = std::min(kQueries, s.queries - i);
    t.row_dot(out.at(i), out.row, g.at(i), g.row, dot, m, s.out);
    int64_t seen = s.keys_seen(i, m);
    for (int64_t j = 0; j < seen; j += kKeys) {
      int64_t n = std::min(kKeys, seen - j);
      product(m, n, s.width, q.at(i), q.row, int64_t{1}, k.at(j), int64_t{1}, k.row, scores, kKeys,
              false);
      ScoreBlock<T> block{scores, m, n, kKeys, s.visible(i, j), static_cast<T>(s.scale)};
      t.probabilities(block, top + i, sum + i);
      product(n, s.out, m, scores, int64_t{1}, kKeys, g.at(i), g.row, int64_t{1}, d.v + j * s.out,
              s.out, true);
      product(m, n, s.out, g.at(i), g.row, int64_t{1}, v.at(j), int64_t{1}, v.row, slope, kKeys,
              false);
      t.score_gradient(block, slope, dot);
      product(m, s.width, n, slope, kKeys, int64_t{1}, k.at(j), k.row, int64_t{1},
              d.q + i * s.width, s.width, true);
      product(n, s.width, m, slope, int64_t{1}, kKeys, q.at(i), q.row, int64_t{1},
              d.k + j * s.width, s.width, true);
    }
  }
}

DType working_dtype(DType d) { return d == DType::f64 ? DType::f64 : DType::f32; }

template <class T>
Rows<T> matrix(const ProductOperand& p, const Shape& batch, int64_t i) {
  return {reinterpret_cast<T*>(p.view.data) + p.offset(batch, i), p.row_stride()};
}

bool same_batch(const Shape& a, const Shape& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i + 2 < a.rank; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// "[2, 3, keys, 8]": the batch of q and two more axes.
std::string in_batch(const Shape& q, const std::string& rows, const std::string& columns) {
  std::string text = "[";
  for (int i = 0; i + 2 < q.rank; ++i) text += std::to_string(q[i]) + ", ";
  return text + rows + ", " + columns + "]";
}

void infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  if (double scale = attrs_as<AttentionAttrs>(attrs).scale; !(scale >= 0) || std::isinf(scale)) {
    std::string actual = fmt::format("{}", scale);
    refuse(Code::value, op, "scale must be finite and not negative, is " + actual, ">= 0", actual);
  }
  const Shape &q = in[0].shape(), &k = in[1].shape(), &v = in[2].shape();
  auto misfit = [&](const std::string& expected, const Shape& actual) {
    refuse(Code::shape, op,
           "takes q [..., queries, width], k [..., keys, width], v [..., keys, out], got " +
               to_string(q) + ", " + to_string(k) + ", " + to_string(v),
           expected, to_string(actual));
  };
  if (q.rank < 2) misfit("[..., queries, width]", q);
  if (!same_batch(q, k) || k.back() != q.back()) {
    misfit(in_batch(q, "keys", std::to_string(q.back())), k);
  }
  if (!same_batch(q, v) || v.back(1) != k.back(1)) {
    misfit(in_batch(q, std::to_string(k.back(1)), "out"), v);
  }
  DType d = in[0].dtype();
  for (const Tensor& t : in) {
    if (t.dtype() == d && is_floating(d)) continue;
    refuse(Code::dtype, op, "q, k and v need one floating dtype",
           is_floating(d) ? name_of(d) : "a floating dtype", name_of(t.dtype()));
  }
  out[0].shape = q;
  out[0].shape.dims[q.rank - 1] = v.back();
  out[0].dtype = d;
  for (int i : {1, 2}) {
    out[static_cast<size_t>(i)].shape = q;
    out[static_cast<size_t>(i)].shape.rank = q.rank - 1;
    out[static_cast<size_t>(i)].dtype = working_dtype(d);
  }
}

size_t scratch(const void*, Inputs in) {
  DType d = working_dtype(in[0].dtype());
  size_t bytes = 0;
  for (const Tensor& t : in) bytes += ProductOperand::by_rows(view_of(t), d).copy_bytes(d);
  return bytes;
}

template <class T>
void forward(const KernelArgs& a, const Sizes& s, const ProductOperand& q, const ProductOperand& k,
             const ProductOperand& v) {
  Shape batch = q.batch();
  int64_t blocks = (s.queries + kQueries - 1) / kQueries;
  Convert store = convert_tiles().store[sizeof(T) == 4 ? 0 : 1][static_cast<int>(a.out[0].dtype)];
  auto size = static_cast<int64_t>(size_of(a.out[0].dtype));
  // the last blocks see most keys: they go first, so that threads end together
  parallel_for(numel(batch) * blocks, 1, [&](int64_t item, int64_t) {
    int64_t b = item / blocks, first = (blocks - 1 - item % blocks) * kQueries;
    int64_t m = std::min(kQueries, s.queries - first), at = b * s.queries + first;
    alignas(64) T numbers[2][kQueries], result[kQueries * kKeys];
    for (int64_t c = 0; c < s.out || c == 0; c += kKeys) {
      Sizes part = s;
      part.out = std::min(kKeys, s.out - c);
      Rows<T> values = matrix<T>(v, batch, b);
      values.data += c;
      forward_block(part, matrix<T>(q, batch, b), matrix<T>(k, batch, b), values, result,
                    numbers[0], numbers[1], first);
      for (int64_t r = 0; r < m; ++r) {
        store(result + r * part.out, a.out[0].data + ((at + r) * s.out + c) * size, part.out);
      }
    }
    for (int h : {1, 2}) {
      if (static_cast<int>(a.out.size()) > h) {
        std::copy(numbers[h - 1], numbers[h - 1] + m,
                  reinterpret_cast<T*>(a.out[static_cast<size_t>(h)].data) + at);
      }
    }
  });
}

Status attention_cpu(const OpDef&, const KernelArgs& a) noexcept {
  Sizes s(a.in[0], a.in[1], a.in[2], attrs_as<AttentionAttrs>(a.attrs));
  DType d = working_dtype(a.in[0].dtype);
  ProductOperand q = ProductOperand::by_rows(a.in[0], d), k = ProductOperand::by_rows(a.in[1], d),
                 v = ProductOperand::by_rows(a.in[2], d);
  if (s.queries == 0 || numel(q.batch()) == 0) return {};
  std::byte* memory = a.scratch;
  for (ProductOperand* p : {&q, &k, &v}) p->settle(memory, d);
  if (d == DType::f64) {
    forward<double>(a, s, q, k, v);
  } else {
    forward<float>(a, s, q, k, v);
  }
  return {};
}

template <class T>
Tensors backward(const Sizes& s, const ProductOperand (&p)[5], const Tensor& top, const Tensor& sum,
                 const VjpArgs& a, DType d) {
  Tensors r;
  for (int i = 0; i < 3; ++i) r.push_back(empty(a.in[static_cast<size_t>(i)].shape(), d));
  Shape batch = p[0].batch();
  parallel_for(numel(batch), 1, [&](int64_t b, int64_t) {
    backward_one<T>(s, matrix<T>(p[0], batch, b), matrix<T>(p[1], batch, b),
                    matrix<T>(p[2], batch, b), matrix<T>(p[3], batch, b), matrix<T>(p[4], batch, b),
                    top.data<T>() + b * s.queries, sum.data<T>() + b * s.queries,
                    {r[0].data<T>() + b * s.queries * s.width,
                     r[1].data<T>() + b * s.keys * s.width, r[2].data<T>() + b * s.keys * s.out});
  });
  return r;
}

Tensors attention_vjp(const VjpArgs& a) {
  DType d = working_dtype(a.in[0].dtype());
  Sizes s(view_of(a.in[0]), view_of(a.in[1]), view_of(a.in[2]), attrs_as<AttentionAttrs>(a.attrs));
  const Tensor* tensors[] = {&a.in[0], &a.in[1], &a.in[2], &a.out[0], &a.grad[0]};
  size_t bytes = 0;
  for (const Tensor* t : tensors) bytes += ProductOperand::by_rows(view_of(*t), d).copy_bytes(d);
  Ref<Storage> memory = allocate_storage(bytes, {});
  std::byte* free = memory->data;
  ProductOperand p[] = {ProductOperand::by_rows(view_of(*tensors[0]), d),
                        ProductOperand::by_rows(view_of(*tensors[1]), d),
                        ProductOperand::by_rows(view_of(*tensors[2]), d),
                        ProductOperand::by_rows(view_of(*tensors[3]), d),
                        ProductOperand::by_rows(view_of(*tensors[4]), d)};
  for (ProductOperand& one : p) one.settle(free, d);
  if (d == DType::f64) return backward<double>(s, p, a.out[1], a.out[2], a, d);
  return backward<float>(s, p, a.out[1], a.out[2], a, d);
}

Tensors compose(const void* attrs, Inputs in) {
  const auto& a = attrs_as<AttentionAttrs>(attrs);
  double width = static_cast<double>(in[0].size(-1));
  Tensor scores = matmul(in[0], transpose(in[1], -1, -2)) *
                  Tensor(a.scale != 0 ? a.scale : 1 / std::sqrt(width));
  if (a.causal) {
    Tensor query = reshape(positions(in[0].size(-2)), {-1, 1});
    Tensor key = positions(in[1].size(-2));
    scores = where(le(key, query + Tensor(static_cast<double>(a.offset))), scores,
                   Tensor(-std::numeric_limits<double>::infinity()));
  }
  return {matmul(softmax(scores), in[2])};
}

void samples(Samples& s) {
  AttentionAttrs causal{true, 0, 0}, scaled{false, 0, 0.3}, cached{true, 4, 0};
  s.add({s.uniform({2, 3, 4}), s.uniform({2, 5, 4}), s.uniform({2, 5, 3})}, box(AttentionAttrs{}));
  s.add({s.uniform({2, 2, 5, 4}), s.uniform({2, 2, 5, 4}), s.uniform({2, 2, 5, 4})}, box(causal));
  s.add({s.uniform({3, 4}), s.uniform({5, 4}), s.uniform({5, 4})}, box(scaled));
  s.add({s.uniform({3, 4}), s.uniform({7, 4}), s.uniform({7, 4})}, box(cached));
  s.add({s.uniform({70, 3}), s.uniform({140, 3}), s.uniform({140, 2})}, box(scaled));
  s.extreme({s.uniform({3, 2}, 90, 100), s.uniform({3, 2}, -100, 100), s.uniform({3, 2})},
            box(causal));
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({2, 5, 3}), s.uniform({2, 5, 3})},
           box(AttentionAttrs{}));
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({1, 5, 4}), s.uniform({2, 5, 3})},
           box(AttentionAttrs{}));
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({2, 5, 4}), s.uniform({1, 5, 3})},
           box(AttentionAttrs{}));
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({4}), s.uniform({4})}, box(AttentionAttrs{}));
  s.refuse(Code::value, {s.uniform({2, 4}), s.uniform({2, 4}), s.uniform({2, 4})},
           box(AttentionAttrs{false, 0, -0.5}));
}

}  // namespace

constinit const OpDef scaled_dot_product_attention_def = [] {
  OpDef d;
  d.name = "scaled_dot_product_attention";
  d.doc = "softmax(scale q k^T) v, block by block";
  d.args = kArgs;
  d.outputs = kOut;
  d.attrs = &record_of<AttentionAttrs>;
  d.infer = infer;
  d.kernels[Device::cpu] = attention_cpu;
  d.scratch = scratch;
  d.compose = compose;
  d.vjp_first = attention_vjp;
  d.saves_in = 7;
  d.saves_out = 7;
  d.samples = samples;
  d.ulp = 16;  // products sum the values of 128 keys one after the other in f32
  return d;
}();

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionAttrs& attrs) {
  return apply_one(scaled_dot_product_attention_def, {q, k, v}, box(attrs));
}

}  // namespace gyre
