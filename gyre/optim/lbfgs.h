#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"
#include "gyre/io/safetensors.h"

namespace gyre {

enum class LineSearch : uint8_t { none, strong_wolfe };
inline constexpr const char* kLineSearchNames[] = {"none", "strong_wolfe"};
template <>
inline constexpr std::span<const char* const> kChoices<LineSearch> = kLineSearchNames;

struct LbfgsOptions {
  double lr = 1;
  int64_t max_iter = 20, max_eval = 0;
  double tolerance_grad = 1e-7, tolerance_change = 1e-9;
  int64_t history_size = 100;
  LineSearch line_search_fn = LineSearch::none;
};
GYRE_FIELDS(LbfgsOptions,
            GYRE_FIELD(lr, "learning rate: length of a step without a line search", .least = 0),
            GYRE_FIELD(max_iter, "most iterations of a step", .least = 1),
            GYRE_FIELD(max_eval, "most evaluations of a step; 0: max_iter 5 / 4", .least = 0),
            GYRE_FIELD(tolerance_grad, "a step ends where no element of the gradient is larger",
                       .least = 0),
            GYRE_FIELD(tolerance_change,
                       "a step ends where the loss and the parameters change less", .least = 0),
            GYRE_FIELD(history_size, "changes of the gradient that are kept", .least = 1),
            GYRE_FIELD(line_search_fn,
                       "line search: none, or strong_wolfe for the strong Wolfe "
                       "conditions"));

/// Limited-memory BFGS (Liu and Nocedal 1989), for smooth losses of whole datasets: the direction
/// is the gradient times an estimate of the inverse Hessian, from the last changes of parameters
/// and gradients (two loops; Nocedal and Wright 2006, algorithm 7.4). The line search brackets and
/// zooms with cubic interpolation (algorithms 3.5 and 3.6). All parameters are one vector.
class Lbfgs {
 public:
  /// Error{value} for no parameters, for one that is not a floating leaf, and for options out of
  /// range; Error{dtype} for parameters of several dtypes.
  explicit Lbfgs(std::span<const Tensor> parameters, const LbfgsOptions& options = {});

  /// Up to max_iter iterations. `closure` computes the gradients of all parameters (`grad`, which
  /// it clears first) and returns the loss; it is called several times. Returns the first loss.
  double step(FunctionRef<double()> closure);

  [[nodiscard]] const LbfgsOptions& options() const { return options_; }
  /// Error{value} for options out of range.
  void set_options(const LbfgsOptions& options);
  [[nodiscard]] std::span<const Tensor> parameters() const { return parameters_; }

  /// "iterations", "numbers" (length of the last step, loss, scale of the estimate) and, after the
  /// first iteration, "direction" and "gradient", later the history "changes" and
  /// "gradient_changes" [n, elements].
  [[nodiscard]] std::vector<NamedTensor> state_dict() const;
  /// Error{value} for missing or unknown names; Error{shape, dtype}. On error nothing has changed.
  void load_state_dict(std::span<const NamedTensor> state);

 private:
  struct Change {
    Tensor step, gradient;
    double inverse;  // 1 / (step . gradient)
  };
  struct Point {
    double length, loss;
    Tensor gradient;
    double slope;  // along the direction
  };

  Tensor gradient() const;
  Tensor values() const;
  void set_values(const Tensor& flat) const;
  Tensor direction(const Tensor& gradient, double scale) const;
  Point line_search(FunctionRef<Point(double)> at, const Point& start, double length,
                    int& evaluations) const;

  LbfgsOptions options_;
  std::vector<Tensor> parameters_;
  int64_t iterations_ = 0;
  double length_ = 0, loss_ = 0, scale_ = 1;
  Tensor direction_{}, gradient_{};
  std::deque<Change> history_{};
};

}  // namespace gyre
