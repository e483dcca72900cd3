#include "gyre/ops/conv/im2col.h"

#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/convert.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/conv/patches.h"
#include "gyre/ops/conv/plans.h"

namespace gyre {
namespace {

/// Windows v for which v * stride + start lies in [0, size), of `windows`.
struct Range {
  int64_t begin, end;
  Range(int64_t start, int64_t stride, int64_t size, int64_t windows) {
    begin = start < 0 ? divide_up(-start, stride) : 0;
    end = size > start ? divide_up(size - start, stride) : 0;
    if (end > windows) end = windows;
    if (begin > end) begin = end;
  }
};

// --- im2col

Windows windows_of(const OpDef& op, const auto& a) {
  return windows_of(op, a.kernel, a.stride, a.padding, a.dilation);
}

void im2col_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Shape& x = in[0].shape();
  if (x.rank != 4) {
    throw mismatch(Code::shape, op.name, "expected images [N, C, H, W]", "[N, C, H, W]", x);
  }
  const Windows w = windows_of(op, attrs_as<Im2colAttrs>(attrs));
  const Pair counts = window_counts(op, w, x);
  out[0].shape = {x[0], x[1] * w.y.kernel * w.x.kernel, counts.y * counts.x};
  out[0].dtype = in[0].dtype();
}

Status run_im2col(const ColumnsPlan& p) noexcept {
  const View &x = p.in, &out = p.out;
  const Windows& w = p.w;
  const int64_t down = p.down, across = p.across;
  const auto size = static_cast<int64_t>(size_of(x.dtype));
  const Gather gather = convert_tiles().gather[log2_of(size_of(x.dtype))];
  // A row is element (i, j) of the windows (u, all v) of one image and channel.
  parallel_for(numel(out.shape) / across, kGrain / across + 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t u = row % down, element = row / down;
      const int64_t j = element % w.x.kernel, i = element / w.x.kernel % w.y.kernel;
      const int64_t plane = element / w.x.kernel / w.y.kernel;
      const int64_t y = u * w.y.stride + i * w.y.dilation - w.y.padding;
      const int64_t start = j * w.x.dilation - w.x.padding;
      std::byte* to = out.data + row * across * size;
      Range seen(start, w.x.stride, x.shape[3], across);
      if (y < 0 || y >= x.shape[2]) seen.end = seen.begin;
      std::memset(to, 0, static_cast<size_t>(seen.begin * size));
      if (seen.end > seen.begin) {
        const int64_t at = plane / x.shape[1] * x.strides[0] + plane % x.shape[1] * x.strides[1] +
                           y * x.strides[2] + (seen.begin * w.x.stride + start) * x.strides[3];
        gather(x.data + at * size, w.x.stride * x.strides[3], to + seen.begin * size,
               seen.end - seen.begin);
      }
      std::memset(to + seen.end * size, 0, static_cast<size_t>((across - seen.end) * size));
    }
  });
  return {};
}

Status im2col_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  if (numel(args.out[0].shape) == 0) return {};
  const Windows w = windows_of(op, attrs_as<Im2colAttrs>(args.attrs));
  return launch<run_im2col>(op, args, ColumnsPlan(args, w, args.in[0].shape));
}

Tensors im2col_vjp(const VjpArgs& v) {
  const auto& a = attrs_as<Im2colAttrs>(v.attrs);
  const Shape& x = v.in_meta[0].shape;
  return {col2im(v.grad[0], {{x[2], x[3]}, a.kernel, a.stride, a.padding, a.dilation})};
}

void im2col_samples(Samples& s) {
  s.add({s.uniform({2, 3, 4, 5})}, box(Im2colAttrs{{3, 2}}));
  s.add({s.uniform({1, 2, 5, 6})}, box(Im2colAttrs{{2, 3}, {2, 1}, {1, 2}, {2, 3}}));
  s.add({s.uniform({2, 1, 2, 2})}, box(Im2colAttrs{{1}, {1}, {2}}));
  s.add({s.uniform({0, 2, 4, 4})}, box(Im2colAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({2, 4, 5})}, box(Im2colAttrs{{3}}));
  s.refuse(Code::shape, {s.uniform({1, 2, 2, 2})}, box(Im2colAttrs{{3}}));
  s.refuse(Code::value, {s.uniform({1, 2, 4, 4})}, box(Im2colAttrs{{0}}));
}

// --- col2im

void col2im_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<Col2imAttrs>(attrs);
  const Shape& x = in[0].shape();
  if (!is_floating(in[0].dtype())) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "a floating dtype",
                   in[0].dtype());
  }
  const Windows w = windows_of(op, a);
  const Pair size = pair_of(op, "size", a.size, 0);
  const Pair counts = window_counts(op, w, Shape{size.y, size.x});
  const int64_t of_window = w.y.kernel * w.x.kernel, all = counts.y * counts.x;
  if (x.rank != 3 || x[1] % of_window != 0 || x[2] != all) {
    const std::string wanted =
        "[N, C * " + std::to_string(of_window) + ", " + std::to_string(all) + "]";
    throw mismatch(Code::shape, op.name, "expected x " + wanted, wanted, x);
  }
  out[0].shape = {x[0], x[1] / of_window, size.y, size.x};
  out[0].dtype = in[0].dtype();
}

