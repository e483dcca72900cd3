#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/conv/patches.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/conv/pool_axis.h"
#include "gyre/ops/conv/pool_tiles.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

GYRE_DECLARE_TILES(AllPoolTiles, pool)

namespace {

// Places: row-major index in its image of the element each result comes from.
constexpr const char* kOutputs[] = {"out", "places"};

GYRE_TILES_FUNCTION_OF_T(LargerRow<T>, larger_row, AllPoolTiles, pool)

template <class T>
struct Best {
  T value, row;  ///< the row counts the elements of the window above
  int64_t column;
  [[nodiscard]] bool loses_to(T v, T r) const {
    if (v > value) return true;
    const bool nan = value != value;
    if (nan != (v != v)) return !nan;
    return (nan || v == value) && r < row;
  }
};

/// Pools the rows of images one by one: the largest of each column first, then along the row.
template <class T>
class MaxPool {
 public:
  explicit MaxPool(const MaxPoolPlan& p) : p_(p) {}

  void run() const {
    const int64_t width = axes_.x.size, rows = numel(out_.shape) / axes_.x.windows;
    parallel_for(rows, kGrain / (width * 2 + 1) + 1, [&](int64_t begin, int64_t end) {
      Pieces pieces(3 * Pieces::size_for<T>(width) + Pieces::size_for<T>(axes_.x.windows));
      T *row = pieces.take<T>(width), *best = pieces.take<T>(width), *place = pieces.take<T>(width),
        *results = pieces.take<T>(axes_.x.windows);
      for (int64_t i = begin; i < end; ++i) {
        columns(i, row, best, place);
        along(i, best, place, results);
      }
    });
  }

 private:
  // Row i of all images' results: of which image and channel, and which row.
  [[nodiscard]] int64_t row_of(int64_t i) const { return i % axes_.y.windows; }

  void columns(int64_t i, T* row, T* best, T* place) const {
    const auto size = static_cast<int64_t>(size_of(x_.dtype));
    const int64_t u = row_of(i), plane = i / axes_.y.windows, width = axes_.x.size;
    const std::byte* image =
        x_.data +
        (plane / x_.shape[1] * x_.strides[0] + plane % x_.shape[1] * x_.strides[1]) * size;
    const int64_t first = axes_.y.first(u), end = axes_.y.end(u), step = axes_.y.window.dilation;
    T at = 0;
    for (int64_t y = first; y < end; y += step, ++at) {
      const std::byte* from = image + y * x_.strides[2] * size;
      if (y == first) {
        load_row(from, x_.dtype, x_.strides[3], best, width);
        conv_tiles<T>().fill(T(0), place, width);
      } else if (x_.dtype == kDTypeOf<T> && x_.strides[3] == 1) {
        larger_row<T>()(reinterpret_cast<const T*>(from), at, best, place, width);
      } else {
        load_row(from, x_.dtype, x_.strides[3], row, width);
        larger_row<T>()(row, at, best, place, width);
      }
    }
  }

  void along(int64_t i, const T* value, const T* row, T* results) const {
    const PoolAxis& axis = axes_.x;
    const int64_t top = axes_.y.first(row_of(i)), step = axis.window.dilation;
    for (int64_t v = 0; v < axis.windows; ++v) {
      const auto [first, end, count] = spans_[static_cast<size_t>(v)];
      Best<T> best{value[first], row[first], first};
      for (int64_t x = first + step; x < end; x += step) {
        if (best.loses_to(value[x], row[x])) best = {value[x], row[x], x};
      }
      results[v] = best.value;
      if (p_.places) {
        const int64_t y = top + static_cast<int64_t>(best.row) * axes_.y.window.dilation;
        p_.places[i * axis.windows + v] = y * axis.size + best.column;
      }
    }
    const auto size = static_cast<int64_t>(size_of(out_.dtype));
    write_elements(results, out_.data + i * axis.windows * size, out_.dtype, 1, axis.windows);
  }

  const MaxPoolPlan& p_;
  const View &x_ = p_.x, &out_ = p_.out;
  const PoolAxes& axes_ = p_.axes;
  const std::vector<PoolSpan> spans_ = spans_of(axes_.x);
};

template <class PoolAttrs>
void max_pool_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_pooled(op, in[0]);
  const PoolAxes axes = pool_axes(op, attrs_as<PoolAttrs>(attrs), in[0].shape());
  out[0].shape = {in[0].size(0), in[0].size(1), axes.y.windows, axes.x.windows};
  out[0].dtype = in[0].dtype();
  out[1].shape = out[0].shape;
  out[1].dtype = DType::i64;
}

Status run_max_pool(const MaxPoolPlan& p) noexcept {
  return run_or_report([&] {
    if (p.wide) {
      MaxPool<double>(p).run();
    } else {
      MaxPool<float>(p).run();
    }
  });
}

template <class PoolAttrs>
Status max_pool_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const PoolAxes axes = pool_axes(op, attrs_as<PoolAttrs>(args.attrs), x.shape);
  auto* places = args.out.size() > 1 ? reinterpret_cast<int64_t*>(args.out[1].data) : nullptr;
  constexpr int64_t kExact = int64_t{1} << 24;  // integers exact in f32
  const bool wide = x.dtype == DType::f64 || axes.y.size > kExact;
  return launch<run_max_pool>(op, args, MaxPoolPlan{x, out, places, axes, wide});
}

