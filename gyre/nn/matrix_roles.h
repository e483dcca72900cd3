#pragma once
#include <vector>

#include "gyre/tensor/tensor.h"

namespace gyre::nn {

/// What optimisers that update a matrix as a whole, such as Muon, must know of the parameters of a
/// model.
struct MatrixRoles {
  std::vector<Tensor> tables{};   ///< embeddings and output layers: each row stands for itself
  std::vector<Tensor> stacked{};  ///< parameters that stack matrices along their rows
  Shape parts{};                  ///< the row counts of these matrices: query, key and value
};

}  // namespace gyre::nn
