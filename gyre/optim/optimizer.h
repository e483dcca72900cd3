#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/io/json.h"
#include "gyre/io/safetensors.h"
#include "gyre/op/attrs.h"
#include "gyre/optim/gradient_norm.h"
#include "gyre/optim/parameter_walk.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Transforms of the gradients, applied in the same pass as the step.
struct StepOptions {
  double scale = 1;
  double clip = 0;
  bool norm = false;
  /// skip and raise need the gradient norm, an extra pass over the gradients; zero and apply do
  /// not.
  NonFinite non_finite = NonFinite::skip;
};
GYRE_FIELDS(StepOptions,
            GYRE_FIELD(scale, "factor of the gradients, applied first: 1 / accumulated batches"),
            GYRE_FIELD(clip, "clip the gradient norm to this value; 0: off"),
            GYRE_FIELD(norm, "compute the gradient norm even without clipping"),
            GYRE_FIELD(non_finite, "policy for a gradient norm that is not finite"));

struct StepResult {
  double gradient_norm = 0;  ///< after `scale`, before `clip`; 0 if not computed
  bool applied = true;       ///< false if the step was skipped for a non-finite norm
};

struct OptimizerDef;

/// Updates parameters from their gradients. Parameters come in groups, each with its own options;
/// one step is one pass over all of them. Parameters without a gradient, such as frozen ones, are
/// skipped. Parameters are contiguous leaves of any floating dtype. State has the parameter's
/// dtype; for f16 and bf16 it is f32 and includes "master" weights: the f32 value that is updated,
/// of which the parameter is the rounded copy. If that copy is overwritten (by loading a model,
/// say), the new value wins: at the next step, elements that are not their rounded master become
/// the master. A parameter whose rows are points of a manifold (tensor/points.h) must be f32 or f64
/// and needs a rule that steps along manifolds; others would move it off. State is
/// allocated at the first step of a parameter, so frozen parameters have none.
class Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  [[nodiscard]] const OptimizerDef& def() const { return def_; }

  /// Adds a group; options not given have their defaults. Error{value} for no parameters, for one
  /// that is not a floating leaf, not contiguous, a duplicate or has points that the rule would
  /// move off their manifold, and for options out of range; Error{dtype} for 16-bit points; errors
  /// of record_from_json. On error nothing has changed.
  void add_group(const Json& options, std::span<const Tensor> parameters);

  /// Error{dtype} for a gradient whose dtype is not its parameter's (f16 and bf16 also accept f32).
  /// Error{numeric} with NonFinite::raise. On error nothing has changed.
  StepResult step(const StepOptions& options = {});
  /// Steps one parameter, with its gradient multiplied by `scale`, while others are still being
  /// computed (step_in_backward.h). Error{index}, and as above.
  void step_parameter(size_t parameter, double scale = 1);
  /// Sparse step: updates some rows [n] (i64) of a parameter of points [rows, d] with gradients
  /// [n, d]; gradients of repeated rows are summed. Other rows and their state are not read.
  /// Error{unsupported} for other parameters; Error{index, shape, dtype}. On error nothing has
  /// changed.
  void step_rows(size_t parameter, const Tensor& rows, const Tensor& gradient, double scale = 1);
  /// Clears all gradients.
  void zero_grad();

  [[nodiscard]] size_t groups() const { return options_.size(); }
  /// The options of a group as JSON. Error{index}.
  [[nodiscard]] Json options(size_t group = 0) const;
  /// Sets the given options of all groups or of one. State that the new options need is
  /// zero-initialised, state they do not need is dropped. Error{index}; Error{value} for options
  /// out of range; errors of record_from_json. On error nothing has changed.
  void set_options(const Json& options);
  void set_options(const Json& options, size_t group);
  /// The learning rate of a group. Error{index}.
  [[nodiscard]] double lr(size_t group = 0) const;
  /// Sets the learning rate of all groups or of one. Error{index}; Error{value} if negative.
  void set_lr(double lr);
  void set_lr(double lr, size_t group);

  [[nodiscard]] std::span<const Tensor> parameters() const { return parameters_; }
  /// The optimiser state besides parameters, gradients and options: "steps" [parameters] i64 and
  /// tensors named by kind and parameter index ("m.0") of parameters that have been stepped;
  /// shared, not copied.
  std::vector<NamedTensor> state_dict();
  /// The state of parameters without tensors in `state` is reset; a missing "master" is made from
  /// the value. Error{value} for missing or
  /// unknown names and negative step counts, Error{shape, dtype}; on error nothing has changed.
  void load_state_dict(std::span<const NamedTensor> state);

  /// Inputs of a rule for one step of a parameter, besides its options.
  struct Turn {
    int64_t step;  ///< of this parameter, from 1
    GradientNumbers gradient;
  };
  /// Rows of a parameter of points during a step.
  struct PointsStep {
    const Tensor& parameter;  ///< all rows, for its manifold and shape
    const Tensor& rows;       ///< row indices; empty for all rows
    Tensor value, gradient;   ///< of these rows; the gradient after StepOptions
    std::span<Tensor> state;  ///< of these rows, updated in place
    int64_t step;             ///< of this parameter, from 1
  };

 protected:
  explicit Optimizer(const OptimizerDef& def);

  /// Adds a group whose options are an object of def().options. Errors as add_group.
  void add(std::span<const Tensor> parameters, Ref<OpenAttrs> options);

  /// Error{value} for invalid options of a group; `lr` has already been checked.
  virtual void check(const void* options) const = 0;
  /// Names of the state tensors that a parameter needs with these options, at most three: a prefix
  /// of all names that the rule knows.
  virtual std::span<const char* const> state_kinds(const void* options) const = 0;
  /// Stores the constants of this step of a parameter with a gradient, for `update`.
  virtual void prepare(size_t parameter, const void* options, const Turn& turn) = 0;
  virtual void update(size_t parameter, const StepTile& tile, const StepArrays& arrays,
                      int64_t n) = 0;
  /// Shape of a state tensor of a parameter of points; its leading axes are the parameter's without
  /// the last.
  virtual Shape state_shape(size_t kind, const Tensor& points) const;
  /// Whether rows of points [..., d] with zero gradient, and their state, are skipped.
  virtual bool sparse(const void* options) const;
  /// The points after a step, for rules with on_manifolds.
  virtual Tensor update_points(const void* options, PointsStep& step) const;

 private:
  // State of one parameter.
  struct Slot {
    size_t group = 0;
    int64_t steps = 0;
    Tensors state{};  // from the first step on, as the master
    Tensor master{};
    bool begun() const { return steps > 0 || !state.empty() || master.defined(); }
  };

  void check_group(size_t group) const;
  void check_rate(double lr) const;
  void check_all(void* options) const;
  void set_options(const Json& options, size_t first, size_t end);
  void fit_state(Slot& slot, const Tensor& value, const void* options) const;
  void fit_state(size_t parameter);
  std::vector<NamedTensor> state_dict(std::span<const Slot> slots) const;
  Tensor gradient_of(size_t parameter) const;
  GradientNumbers gradient_numbers(std::span<const Tensor> gradients, const StepOptions& options,
                                   StepResult& result) const;
  void begin_step(size_t parameter, const GradientNumbers& gradient);
  void run_chunk(const ParameterWalk::Chunk& chunk, const Tensor& gradient);
  void step_points(size_t parameter, const Tensor& gradient, const GradientNumbers& numbers);
  void run_points(size_t parameter, const Tensor& rows, const Tensor& gradient,
                  const GradientNumbers& numbers);
  void check_index(size_t parameter) const;

  const OptimizerDef& def_;
  std::vector<Ref<OpenAttrs>> options_;  // by group
  std::vector<Tensor> parameters_;
  std::vector<Slot> slots_;
  ParameterWalk walk_;
};

}  // namespace gyre
