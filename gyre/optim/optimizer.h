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

/// What is done to the gradients on their way into a step, in the same pass.
struct StepOptions {
  double scale = 1;
  double clip = 0;
  bool norm = false;
  /// skip and raise compute the norm, a pass over the gradients; zero and apply save it.
  NonFinite non_finite = NonFinite::skip;
};
GYRE_FIELDS(StepOptions,
            GYRE_FIELD(scale, "times the gradients, first: 1 / number of batches summed"),
            GYRE_FIELD(clip, "larger norms are scaled down to it; 0: any norm will do"),
            GYRE_FIELD(norm, "tell the norm even when nothing is clipped"),
            GYRE_FIELD(non_finite, "what is done about a norm that is not finite"));

struct StepResult {
  double gradient_norm = 0;  ///< after `scale`, before `clip`; 0 when it was not computed
  bool applied = true;       ///< false when the norm is not finite and so nothing was changed
};

struct OptimizerDef;

/// Changes parameters along their gradients. Parameters come in groups, each with options of its
/// own; one step is one pass over all of them. Parameters without a gradient, as those of frozen
/// layers are, are left alone. Parameters are contiguous leaves of any floating dtype. State has
/// the parameter's dtype; that of f16 and bf16 is f32 and has a "master" more: the value in f32,
/// which is stepped, and of which the parameter is the rounded copy. Where that copy is overwritten
/// (a model is loaded, say) the new value counts: at the next step, elements that are not their
/// master rounded become the master. A parameter whose rows are points of a space (tensor/points.h)
/// is f32 or f64, and for rules that step along spaces; others would leave it.
class Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  [[nodiscard]] const OptimizerDef& def() const { return def_; }

  /// One more group; options that the object does not name have their defaults. Error{value} for no
  /// parameters, for one that is no floating leaf, is not contiguous, comes twice or has points
  /// that the rule would move off their space, and for options out of range; Error{dtype} for
  /// points of 16 bits; errors of record_from_json. Then nothing has changed.
  void add_group(const Json& options, std::span<const Tensor> parameters);

  /// Error{dtype} for a gradient of another dtype than its parameter; f32 will do for f16 and bf16.
  /// Error{numeric} with NonFinite::raise. Then nothing has changed.
  StepResult step(const StepOptions& options = {});
  /// The same for one parameter, whose gradient is multiplied by `scale`; used while others are
  /// still being computed (step_in_backward.h). Error{index}, and as above.
  void step_parameter(size_t parameter, double scale = 1);
  /// A step of some rows [n] (i64) of a parameter [rows, d] of points along their gradients [n, d];
  /// those of a row that comes several times add up. Other rows, and their state, are not read.
  /// Error{unsupported} for other parameters; Error{index, shape, dtype}. Then nothing has changed.
  void step_rows(size_t parameter, const Tensor& rows, const Tensor& gradient, double scale = 1);
  /// Drops all gradients.
  void zero_grad();

  [[nodiscard]] size_t groups() const { return options_.size(); }
  /// The options of a group, by name. Error{index}.
  [[nodiscard]] Json options(size_t group = 0) const;
  /// Sets the options that the object names, of all groups or of one. State that the new options
  /// need begins with zeros, what they do not need is dropped. Error{index}; Error{value} for
  /// options out of range; errors of record_from_json. Then nothing has changed.
  void set_options(const Json& options);
  void set_options(const Json& options, size_t group);
  /// The learning rate of a group. Error{index}.
  [[nodiscard]] double lr(size_t group = 0) const;
  /// Sets the rate of all groups, or of one. Error{index}; Error{value} below 0.
  void set_lr(double lr);
  void set_lr(double lr, size_t group);

  [[nodiscard]] std::span<const Tensor> parameters() const { return parameters_; }
  /// All that a step depends on besides parameters, gradients and options: "steps" [parameters] i64
  /// and tensors named by kind and number of the parameter ("m.0"); shared, not copied.
  std::vector<NamedTensor> state_dict();
  /// Error{value} for missing or unknown names and counts below 0, Error{shape, dtype}; then
  /// nothing has changed.
  void load_state_dict(std::span<const NamedTensor> state);

  /// What a rule is told of a step of a parameter, besides its options.
  struct Turn {
    int64_t step;  ///< of this parameter, from 1
    GradientNumbers gradient;
  };
  /// Some rows of a parameter of points on their way through a step.
  struct PointsStep {
    const Tensor& parameter;  ///< all rows, for its space and shape
    const Tensor& rows;       ///< their numbers, of all rows in order; empty for all
    Tensor value, gradient;   ///< of these rows; the gradient as StepOptions change it
    std::span<Tensor> state;  ///< of these rows, to be replaced
    int64_t step;             ///< of this parameter, from 1
  };

 protected:
  explicit Optimizer(const OptimizerDef& def);

  /// Starts a group whose options are an object of def().options. Errors as add_group.
  void add(std::span<const Tensor> parameters, Ref<OpenAttrs> options);

  /// Error{value} for options of a group that make no sense; `lr` has been looked at.
  virtual void check(const void* options) const = 0;
  /// Names of the tensors that a parameter needs under these options, at most three: all that the
  /// rule knows or the first of them.
  virtual std::span<const char* const> state_kinds(const void* options) const = 0;
  /// Notes the numbers of this step for a parameter that has a gradient, to be used by `update`.
  virtual void prepare(size_t parameter, const void* options, const Turn& turn) = 0;
  virtual void update(size_t parameter, const StepTile& tile, const StepArrays& arrays,
                      int64_t n) = 0;
  /// Shape of a tensor of the state of a parameter of points, whose first axes are the parameter's
  /// but the last.
  virtual Shape state_shape(size_t kind, const Tensor& points) const;
  /// Whether rows of points [..., d] without a gradient stay as they are, and their state.
  virtual bool sparse(const void* options) const;
  /// The points after a step, for rules that are on_manifolds.
  virtual Tensor update_points(const void* options, PointsStep& step) const;

 private:
  // What belongs to one parameter.
  struct Slot {
    size_t group = 0;
    int64_t steps = 0;
    Tensors state{};
    Tensor master{};
  };

  void check_group(size_t group) const;
  void check_rate(double lr) const;
  void check_all(void* options) const;
  void set_options(const Json& options, size_t first, size_t end);
  void fit_state(Slot& slot, const Tensor& value, const void* options) const;
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