Tensors max_pool_vjp(const VjpArgs& v) {
  const Shape& x = v.in_meta[0].shape;
  const Tensor& g = v.grad[0];
  const int64_t images = x[0] * x[1], results = g.size(2) * g.size(3);
  const Tensor none =
      zeros({images, x[2] * x[3]}, {.dtype = g.dtype(), .device = v.in_meta[0].device});
  const Tensor sums =
      scatter_add(none, 1, reshape(v.out[1], {images, results}), reshape(g, {images, results}));
  return {reshape(sums, x)};
}

template <class PoolAttrs>
constexpr OpDef define_max_pool(const char* name, const char* doc, void (*samples)(Samples&)) {
  return {.name = name,
          .doc = doc,
          .outputs = kOutputs,
          .attrs = &record_of<PoolAttrs>,
          .infer = max_pool_infer<PoolAttrs>,
          .kernels = on_every_device(max_pool_kernel<PoolAttrs>),
          .vjp = max_pool_vjp,
          .saves_out = 2,
          .samples = samples};
}

void max_pool2d_samples(Samples& s) {
  s.add({apart(s, {2, 3, 4, 6})}, box(MaxPoolAttrs{{2}}));
  s.add({apart(s, {2, 1, 5, 7})}, box(MaxPoolAttrs{{3, 2}, {2, 1}, {1}, {1, 3}}));
  s.add({apart(s, {1, 2, 6, 5})}, box(MaxPoolAttrs{{3}, {2}, {1}, {2, 1}, true}));
  s.add({apart(s, {1, 2, 2, 7})}, box(MaxPoolAttrs{{3}, {2}, {0}, {1}, true}));
  s.add({s.uniform({0, 2, 4, 4})}, box(MaxPoolAttrs{{2}}));
  const Tensor ties = s.values({1, 3, 3, 3, 2, -1, 3, 0});
  s.extreme({reshape(ties, {1, 1, 2, 4})}, box(MaxPoolAttrs{{2}, {1}}));
  const auto with = [&](Code code, const Shape& x, const MaxPoolAttrs& a) {
    s.refuse(code, {s.uniform(x)}, box(a));
  };
  with(Code::shape, {3, 4, 4}, {{2}});
  with(Code::shape, {1, 1, 4, 4}, {{5}});
  with(Code::shape, {1, 1, 0, 4}, {{1}});
  with(Code::value, {1, 1, 4, 4}, {{2}, {2}, {2}});
  with(Code::value, {1, 1, 4, 4}, {{2}, {0}});
  with(Code::value, {1, 1, 4, 4}, {{2}, {1}, {1}, {5}});
  s.refuse(Code::dtype, {s.integers({1, 1, 4, 4}, 0, 9)}, box(MaxPoolAttrs{{2}}));
}

// --- signals

Tensors max_pool1d_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<MaxPoolAttrs>(attrs);
  const MaxPoolAttrs wide{along_signal(op, "kernel", a.kernel, 1),
                          along_signal(op, "stride", a.stride, 1),
                          along_signal(op, "padding", a.padding, 0),
                          along_signal(op, "dilation", a.dilation, 1), a.ceil_mode};
  return {squeeze(max_pool2d(as_image(op, in[0]), wide), {2})};
}

void max_pool1d_samples(Samples& s) {
  s.add({apart(s, {2, 2, 6})}, box(MaxPoolAttrs{{2}}));
  s.add({apart(s, {1, 1, 9})}, box(MaxPoolAttrs{{3}, {2}, {1}, {2}, true}));
  s.add({s.uniform({0, 2, 4})}, box(MaxPoolAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({2, 4})}, box(MaxPoolAttrs{{2}}));
  s.refuse(Code::value, {s.uniform({2, 2, 4})}, box(MaxPoolAttrs{{2, 2}}));
}

}  // namespace

extern constinit const OpDef max_pool2d_def =
    define_max_pool<MaxPoolAttrs>("max_pool2d", "2-D max pooling", max_pool2d_samples);

extern constinit const OpDef adaptive_max_pool2d_def = define_max_pool<AdaptivePoolAttrs>(
    "adaptive_max_pool2d", "adaptive 2-D max pooling to a given output size",
    adaptive_pool2d_samples);

extern constinit const OpDef max_pool1d_def{.name = "max_pool1d",
                                            .doc = "1-D max pooling",
                                            .attrs = &record_of<MaxPoolAttrs>,
                                            .compose = max_pool1d_compose,
                                            .samples = max_pool1d_samples};

extern constinit const OpDef adaptive_max_pool1d_def = define_adaptive_pool1d<adaptive_max_pool2d>(
    "adaptive_max_pool1d", "adaptive 1-D max pooling to a given output size");

GYRE_FUNCTION_1(max_pool2d, MaxPoolAttrs)
GYRE_FUNCTION_1(max_pool1d, MaxPoolAttrs)
GYRE_FUNCTION_1(adaptive_max_pool2d, AdaptivePoolAttrs)
GYRE_FUNCTION_1(adaptive_max_pool1d, AdaptivePoolAttrs)

}  // namespace gyre
