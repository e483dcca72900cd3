#pragma once
#include <vector>

#include "gyre/tensor/kind.h"

// Gradients of packed tensors. Multiplied out they would take 32 times the words, so backward keeps
// the factors of each use of a tensor: the tensors that it saved anyway.

namespace gyre {

/// A part of the gradient of a matrix [rows, cols], times `scale`.
struct FactoredTerm {
  enum Sort {
    product,  ///< left^T right for left [n, rows] and right [n, cols]
    rows,     ///< row left[i] gets right[i], for indices left [n] and right [n, cols]
    dense     ///< right [rows, cols]
  };
  Sort sort = dense;
  Tensor left{}, right;  ///< contiguous and f32, but for the indices
  double scale = 1;
};

/// The sum of terms. Tensors of this kind have the shape of what they are the gradient of; they are
/// added to one another and to plain tensors, multiplied and divided by a number, cloned, and
/// total_norm takes them. Other ops are Error{unsupported}.
struct FactoredStorage final : KindStorage {
  explicit FactoredStorage(std::vector<FactoredTerm> terms)
      : KindStorage(nullptr, 0, {}), terms(std::move(terms)) {}
  const char* description() const noexcept override { return "a gradient in factors"; }
  Ref<Storage> detached() override { return Ref<Storage>(this); }
  bool is_gradient_of(TensorKind leaf) const noexcept override {
    return leaf == TensorKind::packed;
  }
  const std::vector<FactoredTerm> terms;
};

inline bool is_factored(const Tensor& t) { return t.defined() && t.kind() == TensorKind::factored; }
/// Of a tensor for which is_factored() holds.
inline const FactoredStorage& factored_storage(const Tensor& t) {
  return static_cast<const FactoredStorage&>(*t.impl()->storage);
}

/// A gradient of that shape, [rows, ...]. Tensors are made contiguous and f32.
Tensor factored(const Shape& shape, std::vector<FactoredTerm> terms);

/// The gradient as a plain f32 tensor.
Tensor dense_gradient(const Tensor& gradient);

}  // namespace gyre
