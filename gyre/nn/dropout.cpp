#include "gyre/nn/dropout.h"

#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/random/random.h"

namespace gyre::nn {

Dropout::Dropout(const DropoutOptions& o) : p_(o.p) { check_record("Dropout", o); }

Tensor Dropout::operator()(const Tensor& x) const {
  return p_ > 0 ? dropout(x, p_, training()) : x;
}

constinit const LayerDef dropout_layer = define_layer<Dropout, DropoutOptions>(
    "Dropout", "zeroes elements with probability p in training, scales the rest by 1 / (1 - p)",
    [](LayerSamples& s) {
      Samples draw;
      s.add(DropoutOptions{.p = 0}, {draw.uniform({2, 3})});
      s.refuse(Code::value, DropoutOptions{.p = -0.1});
      s.refuse(Code::value, DropoutOptions{.p = 1.1});
    });

}  // namespace gyre::nn
