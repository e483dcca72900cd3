#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct DropoutOptions {
  double share = 0.5;
};
GYRE_FIELDS(DropoutOptions,
            GYRE_FIELD(share, "probability that an element is zeroed, from 0 to 1", .alias = "p"));

namespace nn {

/// In training, zeroes each element with probability `share` and divides the others by 1 - share
/// (Srivastava et al. 2014); the identity in evaluation mode. Draws from the thread's generator.
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
