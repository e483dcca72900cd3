#include "gyre/nn/conv.h"

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/nn/init.h"

namespace gyre::nn {
namespace {

[[noreturn]] void refuse(const char* layer, const std::string& message) {
  throw Error(Code::value, layer, message);
}

// The shape of the weight of a layer over so many axes.
Shape weight_shape(const char* layer, const ConvOptions& o, int axes) {
  if (o.in < 1 || o.out < 1) {
    refuse(layer, "in and out must be 1 or more, are " + std::to_string(o.in) + " and " +
                      std::to_string(o.out));
  }
  if (o.groups < 1 || o.in % o.groups != 0 || o.out % o.groups != 0) {
    refuse(layer, "groups must divide in and out, " + std::to_string(o.in) + " and " +
                      std::to_string(o.out) + ", are " + std::to_string(o.groups));
  }
  if (o.kernel.rank < 1 || o.kernel.rank > axes) {
    refuse(layer,
           "kernel takes 1 to " + std::to_string(axes) + " numbers, got " + to_string(o.kernel));
  }
  Shape shape{o.out, o.in / o.groups};
  for (int i = 0; i < axes; ++i) {
    const int64_t size = o.kernel[o.kernel.rank == 1 ? 0 : i];
    if (size < 1) refuse(layer, "kernel must be 1 or more, is " + to_string(o.kernel));
    shape.push_back(size);
  }
  return shape;
}

double bound_of(const Shape& weight) {
  return 1 / std::sqrt(static_cast<double>(fan_of(weight).in));
}

ConvAttrs attrs_of(const ConvOptions& o) { return {o.stride, o.padding, o.dilation, o.groups}; }

}  // namespace

Conv1d::Conv1d(const ConvOptions& o, Generator* generator) : attrs_(attrs_of(o)) {
  const Shape shape = weight_shape("conv1d", o, 1);
  weight = uniform(shape, bound_of(shape), generator);
  if (o.bias) bias = uniform({o.out}, bound_of(shape), generator);
}

Tensor Conv1d::operator()(const Tensor& x) const { return conv1d(x, weight, bias, attrs_); }

void Conv1d::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

Conv2d::Conv2d(const ConvOptions& o, Generator* generator) : attrs_(attrs_of(o)) {
  const Shape shape = weight_shape("conv2d", o, 2);
  weight = uniform(shape, bound_of(shape), generator);
  if (o.bias) bias = uniform({o.out}, bound_of(shape), generator);
}

Tensor Conv2d::operator()(const Tensor& x) const { return conv2d(x, weight, bias, attrs_); }

void Conv2d::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

}  // namespace gyre::nn
