#include "gyre/ops/attention/rope.h"

#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/attention/attention_tile.h"
#include "gyre/ops/attention/plans.h"
#include "gyre/ops/index/indices.h"

namespace gyre {

GYRE_DECLARE_TILES(RopeTiles, rope)

namespace {

constexpr Arg kRopeArgs[] = {{"x"},
                             {.name = "positions", .optional = true, .differentiable = false},
                             {.name = "frequencies", .optional = true, .differentiable = false}};

int64_t turned(const RopeAttrs& a, int64_t width) { return a.width ? a.width : width; }

// Leading axes of x: its rows.
Shape rows_of(Shape shape) {
  --shape.rank;
  return shape;
}

void rope_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<RopeAttrs>(attrs);
  const Shape& shape = in[0].shape();
  if (shape.rank < 2) {
    throw mismatch(Code::shape, op.name, "expected x [..., steps, n]", "[..., steps, n]", shape);
  }
  if (!is_floating(in[0].dtype())) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "floats", in[0].dtype());
  }
  int64_t width = turned(a, shape.back());
  if (width < 0 || width % 2 || width > shape.back()) {
    refuse(Code::value, op,
           {"width must be even and at most the ", shape.back(), " features of a row, got ", width},
           shape.back(), width);
  }
  check_record(op.name, a);
  if (in.size() > 1 && in[1].defined()) {
    const Tensor& p = in[1];
    check_index_dtype(op, p);
    Shape rows = rows_of(shape);
    if (p.rank() > rows.rank || !(broadcast(p.shape(), rows, op.name) == rows)) {
      refuse(Code::shape, op, {"positions must broadcast to ", rows, ", got ", p.shape()}, rows,
             p.shape());
    }
  }
  if (in.size() > 2 && in[2].defined()) {
    const Tensor& f = in[2];
    if (!is_floating(f.dtype())) {
      throw mismatch(Code::dtype, op.name, "expected floating frequencies", "floats", f.dtype());
    }
    if (const Shape wanted{width / 2}; !(f.shape() == wanted)) {
      throw mismatch(Code::shape, op.name, "expected frequencies [width / 2]", wanted, f.shape());
    }
  }
  out[0].shape = shape;
  out[0].dtype = in[0].dtype();
}

constexpr int64_t kPiece = 256;  // pairs of a row rotated at a time

GYRE_TILES_FUNCTION_OF_T(RopeTile<T>, rope_tile, RopeTiles, rope)

// Elements of a row as T, for any layout and dtype.
template <class T>
struct RowAccess {
  const View& x;
  int64_t size = static_cast<int64_t>(size_of(x.dtype));
  Convert load = convert_tiles().load[static_cast<int>(x.dtype)][sizeof(T) == 4 ? 0 : 1];
  Convert store = convert_tiles().store[sizeof(T) == 4 ? 0 : 1][static_cast<int>(x.dtype)];

  void read(const std::byte* row, int64_t first, int64_t n, T* to) const {
    const int64_t stride = x.strides.back();
    if (stride == 1) return load(row + first * size, to, n);
    for (int64_t i = 0; i < n; ++i) load(row + (first + i) * stride * size, to + i, 1);
  }
  void write(std::byte* row, int64_t first, int64_t n, const T* from) const {
    store(from, row + first * size, n);
  }

  // The row `from` to `to` (contiguous) with its pairs rotated by the angles of these sines and
  // cosines.
  void turn(const std::byte* from, std::byte* to, const T* cosines, const T* sines, int64_t pairs,
            bool interleaved) const {
    T values[2 * kPiece];
    const int64_t step = interleaved ? 2 : 1, other = interleaved ? 1 : kPiece;
    // the pairs [i, i + n) in the row, and in `values`
    const auto each_half = [&](int64_t i, int64_t n, auto move) {
      if (interleaved) return move(2 * i, 2 * n, values);
      move(i, n, values);
      move(i + pairs, n, values + kPiece);
    };
    for (int64_t i = 0; i < pairs; i += kPiece) {
      int64_t n = pairs - i < kPiece ? pairs - i : kPiece;
      each_half(i, n, [&](int64_t at, int64_t count, T* v) { read(from, at, count, v); });
      rope_tile<T>()(values, values + other, step, cosines + i, sines + i, n);
      each_half(i, n, [&](int64_t at, int64_t count, T* v) { write(to, at, count, v); });
    }
    for (int64_t i = 2 * pairs; i < x.shape.back(); i += kPiece) {
      int64_t n = x.shape.back() - i < kPiece ? x.shape.back() - i : kPiece;
      read(from, i, n, values);
      write(to, i, n, values);
    }
  }
};

// Table of angles by position; each row of x uses one entry.
template <class T>
struct Table {
  T* numbers;  // [positions][2][pairs]
  int64_t pairs;
  const T* cosines(int64_t i) const { return numbers + 2 * pairs * i; }
  const T* sines(int64_t i) const { return cosines(i) + pairs; }

  void fill(const double* frequencies, double sign, int64_t count, auto position) const {
    parallel_for(count, 4096 / (pairs + 1) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const double place = position(p);
        for (int64_t i = 0; i < pairs; ++i) {
          double angle = place * frequencies[i];
          numbers[2 * pairs * p + i] = static_cast<T>(std::cos(angle));
          numbers[2 * pairs * p + pairs + i] = static_cast<T>(sign * std::sin(angle));
        }
      }
    });
  }
};

