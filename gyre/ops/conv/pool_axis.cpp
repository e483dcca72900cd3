#include "gyre/ops/conv/pool_axis.h"

#include "gyre/op/samples.h"

namespace gyre {
namespace {

// Number of windows that fit; with ceil_mode one more if it starts inside the image or its leading
// padding.
int64_t windows_of(const Window& w, int64_t size, bool ceil_mode) {
  const int64_t room = size + 2 * w.padding - w.extent() + (ceil_mode ? w.stride - 1 : 0);
  if (room < 0) return 0;
  const int64_t last = room / w.stride;
  return ceil_mode && last * w.stride >= size + w.padding ? last : last + 1;
}

void check_padding(const OpDef& op, const Window& w) {
  if (2 * w.padding > w.kernel) {
    refuse(Code::value, op,
           {"padding must be at most half of kernel, got padding ", w.padding, " and kernel ",
            w.kernel},
           w.kernel / 2, w.padding);
  }
}

// All elements of a dilated window may miss a small image.
void check_seen(const OpDef& op, const PoolAxis& axis) {
  if (axis.window.dilation == 1 || axis.window.padding == 0) return;
  for (int64_t u = 0; u < axis.windows; ++u) {
    if (axis.first(u) >= axis.end(u)) {
      refuse(Code::value, op,
             {"window ", u, " of an axis of size ", axis.size, " has only padding"}, {}, axis.size);
    }
  }
}

Pair image_size(const OpDef& op, const Shape& image) {
  const Pair size{image.back(1), image.back()};
  if (size.y < 1 || size.x < 1 || size.y > kMostOfWindow || size.x > kMostOfWindow) {
    throw mismatch(Code::shape, op.name, "images must have 1 to 2^31 rows and columns",
                   "at least [1, 1]", text_of(size));
  }
  return size;
}

PoolAxes fixed_axes(const OpDef& op, const Windows& w, const Shape& image, bool ceil_mode,
                    bool counts_padding) {
  check_padding(op, w.y);
  check_padding(op, w.x);
  const Pair size = image_size(op, image);
  const PoolAxes axes{{size.y, windows_of(w.y, size.y, ceil_mode), w.y, false, counts_padding},
                      {size.x, windows_of(w.x, size.x, ceil_mode), w.x, false, counts_padding}};
  if (axes.y.windows < 1 || axes.x.windows < 1) window_counts(op, w, image);  // which refuses
  check_seen(op, axes.y);
  check_seen(op, axes.x);
  return axes;
}

}  // namespace

PoolAxes pool_axes(const OpDef& op, const MaxPoolAttrs& a, const Shape& image) {
  const Windows w =
      windows_of(op, a.kernel, a.stride.rank ? a.stride : a.kernel, a.padding, a.dilation);
  return fixed_axes(op, w, image, a.ceil_mode, false);
}

PoolAxes pool_axes(const OpDef& op, const AvgPoolAttrs& a, const Shape& image) {
  const Windows w = windows_of(op, a.kernel, a.stride.rank ? a.stride : a.kernel, a.padding, {1});
  return fixed_axes(op, w, image, a.ceil_mode, a.count_include_pad);
}

PoolAxes pool_axes(const OpDef& op, const AdaptivePoolAttrs& a, const Shape& image) {
  const Pair size = image_size(op, image), windows = pair_of(op, "size", a.size, 1);
  return {{size.y, windows.y, {1, 1, 0, 1}, true}, {size.x, windows.x, {1, 1, 0, 1}, true}};
}

std::vector<PoolSpan> spans_of(const PoolAxis& axis) {
  std::vector<PoolSpan> spans;
  spans.reserve(static_cast<size_t>(axis.windows));
  for (int64_t u = 0; u < axis.windows; ++u) {
    spans.push_back({axis.first(u), axis.end(u), axis.count(u)});
  }
  return spans;
}

void check_pooled(const OpDef& op, const Tensor& x) {
  if (x.rank() != 4) {
    throw mismatch(Code::shape, op.name, "expected images [N, C, H, W]", "[N, C, H, W]", x.shape());
  }
  if (!is_floating(x.dtype())) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "a floating dtype",
                   x.dtype());
  }
}

Tensor apart(Samples& s, const Shape& shape) {
  return reshape(s.spread(numel(shape), -2, 2), shape);
}

void adaptive_pool2d_samples(Samples& s) {
  s.add({apart(s, {2, 3, 4, 6})}, box(AdaptivePoolAttrs{{2, 3}}));
  s.add({apart(s, {1, 2, 5, 7})}, box(AdaptivePoolAttrs{{3, 4}}));
  s.add({apart(s, {2, 2, 3, 4})}, box(AdaptivePoolAttrs{{5, 1}}));
  s.add({s.uniform({0, 2, 4, 4})}, box(AdaptivePoolAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({3, 4, 4})});
  s.refuse(Code::shape, {s.uniform({1, 3, 0, 4})});
  s.refuse(Code::value, {s.uniform({1, 3, 4, 4})}, box(AdaptivePoolAttrs{{0}}));
  s.refuse(Code::value, {s.uniform({1, 3, 4, 4})}, box(AdaptivePoolAttrs{{-1}}));
  s.refuse(Code::dtype, {s.integers({1, 1, 4, 4}, 0, 9)});
}

void adaptive_pool1d_samples(Samples& s) {
  s.add({apart(s, {2, 2, 7})}, box(AdaptivePoolAttrs{{3}}));
  s.add({apart(s, {1, 2, 4})}, box(AdaptivePoolAttrs{{6}}));
  s.add({s.uniform({0, 2, 4})}, box(AdaptivePoolAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({2, 4})});
  s.refuse(Code::value, {s.uniform({2, 2, 4})}, box(AdaptivePoolAttrs{{2, 2}}));
}

Shape along_signal(const OpDef& op, const char* name, const Shape& given, int64_t other) {
  if (given.rank == 0) return given;
  if (given.rank != 1) {
    throw mismatch(Code::value, op.name, {name, " must be one number"}, "[x]", given);
  }
  return {other, given[0]};
}

Tensor as_image(const OpDef& op, const Tensor& x) {
  if (x.rank() != 3) {
    throw mismatch(Code::shape, op.name, "expected signals [N, C, L]", "[N, C, L]", x.shape());
  }
  return unsqueeze(x, 2);
}

}  // namespace gyre
