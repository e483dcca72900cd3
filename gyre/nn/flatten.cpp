#include "gyre/nn/flatten.h"

#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {

Tensor Flatten::operator()(const Tensor& x) const {
  return flatten(x, options_.start, options_.end);
}

constinit const LayerDef flatten_layer = define_layer<Flatten, FlattenOptions>(
    "Flatten", "flattens a range of axes into one", [](LayerSamples& s) {
      Samples draw;
      s.add(FlattenOptions{}, {draw.uniform({2, 3, 2})});
      s.add(FlattenOptions{.start = 0, .end = 1}, {draw.uniform({2, 3, 2})});
    });

}  // namespace gyre::nn
