#pragma once
#include <set>

#include "gyre/logic/analysis/lower.h"

namespace gyre::logic {

/// The size of the range of an index that ends only with its recursion.
inline constexpr int64_t kEndless = int64_t{1} << 40;

/// The variables of an equation: their labels and ranges.
class Scope {
 public:
  explicit Scope(const LowerContext& context) : c_(context) {}

  /// Finds the variables of an expression, in order of first sight.
  void find(const Expr& expr);
  void find_left(const Expr& left);
  /// S2: the ranges, of plain uses; then of the equation's own component; then of what is written;
  /// then of affine uses. What is not known then is endless if it stands at `*` on the left.
  /// E0201, E0206.
  void find_ranges(const std::vector<const Expr*>& exprs, const Expr* left);

  [[nodiscard]] std::optional<Label> label(const std::string& name) const;
  [[nodiscard]] std::vector<Variable>& variables() { return variables_; }
  [[nodiscard]] int64_t size(Label label) const {
    return c_.names.size_of(variables_[static_cast<size_t>(label)].axis);
  }
  Label add(const std::string& name, Axis axis, Place place);

  /// The position of a reference; `axis` is that of the entity.
  [[nodiscard]] Position position(const Index& index, const Axis& axis, const std::string& of);
  /// An index expression with the labels of its variables. E0101, E0002.
  [[nodiscard]] IndexFormula formula(const Expr& expr) const;
  /// Whether an index is one variable.
  [[nodiscard]] std::optional<Label> plain(const Index& index, const Domain* domain) const;
  [[nodiscard]] const Domain* domain_of(const Axis& axis) const {
    return axis.domain < 0 ? nullptr : &c_.names.domains[static_cast<size_t>(axis.domain)];
  }
  /// Largest and smallest value of an index expression. E0206.
  struct Bounds {
    int64_t least, most;
  };
  [[nodiscard]] Bounds bounds(const Expr& expr) const;

 private:
  void agree(Label label, const Axis& axis, const Expr& reference);
  void take_plain(const Expr& expr, bool own);
  void take_affine(const Expr& expr);
  void take_affine_index(const Expr& index, int64_t size);
  void take_virtual(const Expr& left);

  const LowerContext& c_;
  std::vector<Variable> variables_;
  std::vector<Place> range_places_;
};

}  // namespace gyre::logic
