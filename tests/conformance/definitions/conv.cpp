#include "tests/conformance/definitions/image.h"

namespace gyre::conformance {
namespace {

size_t place(const Shape& s, int64_t a, int64_t b, int64_t c, int64_t d) {
  return static_cast<size_t>(((a * s[1] + b) * s[2] + c) * s[3] + d);
}

struct Call2d {
  Axes stride, padding, dilation;
  int64_t groups;
  Call2d(const Call& call, bool signal)
      : stride(pair_of(call, "stride", 1, signal)),
        padding(pair_of(call, "padding", 0, signal)),
        dilation(pair_of(call, "dilation", 1, signal)),
        groups(attribute(call, "groups", int64_t{1})) {}
};

// f(index in x, index in weight, index in y) for all products of a convolution from x to y.
template <class F>
void each_product(const Call2d& a, const Shape& x, const Shape& weight, const Shape& y, F f) {
  const int64_t filters = weight[0] / a.groups;
  each_place(Shape{y[0], y[1], y[2], y[3], weight[1], weight[2], weight[3]},
             [&](const int64_t* at) {
               const int64_t row = at[2] * a.stride.y + at[5] * a.dilation.y - a.padding.y;
               const int64_t col = at[3] * a.stride.x + at[6] * a.dilation.x - a.padding.x;
               if (row < 0 || row >= x[2] || col < 0 || col >= x[3]) return;
               const int64_t channel = at[1] / filters * weight[1] + at[4];
               f(place(x, at[0], channel, row, col), place(weight, at[1], at[4], at[5], at[6]),
                 place(y, at[0], at[1], at[2], at[3]));
             });
}

int64_t windows(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation) {
  return (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

Values with_bias(const std::vector<Dense>& in, const Shape& y) {
  Values r(static_cast<size_t>(numel(y)), 0.0);
  const bool biased = in.size() > 2 && !in[2].v.empty();
  for (size_t i = 0; biased && i < r.size(); ++i) {
    r[i] = in[2].v[i / static_cast<size_t>(y[2] * y[3]) % static_cast<size_t>(y[1])];
  }
  return r;
}

std::vector<Values> conv(const Call& call, const std::vector<Dense>& in) {
  const bool signal = in[0].shape.rank == 3;
  const Call2d a(call, signal);
  const Dense x = as_image(in[0]), weight = as_image(in[1]);
  const Shape y{x.shape[0], weight.shape[0],
                windows(x.shape[2], weight.shape[2], a.stride.y, a.padding.y, a.dilation.y),
                windows(x.shape[3], weight.shape[3], a.stride.x, a.padding.x, a.dilation.x)};
  Values r = with_bias(in, y);
  each_product(a, x.shape, weight.shape, y,
               [&](size_t i, size_t w, size_t o) { r[o] += x.v[i] * weight.v[w]; });
  return {r};
}

std::vector<Values> conv_transpose(const Call& call, const std::vector<Dense>& in) {
  const bool signal = in[0].shape.rank == 3;
  const Call2d a(call, signal);
  const Axes more = pair_of(call, "output_padding", 0, signal);
  const Dense x = as_image(in[0]), weight = as_image(in[1]);
  const Shape y{x.shape[0], weight.shape[1] * a.groups,
                (x.shape[2] - 1) * a.stride.y - 2 * a.padding.y +
                    a.dilation.y * (weight.shape[2] - 1) + more.y + 1,
                (x.shape[3] - 1) * a.stride.x - 2 * a.padding.x +
                    a.dilation.x * (weight.shape[3] - 1) + more.x + 1};
  Values r = with_bias(in, y);
  each_product(a, y, weight.shape, x.shape,
               [&](size_t o, size_t w, size_t i) { r[o] += x.v[i] * weight.v[w]; });
  return {r};
}

std::vector<Values> weight_gradient(const Call& call, const std::vector<Dense>& in) {
  const Call2d a(call, false);
  const Axes kernel = pair_of(call, "kernel", 1, false);
  const Dense &x = in[0], &grad = in[1];
  const Shape weight{grad.shape[1], x.shape[1] / a.groups, kernel.y, kernel.x};
  Values r(static_cast<size_t>(numel(weight)), 0.0);
  each_product(a, x.shape, weight, grad.shape,
               [&](size_t i, size_t w, size_t o) { r[w] += x.v[i] * grad.v[o]; });
  return {r};
}

const Definitions kConv({
    {"conv2d", conv},
    {"conv1d", conv},
    {"conv_transpose2d", conv_transpose},
    {"conv_transpose1d", conv_transpose},
    {"conv2d_weight_gradient", weight_gradient},
});

}  // namespace
}  // namespace gyre::conformance
