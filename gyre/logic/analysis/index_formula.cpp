#include "gyre/logic/analysis/index_formula.h"

#include <algorithm>

#include "gyre/logic/analysis/index_value.h"

namespace gyre::logic {
namespace {

using Linear = IndexFormula::Linear;

std::optional<Linear> combined(Operator op, const Linear& a, const Linear& b) {
  Linear found;
  const auto combine = [&](int64_t x, int64_t y, int64_t& to) {
    const std::optional<int64_t> value = index_value(op, x, y);
    to = value.value_or(0);
    return value.has_value();
  };
  const auto is_constant = [](const Linear& l) {
    return std::all_of(l.factors.begin(), l.factors.end(), [](int64_t f) { return f == 0; });
  };
  const bool multiplies = op == Operator::join;
  if (!multiplies && op != Operator::add && op != Operator::subtract) return std::nullopt;
  if (multiplies && !is_constant(a) && !is_constant(b)) return std::nullopt;
  if (multiplies && !is_constant(b)) return combined(op, b, a);
  bool fits = combine(a.offset, b.offset, found.offset);
  for (size_t i = 0; i < a.factors.size(); ++i)
    fits =
        combine(a.factors[i], multiplies ? b.offset : b.factors[i], found.factors.emplace_back()) &&
        fits;
  return fits ? std::optional(found) : std::nullopt;
}

}  // namespace

IndexFormula IndexFormula::of_integer(int64_t value) {
  IndexFormula f;
  f.steps_ = {{Step::integer, value}};
  f.linear_ = Linear{value};
  return f;
}

IndexFormula IndexFormula::of_label(Label label) {
  IndexFormula f;
  f.steps_ = {{Step::label, label}};
  f.labels_ = {label};
  f.linear_ = Linear{0, {1}};
  return f;
}

IndexFormula IndexFormula::of_operation(Operator op, const IndexFormula& a, const IndexFormula& b) {
  IndexFormula f = a;
  f.steps_.insert(f.steps_.end(), b.steps_.begin(), b.steps_.end());
  f.steps_.push_back({Step::operation, 0, op});
  for (const Label l : b.labels_) {
    if (std::find(f.labels_.begin(), f.labels_.end(), l) == f.labels_.end()) f.labels_.push_back(l);
  }
  const auto widened = [&](const IndexFormula& of) {
    Linear l{of.linear_->offset, std::vector<int64_t>(f.labels_.size(), 0)};
    for (size_t i = 0; i < of.labels_.size(); ++i) {
      const auto at = std::find(f.labels_.begin(), f.labels_.end(), of.labels_[i]);
      l.factors[static_cast<size_t>(at - f.labels_.begin())] = of.linear_->factors[i];
    }
    return l;
  };
  f.linear_ = a.linear_ && b.linear_ ? combined(op, widened(a), widened(b)) : std::nullopt;
  return f;
}

int64_t IndexFormula::at(FunctionRef<int64_t(Label)> value_of) const {
  SmallVector<int64_t, 16> stack;
  for (const Step& s : steps_) {
    if (s.kind == Step::operation) {
      const int64_t b = stack.back();
      stack.pop_back();
      stack.back() = index_value(s.op, stack.back(), b).value();
    } else {
      stack.push_back(s.kind == Step::integer ? s.value : value_of(static_cast<Label>(s.value)));
    }
  }
  return stack.back();
}

}  // namespace gyre::logic