/// Adds up the rows of an image.
class Col2im {
 public:
  explicit Col2im(const ColumnsPlan& p) : p_(p) {}

  void run() const {
    const int64_t width = out_.shape[3];
    const auto size = static_cast<int64_t>(size_of(out_.dtype));
    parallel_for(
        numel(out_.shape) / width, kGrain / (width * w_.x.kernel) + 1,
        [&](int64_t begin, int64_t end) {
          Pieces pieces(Pieces::size_for<double>(width) + Pieces::size_for<double>(p_.across));
          auto *sums = pieces.take<double>(width), *row = pieces.take<double>(p_.across);
          for (int64_t i = begin; i < end; ++i) {
            add_row(i / out_.shape[2], i % out_.shape[2], row, sums);
            write_elements(sums, out_.data + i * width * size, out_.dtype, 1, width);
          }
        });
  }

 private:
  void add_row(int64_t plane, int64_t y, double* row, double* sums) const {
    const auto size = static_cast<int64_t>(size_of(x_.dtype));
    const int64_t width = out_.shape[3], channels = out_.shape[1];
    conv_tiles<double>().fill(0, sums, width);
    for (int64_t i = 0; i < w_.y.kernel; ++i) {
      const int64_t at = y + w_.y.padding - i * w_.y.dilation, u = at / w_.y.stride;
      if (at < 0 || at % w_.y.stride != 0 || u >= p_.down) continue;
      for (int64_t j = 0; j < w_.x.kernel; ++j) {
        const int64_t element = (plane % channels * w_.y.kernel + i) * w_.x.kernel + j;
        const int64_t from = plane / channels * x_.strides[0] + element * x_.strides[1] +
                             u * p_.across * x_.strides[2];
        load_row(x_.data + from * size, x_.dtype, x_.strides[2], row, p_.across);
        const int64_t start = j * w_.x.dilation - w_.x.padding;
        const Range seen(start, w_.x.stride, width, p_.across);
        for (int64_t v = seen.begin; v < seen.end; ++v) sums[v * w_.x.stride + start] += row[v];
      }
    }
  }

  const ColumnsPlan& p_;
  const View &x_ = p_.in, &out_ = p_.out;
  const Windows& w_ = p_.w;
};

Status run_col2im(const ColumnsPlan& p) noexcept {
  return run_or_report([&] { Col2im(p).run(); });
}

Status col2im_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  if (numel(args.out[0].shape) == 0) return {};
  const Windows w = windows_of(op, attrs_as<Col2imAttrs>(args.attrs));
  return launch<run_col2im>(op, args, ColumnsPlan(args, w, args.out[0].shape));
}

Tensors col2im_vjp(const VjpArgs& v) {
  const auto& a = attrs_as<Col2imAttrs>(v.attrs);
  return {im2col(v.grad[0], {a.kernel, a.stride, a.padding, a.dilation})};
}

void col2im_samples(Samples& s) {
  s.add({s.uniform({2, 18, 8})}, box(Col2imAttrs{{4, 5}, {3, 2}}));
  s.add({s.uniform({1, 12, 12})}, box(Col2imAttrs{{5, 6}, {2, 3}, {2, 1}, {1, 2}, {2, 3}}));
  s.add({s.uniform({2, 1, 36})}, box(Col2imAttrs{{2, 2}, {1}, {1}, {2}}));
  s.add({s.uniform({0, 8, 9})}, box(Col2imAttrs{{4}, {2}}));
  s.refuse(Code::shape, {s.uniform({2, 18, 9})}, box(Col2imAttrs{{4, 5}, {3, 2}}));
  s.refuse(Code::shape, {s.uniform({2, 17, 8})}, box(Col2imAttrs{{4, 5}, {3, 2}}));
  s.refuse(Code::shape, {s.uniform({2, 9, 1})}, box(Col2imAttrs{{2}, {3}}));
  s.refuse(Code::value, {s.uniform({2, 18, 8})}, box(Col2imAttrs{{4, -5}, {3, 2}}));
  s.refuse(Code::dtype, {s.integers({2, 18, 8}, 0, 9)}, box(Col2imAttrs{{4, 5}, {3, 2}}));
}

}  // namespace

extern constinit const OpDef im2col_def{.name = "im2col",
                                        .doc = "im2col: sliding windows of images as columns",
                                        .attrs = &record_of<Im2colAttrs>,
                                        .infer = im2col_infer,
                                        .kernels = on_every_device(im2col_kernel),
                                        .vjp = im2col_vjp,
                                        .samples = im2col_samples};

extern constinit const OpDef col2im_def{
    .name = "col2im",
    .doc = "col2im: sum of columns into images, the transpose of im2col",
    .attrs = &record_of<Col2imAttrs>,
    .infer = col2im_infer,
    .kernels = on_every_device(col2im_kernel),
    .vjp = col2im_vjp,
    .samples = col2im_samples};

GYRE_FUNCTION_1(im2col, Im2colAttrs)

GYRE_FUNCTION_1(col2im, Col2imAttrs)

}  // namespace gyre
