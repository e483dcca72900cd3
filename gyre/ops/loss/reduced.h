#pragma once
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {

/// The terms of a loss as its attributes want them.
inline Tensor reduced(const Tensor& terms, Reduction reduction) {
  if (reduction == Reduction::none) return terms;
  return reduction == Reduction::sum ? sum(terms) : mean(terms);
}

}  // namespace gyre
