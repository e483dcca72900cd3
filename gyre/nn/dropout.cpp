#include "gyre/nn/dropout.h"

#include <fmt/core.h>

#include "gyre/base/error.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/random/random.h"

namespace gyre::nn {

Dropout::Dropout(const DropoutOptions& o) : share_(o.share) {
  if (!(share_ >= 0 && share_ <= 1)) {
    throw mismatch(Code::value, "dropout", "share must be in [0, 1]", "[0, 1]",
                   fmt::format("{}", share_));
  }
}

Tensor Dropout::operator()(const Tensor& x) const {
  return share_ > 0 ? dropout(x, share_, training()) : x;
}

constinit const LayerDef dropout_layer = define_layer<Dropout, DropoutOptions>(
    "Dropout", "zeroes elements with probability p in training, scales the rest by 1 / (1 - p)",
    [](LayerSamples& s) {
      Samples draw;
      s.add(DropoutOptions{.share = 0}, {draw.uniform({2, 3})});
      s.refuse(Code::value, DropoutOptions{.share = -0.1});
      s.refuse(Code::value, DropoutOptions{.share = 1.1});
    });

}  // namespace gyre::nn
