#pragma once
#include <vector>

#include "gyre/base/record.h"
#include "gyre/optim/optimizer.h"

namespace gyre {

struct AdamOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
};
GYRE_FIELDS(AdamOptions, GYRE_FIELD(lr, "learning rate"),
            GYRE_FIELD(beta1, "share of the first moment that stays"),
            GYRE_FIELD(beta2, "share of the second moment that stays"),
            GYRE_FIELD(eps, "added to the root of the second moment"),
            GYRE_FIELD(weight_decay, "times the value, added to the gradient"));

struct AdamWOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
};
GYRE_FIELDS(AdamWOptions, GYRE_FIELD(lr, "learning rate"),
            GYRE_FIELD(beta1, "share of the first moment that stays"),
            GYRE_FIELD(beta2, "share of the second moment that stays"),
            GYRE_FIELD(eps, "added to the root of the second moment"),
            GYRE_FIELD(weight_decay, "times lr and the value, taken off the value"));

/// m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2; with m^ = m / (1 - beta1^t) and
/// v^ = v / (1 - beta2^t), value -= lr m^ / (sqrt(v^) + eps) (Kingma and Ba 2015). State "m", "v".
class Adam : public Optimizer {
 public:
  /// Error{value} for a rate, eps or decay below 0 and betas outside [0, 1); also those of
  /// Optimizer::add_parameters.
  explicit Adam(std::span<const Tensor> parameters, const AdamOptions& options = {});
  /// One more group. Errors as above.
  void add_group(std::span<const Tensor> parameters, const AdamOptions& options);

 protected:
  Adam(const char* name, bool decoupled) : Optimizer(name), decoupled_(decoupled) {}
  void add(std::span<const Tensor> parameters, const AdamOptions& options);

  std::span<const char* const> state_kinds() const override;
  void prepare(size_t parameter, size_t group, const Turn& turn) override;
  void update(const ParameterWalk::Chunk& chunk, const Tensor& gradient) override;

 private:
  bool decoupled_;
  std::vector<AdamOptions> options_;  // by group
  std::vector<AdamNumbers> numbers_;  // by parameter, of this step
};

/// Adam whose decay does not pass through the moments: value -= lr (m^ / (sqrt(v^) + eps) + decay
/// value) (Loshchilov and Hutter 2019).
class AdamW final : public Adam {
 public:
  /// Errors as Adam's.
  explicit AdamW(std::span<const Tensor> parameters, const AdamWOptions& options = {});
  void add_group(std::span<const Tensor> parameters, const AdamWOptions& options);
};

}  // namespace gyre
