#include "gyre/nn/conv.h"

#include <cmath>

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"

namespace gyre::nn {
namespace {

// Shape of the weight of a convolution over `axes` spatial axes.
Shape weight_shape(const char* layer, const ConvOptions& o, int axes, bool transposed) {
  check_record(layer, o);
  if (o.in % o.groups != 0 || o.out % o.groups != 0) {
    refuse_option(layer, "groups", o.groups, {"a divisor of in and out, ", o.in, " and ", o.out});
  }
  if (o.kernel.rank < 1 || o.kernel.rank > axes) {
    refuse_option(layer, "kernel", o.kernel, {"1 to ", axes, " numbers"});
  }
  Shape shape = transposed ? Shape{o.in, o.out / o.groups} : Shape{o.out, o.in / o.groups};
  for (int i = 0; i < axes; ++i) {
    const int64_t size = o.kernel[o.kernel.rank == 1 ? 0 : i];
    if (size < 1) refuse_option(layer, "kernel", o.kernel, "1 or more");
    shape.push_back(size);
  }
  return shape;
}

template <class Options, int axes>
void conv_samples(LayerSamples& s) {
  using O = ConvOptions;
  Samples draw;
  auto image = [&](int64_t channels, int64_t size) {
    Shape shape{2, channels};
    for (int i = 0; i < axes; ++i) shape.push_back(size);
    return draw.uniform(shape);
  };
  s.add(Options{O{.in = 2, .out = 3, .kernel = {2}}}, {image(2, 4)});
  s.add(Options{O{.in = 2,
                  .out = 4,
                  .kernel = {3},
                  .stride = {2},
                  .padding = {1},
                  .groups = 2,
                  .bias = false}},
        {image(2, 5)});
  s.refuse(Code::value, Options{O{.in = 0, .out = 1, .kernel = {1}}});
  s.refuse(Code::value, Options{O{.in = 1, .out = 0, .kernel = {1}}});
  s.refuse(Code::value, Options{O{.in = 1, .out = 1}});
  s.refuse(Code::value, Options{O{.in = 1, .out = 1, .kernel = {0}}});
  s.refuse(Code::value, Options{O{.in = 1, .out = 1, .kernel = {1, 1, 1}}});
  s.refuse(Code::value, Options{O{.in = 2, .out = 3, .kernel = {1}, .groups = 2}});
}

}  // namespace

Convolution::Convolution(const char* layer, const ConvOptions& o, int axes, bool transposed,
                         Generator* generator) {
  const Shape shape = weight_shape(layer, o, axes, transposed);
  const double bound = 1 / std::sqrt(static_cast<double>(fan_of(shape).in));
  weight = uniform(shape, bound, generator);
  if (o.bias) bias = uniform({o.out}, bound, generator);
}

void Convolution::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

template <int axes>
Conv<axes>::Conv(const ConvOptions& o, Generator* generator)
    : Convolution(axes == 1 ? "Conv1d" : "Conv2d", o, axes, false, generator),
      attrs_{o.stride, o.padding, o.dilation, o.groups} {}

template <int axes>
Tensor Conv<axes>::operator()(const Tensor& x) const {
  return (axes == 1 ? conv1d : conv2d)(x, weight, bias, attrs_);
}

template <int axes>
ConvTranspose<axes>::ConvTranspose(const ConvTransposeOptions& o, Generator* generator)
    : Convolution(axes == 1 ? "ConvTranspose1d" : "ConvTranspose2d", o.conv, axes, true, generator),
      attrs_{o.conv.stride, o.conv.padding, o.output_padding, o.conv.dilation, o.conv.groups} {}

template <int axes>
Tensor ConvTranspose<axes>::operator()(const Tensor& x) const {
  return (axes == 1 ? conv_transpose1d : conv_transpose2d)(x, weight, bias, attrs_);
}

template class Conv<1>;
template class Conv<2>;
template class ConvTranspose<1>;
template class ConvTranspose<2>;

constinit const LayerDef conv1d_layer = define_layer<Conv1d, ConvOptions>(
    "Conv1d", "1-D convolution of [N, in, L]", conv_samples<ConvOptions, 1>);
constinit const LayerDef conv2d_layer = define_layer<Conv2d, ConvOptions>(
    "Conv2d", "2-D convolution of [N, in, H, W]", conv_samples<ConvOptions, 2>);
constinit const LayerDef conv_transpose1d_layer =
    define_layer<ConvTranspose1d, ConvTransposeOptions>("ConvTranspose1d",
                                                        "1-D transposed convolution of [N, in, L]",
                                                        conv_samples<ConvTransposeOptions, 1>);
constinit const LayerDef conv_transpose2d_layer =
    define_layer<ConvTranspose2d, ConvTransposeOptions>(
        "ConvTranspose2d", "2-D transposed convolution of [N, in, H, W]",
        conv_samples<ConvTransposeOptions, 2>);

}  // namespace gyre::nn
