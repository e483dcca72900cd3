#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/io/json.h"
#include "gyre/io/safetensors.h"
#include "gyre/op/attrs.h"
#include "gyre/optim/gradient_norm.h"
#include "gyre/optim/rules/optim_tile.h"
#include "gyre/tensor/points.h"

namespace gyre {

/// How a step scales, clips and checks the gradients, in the same pass as the update.
struct StepOptions {
  double scale = 1;
  double clip = 0;
  bool norm = false;
  /// All but apply compute the gradient norm, an extra pass over the gradients. skip, raise and
  /// clipping read it back from the device; zero and apply without clipping do not.
  NonFinite non_finite = NonFinite::skip;
};
GYRE_FIELDS(
    StepOptions,
    GYRE_FIELD(scale,
               "factor of the gradients, applied first: 1 / loss scale, 1 / accumulated batches",
               .above = 0),
    GYRE_FIELD(clip, "clip the gradient norm to this value; 0: off", .least = 0),
    GYRE_FIELD(norm, "compute the gradient norm even with non_finite apply and no clipping"),
    GYRE_FIELD(non_finite, "policy for a gradient norm that is not finite"));

struct StepResult {
  /// [] (f64) after `scale`, before `clip`; with NonFinite::zero that of the gradients with 0 in
  /// place of non-finite elements. Empty if not computed.
  Tensor gradient_norm{};
  bool applied = true;  ///< false if the step was skipped for a non-finite norm
};

struct OptimizerDef;
class Optimizer;

/// Of the option `maximize` of a group, which negates the gradients.
inline constexpr const char* kMaximizeDoc = "maximise the objective: ascend along the gradients";

/// One parameter in a step.
struct ParameterStep {
  const Tensor& parameter;
  const void* options;  ///< of its group
  Tensors& state;
  const Tensor& master;  ///< f32 weights of an f16 or bf16 parameter
  int64_t& steps;        ///< steps before this one; raised once the parameter has changed
  const Tensor& gradient;
  GradientNumbers numbers;
};

/// How an optimiser updates one sort of parameters, such as points of a manifold: each parameter
/// uses the first of OptimizerDef::routes whose `takes` accepts it.
struct StepRoute {
  /// `options` are those of the parameter's group.
  bool (*takes)(const Tensor& parameter, const void* options);
  /// Updates the parameters of this route: all of them or, by rows, only these distinct rows of one
  /// parameter [rows, d], whose gradient has one row for each.
  void (*step)(const Optimizer& optimizer, std::span<const ParameterStep> steps,
               const Tensor& rows);
  bool by_rows = false;
  /// Shape of a state tensor; null: that of the parameter.
  Shape (*state_shape)(size_t kind, const Tensor& parameter) = nullptr;
  /// Dtype of a state tensor; null: as the class says.
  DType (*state_dtype)(size_t kind, const Tensor& parameter) = nullptr;
  /// Called when a saved state has been loaded; may be null.
  void (*loaded)(const Tensor& parameter, Tensors& state) = nullptr;
  /// Brings a parameter up to date that `step` does not always write; null: it does. What later
  /// steps do does not depend on it.
  void (*settle)(const Tensor& parameter, const void* options, Tensors& state,
                 int64_t steps) = nullptr;
  /// Steps after which what `step` does repeats; null: each does the same.
  int64_t (*cycle)(const void* options) = nullptr;
  /// The gradient as `step` takes it, made before norms are taken; null: as it is.
  Tensor (*gradient)(const Tensor& gradient) = nullptr;
};

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
/// If a module was cast or moved (Module::to), a step switches to each of its new tensors that has
/// a gradient while the old one has none, and casts and moves state and master weights likewise.
///
/// A parameter whose elements do not change one by one, such as points of a manifold
/// (tensor/points.h), needs an optimiser with a route for it (StepRoute).
class Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  [[nodiscard]] const OptimizerDef& def() const { return def_; }

  /// Adds a group; options not given have their defaults. Error{value} for no parameters, for one
  /// that is not a floating leaf, not contiguous, a duplicate, or that no route takes, and for
  /// options out of range; Error{dtype} for points in f16 or bf16; Error{unsupported} for a kind of
  /// tensor that no route takes; errors of record_from_json. On error nothing has changed.
  void add_group(const Json& options, std::span<const Tensor> parameters);

