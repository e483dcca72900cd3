#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"

namespace gyre::hyperbolic {

/// A method given as a formula of ops.
struct Formula {
  Method method;
  Tensor (*of)(Inputs in);
};

/// A manifold whose methods are formulas.
class FormulaSpace : public Geometry {
 public:
  FormulaSpace(const char* name, std::span<const Formula> formulas)
      : name_(name), formulas_(formulas) {}

  const char* name() const override { return name_; }
  std::string text() const override { return name_; }
  bool has(Method m) const override { return find(m) != nullptr; }
  Tensor call(Method m, Inputs in, TangentFunction) const override { return find(m)->of(in); }

 private:
  const Formula* find(Method m) const {
    for (const Formula& f : formulas_) {
      if (f.method == m) return &f;
    }
    return nullptr;
  }

  const char* name_;
  std::span<const Formula> formulas_;
};

/// Rows times one number per row.
Tensor times_rows(const Tensor& numbers, const Tensor& rows);
/// Weighted sum of rows x [..., n, d], weights [..., n].
Tensor weighted_sum(const Tensor& x, const Tensor& weights);
/// Pairwise distances by a formula on rows that broadcast; needs memory for n m d elements.
Tensor by_pairs(Tensor (*dist)(Inputs in), Inputs in);

}  // namespace gyre::hyperbolic
