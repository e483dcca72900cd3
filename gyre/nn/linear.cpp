#include "gyre/nn/linear.h"

#include <cmath>

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

Linear::Linear(const LinearOptions& o, Generator* generator) {
  check_record("Linear", o);
  double bound = 1 / std::sqrt(static_cast<double>(o.in));
  weight = uniform({o.out, o.in}, bound, generator);
  if (o.bias) bias = uniform({o.out}, bound, generator);
}

Tensor Linear::operator()(const Tensor& x) const { return linear(x, weight, bias); }

void Linear::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

constinit const LayerDef linear_layer = define_layer<Linear, LinearOptions>(
    "Linear", "affine map x W^T + b of the last axis", [](LayerSamples& s) {
      Samples draw;
      s.add(LinearOptions{3, 4}, {draw.uniform({2, 3})});
      s.add(LinearOptions{2, 1, false}, {draw.uniform({3, 2, 2})});
      s.add(LinearOptions{1, 2}, {draw.uniform({1})});
      s.refuse(Code::value, LinearOptions{0, 3});
      s.refuse(Code::value, LinearOptions{3, 0});
    });

}  // namespace gyre::nn
