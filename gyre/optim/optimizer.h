#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/io/safetensors.h"
#include "gyre/optim/parameter_walk.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// What is done to the gradients on their way into a step, in the same pass.
struct StepOptions {
  double scale = 1;   ///< gradients are multiplied by it first: 1 / number of batches summed
  double clip = 0;    ///< if their norm is larger they are scaled down to it; 0: any norm will do
  bool norm = false;  ///< tell the norm even when nothing is clipped
};

struct StepResult {
  double gradient_norm = 0;  ///< after `scale`, before `clip`; 0 when nobody asked
  bool applied = true;       ///< false when the norm is not finite: then nothing was changed
};

/// Changes parameters along their gradients. Parameters come in groups, each with options of its
/// own; one step is one pass over all of them. Parameters without a gradient are left alone.
/// Parameters are contiguous leaves of f32 or f64; state has the parameter's dtype.
class Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Error{dtype} for a gradient of another dtype than its parameter.
  StepResult step(const StepOptions& options = {});
  /// The same for one parameter, whose gradient is multiplied by `scale`; used while others are
  /// still being computed (step_in_backward.h). Error{index}, and as above.
  void step_parameter(size_t parameter, double scale = 1);
  /// Drops all gradients.
  void zero_grad();

  [[nodiscard]] size_t groups() const { return rates_.size(); }
  /// The learning rate of a group. Error{index}.
  [[nodiscard]] double lr(size_t group = 0) const;
  /// Sets the rate of all groups, or of one. Error{index}.
  void set_lr(double lr);
  void set_lr(double lr, size_t group);

  [[nodiscard]] std::span<const Tensor> parameters() const { return parameters_; }
  /// All that a step depends on besides parameters, gradients and options: "steps" [parameters] i64
  /// and tensors named by kind and number of the parameter ("m.0"); shared, not copied.
  std::vector<NamedTensor> state_dict();
  /// Error{value} for missing or unknown names, Error{shape}; then nothing has changed.
  void load_state_dict(std::span<const NamedTensor> state);

 protected:
  explicit Optimizer(const char* name) : name_(name) {}

  /// Starts a group with these parameters, each with `state_kinds().size()` tensors of zeros.
  /// Error{value} for no parameters and for one that is no leaf wanting a gradient, is not
  /// contiguous or comes twice; Error{dtype}.
  void add_parameters(std::span<const Tensor> parameters, double lr);
  /// Names of the tensors that each parameter needs.
  virtual std::span<const char* const> state_kinds() const = 0;
  /// What varies from step to step of a parameter.
  struct Turn {
    int64_t step;  ///< of this parameter, from 1
    double lr, scale;
  };
  /// Notes the numbers of this step for a parameter that has a gradient, to be used by `update`.
  virtual void prepare(size_t parameter, size_t group, const Turn& turn) = 0;
  virtual void update(const ParameterWalk::Chunk& chunk, const Tensor& gradient) = 0;

  /// Tensor `kind` of a parameter.
  [[nodiscard]] const Tensor& state(size_t parameter, size_t kind) const {
    return state_[parameter * kinds_ + kind];
  }
  [[nodiscard]] const Tensor& parameter(size_t i) const { return parameters_[i]; }

 private:
  Tensor gradient_of(size_t parameter) const;
  void check_group(size_t group) const;

  const char* name_;
  std::vector<Tensor> parameters_, gradients_, state_;
  std::vector<size_t> group_of_;
  std::vector<int64_t> steps_;
  ParameterWalk walk_;
  std::vector<double> rates_;  // by group
  size_t kinds_ = 0;
};

/// Scales the gradients of `parameters` so that their norm is at most `max_norm`, and returns the
/// norm that they had. A gradient that others hold too is replaced, theirs stays. An optimiser's
/// step does the same without a pass of its own. Gradients that are not finite stay as they are.
/// Error{dtype}; Error{value} for a max_norm that is not above 0.
double clip_grad_norm(std::span<const Tensor> parameters, double max_norm);

}  // namespace gyre