double frequency_of(const RopePlan& p, int64_t pair) {
  const View& given = p.frequencies;
  if (!given.data) {
    return std::pow(p.attrs->base, -static_cast<double>(pair) / static_cast<double>(p.pairs));
  }
  double frequency;
  const int64_t at = pair * given.strides[0] * static_cast<int64_t>(size_of(given.dtype));
  load_of(given.dtype, Compute::f64)(given.data + at, &frequency, 1);
  return frequency;
}

template <class T>
void rotate(const RopePlan& p) {
  const RopeAttrs& a = *p.attrs;
  const View &x = p.x, &given = p.positions;
  const Shape rows = rows_of(x.shape), entries = contiguous_strides(p.places);
  for (int64_t i = 0; i < p.pairs; ++i) p.pace[i] = frequency_of(p, i);
  Table<T> table{reinterpret_cast<T*>(p.table), p.pairs};
  table.fill(p.pace, a.inverse ? -1 : 1, p.count, [&](int64_t i) {
    if (!given.data) return static_cast<double>(a.position + i);
    return static_cast<double>(index_at(
        given, broadcast_offset(given.shape, given.strides, given.shape.rank, given.shape, i)));
  });
  const RowAccess<T> access{x};
  const int64_t width = x.shape.back();
  parallel_for(p.rows, kGrain / (width + 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      int64_t i = broadcast_offset(p.places, entries, p.places.rank, rows, r);
      access.turn(x.data + broadcast_offset(rows, x.strides, rows.rank, rows, r) * access.size,
                  p.out + r * width * access.size, table.cosines(i), table.sines(i), p.pairs,
                  a.interleaved);
    }
  });
}

Status run_rope(const RopePlan& p) noexcept {
  p.x.dtype == DType::f64 ? rotate<double>(p) : rotate<float>(p);
  return {};
}

size_t rope_scratch(const void* attrs, Inputs in) {
  const bool given = in.size() > 1 && in[1].defined();
  const Shape& shape = in[0].shape();
  auto count = static_cast<size_t>(given ? in[1].numel() : shape.back(1));
  auto width = static_cast<size_t>(turned(attrs_as<RopeAttrs>(attrs), shape.back()));
  return (count * (in[0].dtype() == DType::f64 ? 8 : 4) + sizeof(double) / 2) * width;
}

Status rope_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& x = args.in[0];
  const int64_t elements = numel(x.shape), width = x.shape.back();
  if (elements == 0) return {};
  const auto& a = attrs_as<RopeAttrs>(args.attrs);
  const auto given = [&](size_t i) { return args.in.size() > i ? args.in[i] : View(); };
  const View positions = given(1);
  const Shape places = positions.data ? positions.shape : Shape{x.shape.back(1)};
  const int64_t pairs = turned(a, width) / 2;
  const RopePlan plan{&a,
                      x,
                      positions,
                      given(2),
                      places,
                      elements / width,
                      numel(places),
                      pairs,
                      reinterpret_cast<double*>(args.scratch),
                      args.scratch + static_cast<size_t>(pairs) * sizeof(double),
                      args.out[0].data};
  return launch<run_rope>(op, args, plan);
}

// The gradient rotates by the negative angle.
Tensors vjp(const VjpArgs& a) {
  RopeAttrs back = attrs_as<RopeAttrs>(a.attrs);
  back.inverse = !back.inverse;
  Tensors g(a.in_meta.size());
  g[0] = rope(a.grad[0], a.in[1], a.in[2], back);
  return g;
}

void rope_samples(Samples& s) {
  s.add({s.uniform({5, 4})});
  s.add({s.uniform({2, 3, 5, 6})}, box(RopeAttrs{.base = 100, .position = 7, .interleaved = true}));
  s.add({s.uniform({2, 3, 5, 6}), s.integers({2, 1, 5}, 0, 40)}, box(RopeAttrs{.width = 4}));
  s.add({s.uniform({2, 4}), s.integers({1}, 3, 9)}, box(RopeAttrs{.inverse = true}));
  s.add({s.uniform({2, 3, 6}), Tensor(), s.uniform({3}, 0.1, 2)}, box(RopeAttrs{.position = 2}));
  s.add({s.uniform({3, 40}), s.integers({3}, 0, 9), s.uniform({18}, 0, 1)},
        box(RopeAttrs{.width = 36, .interleaved = true}));
  s.add({s.uniform({0, 4})});
  s.refuse(Code::shape, {s.uniform({4})});
  s.refuse(Code::shape, {s.uniform({5, 4}), s.integers({4}, 0, 9)});
  s.refuse(Code::dtype, {s.uniform({5, 4}), s.uniform({5})});
  s.refuse(Code::dtype, {s.integers({5, 4}, 0, 9)});
  s.refuse(Code::dtype, {s.uniform({5, 4}), Tensor(), s.indices({1, 2})});
  s.refuse(Code::shape, {s.uniform({5, 4}), Tensor(), s.uniform({4})});
  s.refuse(Code::value, {s.uniform({5, 3})});
  s.refuse(Code::value, {s.uniform({5, 4})}, box(RopeAttrs{.width = 6}));
  s.refuse(Code::value, {s.uniform({5, 4})}, box(RopeAttrs{.base = 0}));
}

}  // namespace

extern constinit const OpDef rope_def{
    .name = "rope",
    .doc = "rotary position embedding (RoPE): rotates pairs of features by position * frequency",
    .args = kRopeArgs,
    .attrs = &record_of<RopeAttrs>,
    .infer = rope_infer,
    .kernels = on_every_device(rope_kernel),
    .scratch = rope_scratch,
    .vjp = vjp,
    .saves_in = 6,
    .samples = rope_samples};

GYRE_FUNCTION_3(rope, RopeAttrs)

}  // namespace gyre
