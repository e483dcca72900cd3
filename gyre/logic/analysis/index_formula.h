#pragma once
#include <optional>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/memory/small_vector.h"
#include "gyre/logic/syntax/syntax.h"

namespace gyre::logic {

/// The number of a variable of an equation; axes of intermediate results are named by these.
using Label = int;
using LabelList = SmallVector<Label, 8>;

/// An index expression whose names are replaced by integers and labels: `/` rounds down and `%` is
/// never negative. Its values must be checked to be in 64 bits over the ranges of the labels.
class IndexFormula {
 public:
  IndexFormula() = default;
  /// An integer or a label.
  static IndexFormula of_integer(int64_t value);
  static IndexFormula of_label(Label label);
  /// Both operands and the operator: + - * / %.
  static IndexFormula of_operation(Operator op, const IndexFormula& a, const IndexFormula& b);

  /// In order of first sight.
  [[nodiscard]] const std::vector<Label>& labels() const { return labels_; }
  [[nodiscard]] int64_t at(FunctionRef<int64_t(Label)> value_of) const;

  /// offset + the sum of factors[i] labels()[i].
  struct Linear {
    int64_t offset = 0;
    std::vector<int64_t> factors{};
  };
  /// nullopt where the expression divides or multiplies labels.
  [[nodiscard]] const std::optional<Linear>& linear() const { return linear_; }

 private:
  struct Step {
    enum Kind : uint8_t { integer, label, operation } kind;
    int64_t value = 0;  ///< the integer or label
    Operator op{};
  };
  std::vector<Step> steps_;  // operands before their operator
  std::vector<Label> labels_;
  std::optional<Linear> linear_;
};

}  // namespace gyre::logic
