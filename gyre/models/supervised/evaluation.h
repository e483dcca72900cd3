#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/tensor/tensor.h"
#include "gyre/train/progress/figures.h"

namespace gyre {

/// What a network of `outputs` learns: the numbers of classes, or values. Values are learned as
/// (y - mean) / deviation, so that their units do not matter.
struct Target {
  std::string name = "y";
  std::vector<std::string> classes{};       ///< none: values
  std::vector<double> mean{}, deviation{};  ///< of each value; none for classes
  int64_t outputs = 1;

  /// Mean and deviation of the rows of `y`, [N] or [N, outputs]; a deviation of 0 counts as 1.
  void measure(const Tensor& y);
  /// The loss of outputs [N, outputs], recorded: the mean cross entropy with y [N], i64, or the
  /// mean squared error of the values in their deviations.
  [[nodiscard]] Tensor loss(const Tensor& outputs, const Tensor& y) const;
  /// What outputs say: the numbers of the likeliest classes, [N] i64, or the values in their units,
  /// [N, outputs] f64.
  [[nodiscard]] Tensor read(const Tensor& outputs) const;

  [[nodiscard]] Json to_json() const;
  /// Error{parse}.
  static Target from_json(const Json& json);
};

/// The figures of what a network says of examples, part by part.
class Evaluation {
 public:
  explicit Evaluation(const Target& target) : target_(target) {}
  /// Outputs [N, outputs] of examples and what they ought to be.
  void add(const Tensor& outputs, const Tensor& y);
  /// Of all that were added: the mean loss, and either the share of right classes or the mean
  /// absolute error and the share of variance that is explained (1 - squared errors / squared
  /// distances from the mean, averaged over the values; none where all are equal).
  [[nodiscard]] Figures figures() const;
  [[nodiscard]] int64_t examples() const { return examples_; }

 private:
  const Target& target_;
  int64_t examples_ = 0;
  double loss_ = 0, right_ = 0, distance_ = 0;
  Tensor errors_{}, sums_{}, squares_{};  // of each value, in deviations
};

}  // namespace gyre
