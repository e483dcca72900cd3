#pragma once
#include "gyre/packed/gradient/factored.h"

namespace gyre {

/// Sees how a weight is used; lives as long as what was computed with the weight.
class WeightWitness {
 public:
  WeightWitness() = default;
  WeightWitness(const WeightWitness&) = delete;
  WeightWitness& operator=(const WeightWitness&) = delete;
  virtual ~WeightWitness() = default;
  /// A product x w^T begins, with x [n, cols].
  virtual void inputs(const Tensor& x) = 0;
  /// Backward has the gradient of a product's or lookup's result: a term of the weight's gradient.
  virtual void gradient(const FactoredTerm& term) = 0;
};

/// A tensor that stands for a plain matrix [rows, cols] as the weight of `linear`, `linear_act` and
/// `embedding`, and tells a witness of their calls; other ops compute with the matrix. It has no
/// gradient of its own, but where gradients are recorded results require them.
Tensor watched(const Tensor& w, WeightWitness& witness);

}  // namespace gyre
