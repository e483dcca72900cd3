#include "gyre/nn/norms/rms_norm.h"

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/norm/norm.h"

namespace gyre::nn {

RmsNorm::RmsNorm(const RmsNormOptions& o) : eps_(o.eps) {
  check_record("RMSNorm", o);
  weight = ones({o.width});
}

Tensor RmsNorm::operator()(const Tensor& x) const { return rms_norm(x, weight, {.eps = eps_}); }

void RmsNorm::visit(Visitor& v) { v.parameter("weight", weight); }

constinit const LayerDef rms_norm_layer = define_layer<RmsNorm, RmsNormOptions>(
    "RMSNorm", "root mean square normalisation over the last axis with a learned scale",
    [](LayerSamples& s) {
      Samples draw;
      s.add(RmsNormOptions{.width = 5}, {draw.uniform({2, 3, 5})});
      s.add(RmsNormOptions{.width = 1, .eps = 0.1}, {draw.uniform({4, 1})});
      s.refuse(Code::value, RmsNormOptions{});
    });

}  // namespace gyre::nn
