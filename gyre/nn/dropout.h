#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct DropoutOptions {
  double share = 0.5;
};
GYRE_FIELDS(DropoutOptions, GYRE_FIELD(share, "of the values that become 0, from 0 to 1"));

namespace nn {

/// In training each value becomes 0 with probability `share`, the others are divided by 1 - share
/// (Srivastava et al. 2014); else nothing is done. Draws from the thread's generator.
class Dropout : public Layer {
 public:
  /// Error{value} for a share outside [0, 1].
  explicit Dropout(const DropoutOptions& options);

  Tensor operator()(const Tensor& x) const override;

 private:
  double share_;
};

}  // namespace nn
}  // namespace gyre
