#include "gyre/packed/nn/packed_linear.h"

#include <cmath>

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/packed/packed.h"

namespace gyre::nn {

PackedLinear::PackedLinear(const PackedLinearOptions& o, Generator* generator) {
  check_record("PackedLinear", o);
  const RingFormat& format = ring_format(codec(o.format));
  const double bound = 1 / std::sqrt(static_cast<double>(o.in));
  const Shape shape{o.out, o.in};
  if (Unfilled::active()) {
    weight = nn::zeros(shape);
  } else {
    weight = packed_random(format, shape, bound, generator ? *generator : default_generator());
    weight.set_requires_grad();
  }
  if (o.bias) bias = uniform({o.out}, bound, generator);
}

Tensor PackedLinear::operator()(const Tensor& x) const { return linear(x, weight, bias); }

void PackedLinear::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

extern const LayerDef packed_linear_layer;
constinit const LayerDef packed_linear_layer = define_layer<PackedLinear, PackedLinearOptions>(
    "PackedLinear", "affine map x W^T + b of the last axis, W packed", [](LayerSamples& s) {
      Samples draw;
      s.add(PackedLinearOptions{3, 4}, {draw.uniform({2, 3})});
      s.add(PackedLinearOptions{20, 17, PackedFormat::T4, false}, {draw.uniform({3, 2, 20})});
      s.add(PackedLinearOptions{1, 2, PackedFormat::D3}, {draw.uniform({1})});
      s.refuse(Code::value, PackedLinearOptions{0, 3});
      s.refuse(Code::value, PackedLinearOptions{3, 0});
      s.refuse(Code::value, PackedLinearOptions{3, 4, PackedFormat::q4_0});
    });

}  // namespace gyre::nn
