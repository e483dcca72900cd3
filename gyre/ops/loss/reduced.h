#pragma once
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {

/// Reduces the elements of a loss as its attributes say.
inline Tensor reduced(const Tensor& terms, Reduction reduction) {
  if (reduction == Reduction::none) return terms;
  return reduction == Reduction::sum ? sum(terms) : mean(terms);
}

}  // namespace gyre
