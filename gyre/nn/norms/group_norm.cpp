#include "gyre/nn/norms/group_norm.h"

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/norm/norm.h"

namespace gyre::nn {

GroupNorm::GroupNorm(const GroupNormOptions& o) : options_(o) {
  check_record("GroupNorm", o);
  if (o.channels % o.groups != 0) {
    refuse_option("GroupNorm", "groups", o.groups, {"a divisor of channels, ", o.channels});
  }
  if (!o.affine) return;
  weight = ones({o.channels});
  bias = zeros({o.channels});
}

Tensor GroupNorm::operator()(const Tensor& x) const {
  return group_norm(x, weight, bias, {options_.groups, options_.eps});
}

void GroupNorm::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

constinit const LayerDef group_norm_layer = define_layer<GroupNorm, GroupNormOptions>(
    "GroupNorm", "group normalisation: mean 0 and variance 1 over each group of channels",
    [](LayerSamples& s) {
      Samples draw;
      s.add(GroupNormOptions{.groups = 2, .channels = 4}, {draw.uniform({2, 4, 3})});
      s.add(GroupNormOptions{.groups = 1, .channels = 3, .affine = false},
            {draw.uniform({2, 3, 2, 2})});
      s.refuse(Code::value, GroupNormOptions{.groups = 2, .channels = 3});
      s.refuse(Code::value, GroupNormOptions{.groups = 0, .channels = 3});
      s.refuse(Code::value, GroupNormOptions{});
    });

}  // namespace gyre::nn