  /// Updates all parameters that have a gradient. Error{dtype} for a gradient whose dtype differs
  /// from its parameter's (f16 and bf16 parameters also take f32 gradients); Error{numeric} for a
  /// gradient norm that is not finite, with NonFinite::raise. On error nothing has changed, unless
  /// memory runs out in a step of points or matrices: those before it have theirs.
  StepResult step(const StepOptions& options = {});
  /// The same with gradients by name in place of `grad` of the parameters, which is neither read
  /// nor changed: those of nn::value_and_grad(), with module.named_parameters(). Parameters that
  /// are not named have no gradient. Also Error{value} for a gradient without a parameter of its
  /// name, or whose parameter is not of this optimiser; Error{shape}.
  StepResult apply_gradients(std::span<const NamedTensor> gradients,
                             std::span<const NamedTensor> parameters,
                             const StepOptions& options = {});
  /// Updates one parameter with its gradient times `scale`, if it has a gradient; other parameters
  /// may not have theirs yet (step_in_backward.h). Error{index, dtype}.
  void step_parameter(size_t parameter, double scale = 1);
  /// Sparse step: updates the rows with indices `rows` [n] (i64) of a parameter of points
  /// [rows, d] with gradients [n, d]. Gradients of the same row are summed; other rows and their
  /// state are not read. Error{unsupported} for a parameter of another sort or rank;
  /// Error{index, shape, dtype}. On error nothing has changed.
  void step_rows(size_t parameter, const Tensor& rows, const Tensor& gradient, double scale = 1);
  /// Brings parameters up to date for other uses than training, such as measuring or saving: packed
  /// ones that are encoded only now and then (packed/training/hybrid.h). Steps go on as without it.
  void settle();
  /// Steps after which the work of steps repeats: a mean time of steps is that of whole cycles.
  [[nodiscard]] int64_t cycle() const;
  /// Removes the gradients of all parameters, and of their casts by Module::to.
  void zero_grad();

  /// Switches to the new tensors of a module that was cast, as a step does first. Returns whether
  /// a parameter has a gradient.
  bool follow();

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
  /// Those of a group. Error{index}.
  [[nodiscard]] std::vector<Tensor> parameters(size_t group) const;
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
  /// StepRoute::step of kChunks.
  static void step_chunks(const Optimizer& optimizer, std::span<const ParameterStep> steps,
                          const Tensor& rows);

 protected:
  explicit Optimizer(const OptimizerDef& def);

  /// Adds a group with options of type def().options. Errors as add_group.
  void add(std::span<const Tensor> parameters, Ref<OpenAttrs> options);

  /// Error{value} for options of a group that contradict each other; their bounds were checked.
  virtual void check(const void*) const {}
  /// Number of state tensors of this parameter with these options: the first ones that the step op
  /// (OptimizerDef::step) has as outputs.
  virtual size_t states(const void* options, const Tensor& parameter) const = 0;
  /// Appends the constants of one step of one parameter: the same number for every parameter.
  virtual void add_numbers(const void* options, const StepInfo& info,
                           std::vector<double>& numbers) const = 0;

 private:
  // State of one parameter.
  struct Slot {
    size_t group;
    const StepRoute* route;
    DType dtype;                     // of the parameter when the route was chosen
    int64_t steps = 0, settled = 0;  // `settled`: the steps at the last settle()
    Tensors state{};                 // empty before the first step
    Tensor master{};  // f32 weights of an f16 or bf16 parameter, from the first step on
    bool begun() const { return steps > 0 || !state.empty() || master.defined(); }
  };

  void check_group(size_t group) const;
  void check_all(void* options) const;
  void set_options(const Json& options, size_t first, size_t end);
  void fit_state(Slot& slot, size_t parameter, const void* options) const;
  void choose_route(Slot& slot, size_t parameter, const void* options) const;
  void fit_state(size_t parameter);
  std::vector<NamedTensor> state_dict(std::span<const Slot> slots) const;
  StepResult step(std::vector<Tensor> gradients, const StepOptions& options);
  Tensor checked(const Tensor& gradient, size_t parameter) const;
  GradientNumbers gradient_numbers(std::span<const Tensor> gradients, const StepOptions& options,
                                   StepResult& result) const;
  ParameterStep step_of(size_t parameter, const Tensor& gradient, const GradientNumbers& numbers);
  void check_index(size_t parameter) const;

  const OptimizerDef& def_;
  std::vector<Ref<OpenAttrs>> options_;  // by group
  std::vector<Tensor> parameters_;
  std::vector<Slot> slots_;
};

/// The route of parameters updated elementwise: by OptimizerDef::step, in chunks of all of them
/// together.
inline constexpr StepRoute kChunks{
    [](const Tensor& parameter, const void*) { return has_free_elements(parameter); },
    Optimizer::step_chunks};

/// The gradient as a step uses it: scaled and, if requested, with 0 in place of non-finite
/// elements.
Tensor incoming(const Tensor& gradient, const GradientNumbers& numbers);

}  // namespace gyre
