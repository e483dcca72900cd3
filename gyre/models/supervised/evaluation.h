#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/tensor/tensor.h"
#include "gyre/train/progress/figures.h"

namespace gyre {

/// Training target of a network with `outputs` outputs: class indices, or values. Values are
/// standardised, (y - mean) / deviation, so that their units do not matter.
struct Target {
  std::string name = "y";
  std::vector<std::string> classes{};       ///< empty: values
  std::vector<double> mean{}, deviation{};  ///< of each value; empty for classes
  int64_t outputs = 1;

  /// Sets mean and standard deviation of the rows of `y`, [N] or [N, outputs]; deviation 0 becomes
  /// 1.
  void measure(const Tensor& y);
  /// Loss of outputs [N, outputs], recorded: mean cross-entropy with y [N] i64, or mean squared
  /// error of the standardised values.
  [[nodiscard]] Tensor loss(const Tensor& outputs, const Tensor& y) const;
  /// Predictions from outputs: the most likely classes, [N] i64, or the values in their units,
  /// [N, outputs] f64.
  [[nodiscard]] Tensor read(const Tensor& outputs) const;

  [[nodiscard]] Json to_json() const;
  /// Error{parse}.
  static Target from_json(const Json& json);
};

/// Accumulates the metrics of a network over batches.
class Evaluation {
 public:
  explicit Evaluation(const Target& target) : target_(target) {}
  /// Adds outputs [N, outputs] and their targets.
  void add(const Tensor& outputs, const Tensor& y);
  /// Metrics of everything added: mean loss, and either accuracy, or mean absolute error and R^2
  /// (1 - squared errors / squared deviations from the mean, averaged over the values; none if all
  /// are equal).
  [[nodiscard]] Figures figures() const;
  [[nodiscard]] int64_t examples() const { return examples_; }

 private:
  const Target& target_;
  int64_t examples_ = 0;
  double loss_ = 0, right_ = 0, distance_ = 0;
  Tensor errors_{}, sums_{}, squares_{};  // of each standardised value
};

}  // namespace gyre
