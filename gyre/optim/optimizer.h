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
#include "gyre/optim/optim_tile.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// How a step scales, clips and checks the gradients, in the same pass as the update.
struct StepOptions {
  double scale = 1;
  double clip = 0;
  bool norm = false;
  /// skip and raise compute the gradient norm, an extra pass over the gradients. They and clipping
  /// read it back from the device; zero and apply without clipping do not.
  NonFinite non_finite = NonFinite::skip;
};
GYRE_FIELDS(StepOptions,
            GYRE_FIELD(scale, "factor of the gradients, applied first: 1 / accumulated batches"),
            GYRE_FIELD(clip, "clip the gradient norm to this value; 0: off"),
            GYRE_FIELD(norm, "compute the gradient norm even without clipping"),
            GYRE_FIELD(non_finite, "policy for a gradient norm that is not finite"));

struct StepResult {
  Tensor gradient_norm{};  ///< [] (f64) after `scale`, before `clip`; empty if not computed
  bool applied = true;     ///< false if the step was skipped for a non-finite norm
};

struct OptimizerDef;

/// Base class of optimisers. Parameters are contiguous leaf tensors of a floating dtype, in groups
/// with options of their own. A step skips parameters without a gradient, such as frozen ones. The
/// state of a parameter is allocated at its first step. A parameter may also be a strided view of
/// borrowed memory, such as a transposed weight in a mapped file: it gets contiguous memory of its
/// own, which its earlier views do not see.
///
/// State has the dtype of the parameter. Parameters of f16 and bf16 have f32 state and f32 master
/// weights: a step updates the master weights and rounds them to the parameter. If a parameter was
/// overwritten since the last step, for example by loading a model, the step first sets the master
/// weights of the changed elements to the new values.
///
/// A parameter whose rows are points of a manifold (tensor/points.h) must be f32 or f64, and needs
/// a Riemannian optimiser, which keeps it on the manifold.
class Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  [[nodiscard]] const OptimizerDef& def() const { return def_; }

  /// Adds a group; options not given have their defaults. Error{value} for no parameters, for a
  /// parameter that is not a floating leaf, not contiguous, a duplicate, or points of a manifold in
  /// an optimiser that is not Riemannian, and for options out of range; Error{dtype} for points in
  /// f16 or bf16; Error{unsupported} for a parameter that is not plain; errors of record_from_json.
  /// On error nothing has changed.
  void add_group(const Json& options, std::span<const Tensor> parameters);

  /// Updates all parameters that have a gradient. Error{dtype} for a gradient whose dtype differs
  /// from its parameter's (f16 and bf16 parameters also take f32 gradients); Error{numeric} for a
  /// gradient norm that is not finite, with NonFinite::raise. On error nothing has changed, unless
  /// memory runs out in a step of points: those before it have theirs.
  StepResult step(const StepOptions& options = {});
  /// Updates one parameter with its gradient times `scale`, if it has a gradient; other parameters
  /// may not have theirs yet (step_in_backward.h). Error{index, dtype}.
  void step_parameter(size_t parameter, double scale = 1);
  /// Sparse step: updates the rows with indices `rows` [n] (i64) of a parameter of points
  /// [rows, d] with gradients [n, d]. Gradients of the same row are summed; other rows and their
  /// state are not read. Error{unsupported} for a parameter without manifold or of another rank;
  /// Error{index, shape, dtype}. On error nothing has changed.
  void step_rows(size_t parameter, const Tensor& rows, const Tensor& gradient, double scale = 1);
  /// Removes the gradients of all parameters.
  void zero_grad();

  [[nodiscard]] size_t groups() const { return options_.size(); }
  /// The options of a group as JSON. Error{index}.
  [[nodiscard]] Json options(size_t group = 0) const;
  /// Changes the given options in all groups or in one; the others keep their values. State that
  /// only the new options need starts at zero, state that only the old ones needed is freed.
  /// Error{index}; Error{value} for options out of range; errors of record_from_json. On error
  /// nothing has changed.
  void set_options(const Json& options);
  void set_options(const Json& options, size_t group);
  /// The learning rate of a group. Error{index}.
  [[nodiscard]] double lr(size_t group = 0) const;
  /// Sets the learning rate of all groups or of one. Error{index}; Error{value} if negative.
  void set_lr(double lr);
  void set_lr(double lr, size_t group);

  [[nodiscard]] std::span<const Tensor> parameters() const { return parameters_; }
  /// The state, without parameters, gradients and options: "steps", the step counts of all
  /// parameters [parameters] (i64), and for each parameter that has been updated its state tensors,
  /// named by kind and parameter index ("m.0"). The tensors are shared, not copied.
  std::vector<NamedTensor> state_dict();
  /// Copies the state from `state`. A parameter without tensors in `state` starts anew; master
  /// weights that are missing are set from the parameter. Error{value} for missing or unknown names
  /// and negative step counts; Error{shape, dtype}. On error nothing has changed.
  void load_state_dict(std::span<const NamedTensor> state);

  /// What the constants of a step of one parameter depend on, besides options.
  struct StepInfo {
    int64_t step;  ///< step count of this parameter, from 1
    GradientNumbers gradient;
  };
  /// One step of rows of a parameter of points.
  struct PointsStep {
    const Tensor& parameter;  ///< all rows, for its manifold and shape
    const Tensor& rows;       ///< row indices; empty for all rows
    Tensor value, gradient;   ///< of these rows; the gradient scaled and clipped
    std::span<Tensor> state;  ///< of these rows, updated in place
    int64_t step;             ///< step count of this parameter, from 1
  };

 protected:
  explicit Optimizer(const OptimizerDef& def);

  /// Adds a group with options of type def().options. Errors as add_group.
  void add(std::span<const Tensor> parameters, Ref<OpenAttrs> options);

  /// Error{value} for options of a group that contradict each other; their bounds were checked.
  virtual void check(const void*) const {}
  /// Number of state tensors of a parameter with these options: the first ones that the step op
  /// (OptimizerDef::step) has as outputs.
  virtual size_t states(const void* options) const = 0;
  /// Appends the constants of one step of one parameter, as many for each.
  virtual void add_numbers(const void* options, const StepInfo& info,
                           std::vector<double>& numbers) const = 0;
  /// Shape of a state tensor of points [..., d]: [..., any further axes]. By default that of the
  /// points.
  virtual Shape state_shape(size_t kind, const Tensor& points) const;
  /// Whether a step skips rows of points [..., d] whose gradient is zero, and their state.
  virtual bool sparse(const void* options) const;
  /// The rows of points after a step. Required of Riemannian optimisers.
  virtual Tensor update_points(const void* options, PointsStep& step) const;

 private:
  // State of one parameter.
  struct Slot {
    size_t group = 0;
    int64_t steps = 0;
    Tensors state{};  // empty before the first step
    Tensor master{};  // f32 weights of an f16 or bf16 parameter, from the first step on
    bool begun() const { return steps > 0 || !state.empty() || master.defined(); }
  };

  void check_group(size_t group) const;
  void check_all(void* options) const;
  void set_options(const Json& options, size_t first, size_t end);
  void fit_state(Slot& slot, const Tensor& value, const void* options) const;
  void fit_state(size_t parameter);
  std::vector<NamedTensor> state_dict(std::span<const Slot> slots) const;
  Tensor gradient_of(size_t parameter) const;
  GradientNumbers gradient_numbers(std::span<const Tensor> gradients, const StepOptions& options,
                                   StepResult& result) const;
  struct Steps;
  void add_step(Steps& steps, size_t parameter, const Tensor& gradient,
                const GradientNumbers& numbers) const;
  void finish(Steps& steps) const;
  void run(const Steps& steps);
  void step_points(size_t parameter, const Tensor& gradient, const GradientNumbers& numbers);
  void run_points(size_t parameter, const Tensor& rows, const Tensor& gradient,
                  const GradientNumbers& numbers);
  void check_index(size_t parameter) const;

  const OptimizerDef& def_;
  std::vector<Ref<OpenAttrs>> options_;  // by group
  std::vector<Tensor> parameters_;
  std::vector<Slot> slots_;
};

}  // namespace gyre
