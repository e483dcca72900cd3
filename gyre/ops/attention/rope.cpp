#include "gyre/ops/attention/rope.h"

#include <fmt/core.h>

#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"

namespace gyre {

extern const OpDef rope_def;

namespace {

constexpr Arg kRopeArgs[] = {{"x"},
                             {.name = "positions", .optional = true, .differentiable = false}};

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
    throw mismatch(Code::shape, op.name, "expected x [..., steps, n]", "[..., steps, n]",
                   to_string(shape));
  }
  if (!is_floating(in[0].dtype())) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "floats",
                   name_of(in[0].dtype()));
  }
  int64_t width = turned(a, shape.back());
  if (width < 0 || width % 2 || width > shape.back()) {
    refuse(Code::value, op,
           fmt::format("width must be even and at most the {} features of a row, got {}",
                       shape.back(), width),
           std::to_string(shape.back()), std::to_string(width));
  }
  if (!(a.base > 0) || std::isinf(a.base)) {
    refuse(Code::value, op, fmt::format("base must be positive and finite, got {}", a.base), "> 0",
           fmt::format("{}", a.base));
  }
  if (in.size() > 1 && in[1].defined()) {
    const Tensor& p = in[1];
    if (p.dtype() != DType::i32 && p.dtype() != DType::i64) {
      throw mismatch(Code::dtype, op.name, "positions must be i32 or i64", "i32 or i64",
                     name_of(p.dtype()));
    }
    Shape rows = rows_of(shape);
    if (p.rank() > rows.rank || !(broadcast(p.shape(), rows, op.name) == rows)) {
      refuse(Code::shape, op,
             "positions must broadcast to " + to_string(rows) + ", are " + to_string(p.shape()),
             to_string(rows), to_string(p.shape()));
    }
  }
  out[0].shape = shape;
  out[0].dtype = in[0].dtype();
}

constexpr int64_t kPiece = 256;  // pairs of a row rotated at a time

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
    for (int64_t i = 0; i < pairs; i += kPiece) {
      int64_t n = pairs - i < kPiece ? pairs - i : kPiece;
      if (interleaved) {
        read(from, 2 * i, 2 * n, values);
      } else {
        read(from, i, n, values);
        read(from, i + pairs, n, values + kPiece);
      }
      for (int64_t k = 0; k < n; ++k) {
        T a = values[step * k], b = values[step * k + other];
        values[step * k] = a * cosines[i + k] - b * sines[i + k];
        values[step * k + other] = a * sines[i + k] + b * cosines[i + k];
      }
      if (interleaved) {
        write(to, 2 * i, 2 * n, values);
      } else {
        write(to, i, n, values);
        write(to, i + pairs, n, values + kPiece);
      }
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

  void fill(const RopeAttrs& a, int64_t count, auto position) const {
    const double sign = a.inverse ? -1 : 1;
    parallel_for(count, 4096 / (pairs + 1) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const double place = position(p);
        for (int64_t i = 0; i < pairs; ++i) {
          double angle =
              place * std::pow(a.base, -static_cast<double>(i) / static_cast<double>(pairs));
          numbers[2 * pairs * p + i] = static_cast<T>(std::cos(angle));
          numbers[2 * pairs * p + pairs + i] = static_cast<T>(sign * std::sin(angle));
        }
      }
    });
  }
};

// The place of an index of the first `axes` axes of the shape.
int64_t place_of(const Shape& shape, const Shape& strides, int axes, int64_t index) {
  int64_t place = 0;
  for (int i = axes; i-- > 0; index /= shape[i]) place += index % shape[i] * strides[i];
  return place;
}

// By strides, the table entry of each row: its index among the positions, broadcast to the rows.
Shape entries_of(int axes, const Shape& positions) {
  Shape strides = contiguous_strides(positions), r;
  r.rank = axes;
  int shift = axes - positions.rank;
  for (int i = 0; i < axes; ++i) {
    r[i] = i < shift || positions[i - shift] == 1 ? 0 : strides[i - shift];
  }
  return r;
}

struct RopePlan {
  const RopeAttrs* attrs;
  View x, positions;           // positions without data: not given
  Shape entries;               // strides of the rows in the table
  int64_t rows, count, pairs;  // of x; of the table
  std::byte *table, *out;
};

