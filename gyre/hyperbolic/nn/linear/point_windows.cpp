#include "gyre/hyperbolic/nn/linear/point_windows.h"

#include "gyre/nn/layer.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {

Shape for_axes(const char* layer, const char* option, const Shape& given, int axes, int64_t least) {
  if (given.rank != 1 && given.rank != axes) {
    refuse_option(
        layer, option, given,
        axes == 1 ? std::string("1 number") : "1 or " + std::to_string(axes) + " numbers");
  }
  Shape all;
  for (int i = 0; i < axes; ++i) {
    all.push_back(given[given.rank == 1 ? 0 : i]);
    if (all[i] < least) refuse_option(layer, option, given, {least, " or more"});
  }
  return all;
}

Tensor point_windows(const char* layer, const Tensor& x, const Shape& kernel, const Shape& stride) {
  const int axes = kernel.rank;
  if (x.rank() != axes + 2) {
    throw Error(Code::shape, layer, {"x has shape ", x.shape(), ", expected ", axes + 2, " axes"},
                axes + 2, x.rank());
  }
  Tensor cut = x;
  for (int i = 0; i < axes; ++i) {
    cut = unfold(cut, {.axis = i + 2, .size = kernel[i], .step = stride[i]});
  }
  Shape order{0}, shape{x.size(0)};
  for (int i = 0; i < axes; ++i) {
    order.push_back(i + 2);
    shape.push_back(cut.size(i + 2));
  }
  for (int i = 0; i < axes; ++i) order.push_back(axes + 2 + i);
  order.push_back(1);
  shape.push_back(numel(kernel));
  shape.push_back(x.size(1));
  return reshape(permute(cut, order), shape);
}

Tensor as_channels(const Tensor& points) {
  Shape order{0, points.rank() - 1};
  for (int i = 1; i + 1 < points.rank(); ++i) order.push_back(i);
  return permute(points, order);
}

}  // namespace gyre::nn
