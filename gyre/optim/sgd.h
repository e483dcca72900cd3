#pragma once
#include <vector>

#include "gyre/base/record.h"
#include "gyre/optim/optimizer.h"

namespace gyre {

struct SgdOptions {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
};
GYRE_FIELDS(SgdOptions, GYRE_FIELD(lr, "learning rate"),
            GYRE_FIELD(momentum, "share of the velocity that stays"),
            GYRE_FIELD(dampening, "share of the gradient left out of the velocity"),
            GYRE_FIELD(weight_decay, "times the value, added to the gradient"),
            GYRE_FIELD(nesterov, "look ahead along the velocity (Sutskever et al. 2013)"));

/// value -= lr v with v = g at the first step, then v = momentum v + (1 - dampening) g; without
/// momentum value -= lr g. State "v".
class Sgd final : public Optimizer {
 public:
  /// Error{value} for a rate, momentum or decay below 0, and for nesterov without momentum or with
  /// dampening; also those of Optimizer::add_parameters.
  explicit Sgd(std::span<const Tensor> parameters, const SgdOptions& options = {});
  /// One more group. Errors as above.
  void add_group(std::span<const Tensor> parameters, const SgdOptions& options);

 protected:
  std::span<const char* const> state_kinds() const override;
  void prepare(size_t parameter, size_t group, const Turn& turn) override;
  void update(const ParameterWalk::Chunk& chunk, const Tensor& gradient) override;

 private:
  std::vector<SgdOptions> options_;  // by group
  std::vector<SgdNumbers> numbers_;  // by parameter, of this step
};

}  // namespace gyre