template <class T>
void rotate(const RopePlan& p) {
  const RopeAttrs& a = *p.attrs;
  const View &x = p.x, &given = p.positions;
  Table<T> table{reinterpret_cast<T*>(p.table), p.pairs};
  table.fill(a, p.count, [&](int64_t i) {
    if (!given.data) return static_cast<double>(a.position + i);
    int64_t at = place_of(given.shape, given.strides, given.shape.rank, i);
    return given.dtype == DType::i32
               ? static_cast<double>(reinterpret_cast<const int32_t*>(given.data)[at])
               : static_cast<double>(reinterpret_cast<const int64_t*>(given.data)[at]);
  });
  const RowAccess<T> access{x};
  const int64_t width = x.shape.back();
  const int axes = x.shape.rank - 1;
  parallel_for(p.rows, kGrain / (width + 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      int64_t i = place_of(x.shape, p.entries, axes, r);
      access.turn(x.data + place_of(x.shape, x.strides, axes, r) * access.size,
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
  return count * width * (in[0].dtype() == DType::f64 ? 8 : 4);
}

Status rope_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& x = args.in[0];
  const int64_t elements = numel(x.shape), width = x.shape.back();
  if (elements == 0) return {};
  const auto& a = attrs_as<RopeAttrs>(args.attrs);
  const bool given = args.in.size() > 1 && args.in[1].data;
  const Shape positions = given ? args.in[1].shape : Shape{x.shape.back(1)};
  const RopePlan plan{&a,
                      x,
                      given ? args.in[1] : View(),
                      entries_of(x.shape.rank - 1, positions),
                      elements / width,
                      numel(positions),
                      turned(a, width) / 2,
                      args.scratch,
                      args.out[0].data};
  return launch<run_rope>(op, args, plan);
}

// The gradient rotates by the negative angle.
Tensors vjp(const VjpArgs& a) {
  RopeAttrs back = attrs_as<RopeAttrs>(a.attrs);
  back.inverse = !back.inverse;
  Tensors g(a.in_meta.size());
  g[0] = rope(a.grad[0], a.in.size() > 1 ? a.in[1] : Tensor(), back);
  return g;
}

void rope_samples(Samples& s) {
  s.add({s.uniform({5, 4})}, box(RopeAttrs{}));
  s.add({s.uniform({2, 3, 5, 6})}, box(RopeAttrs{.base = 100, .position = 7, .interleaved = true}));
  s.add({s.uniform({2, 3, 5, 6}), s.integers({2, 1, 5}, 0, 40)}, box(RopeAttrs{.width = 4}));
  s.add({s.uniform({2, 4}), s.integers({1}, 3, 9)}, box(RopeAttrs{.inverse = true}));
  s.add({s.uniform({0, 4})}, box(RopeAttrs{}));
  s.refuse(Code::shape, {s.uniform({4})}, box(RopeAttrs{}));
  s.refuse(Code::shape, {s.uniform({5, 4}), s.integers({4}, 0, 9)}, box(RopeAttrs{}));
  s.refuse(Code::dtype, {s.uniform({5, 4}), s.uniform({5})}, box(RopeAttrs{}));
  s.refuse(Code::dtype, {s.integers({5, 4}, 0, 9)}, box(RopeAttrs{}));
  s.refuse(Code::value, {s.uniform({5, 3})}, box(RopeAttrs{}));
  s.refuse(Code::value, {s.uniform({5, 4})}, box(RopeAttrs{.width = 6}));
  s.refuse(Code::value, {s.uniform({5, 4})}, box(RopeAttrs{.base = 0}));
}

}  // namespace

constinit const OpDef rope_def{
    .name = "rope",
    .doc = "rotary position embedding (RoPE): rotates pairs of features by position * frequency",
    .args = kRopeArgs,
    .attrs = &record_of<RopeAttrs>,
    .infer = rope_infer,
    .kernels = on_every_device(rope_kernel),
    .scratch = rope_scratch,
    .vjp = vjp,
    .saves_in = 2,
    .samples = rope_samples};

Tensor rope(const Tensor& x, const Tensor& positions, const RopeAttrs& attrs) {
  const Tensor in[] = {x, positions};
  return apply_one(rope_def, Inputs(in, positions.defined() ? 2 : 1), box(attrs));
}

}  // namespace gyre
