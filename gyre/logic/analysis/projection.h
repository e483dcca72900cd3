#pragma once
#include <unordered_map>

#include "gyre/logic/analysis/label_set.h"
#include "gyre/logic/analysis/ranges.h"

namespace gyre::logic {

/// Turns the expressions of one equation into steps, with its sums where S4 puts them.
class Projector {
 public:
  Projector(const LowerContext& context, Scope& scope) : c_(context), scope_(scope) {
    if (c_.locals) bindings_ = *c_.locals;
  }

  /// The restriction `where` of the index space, for sums over its variables.
  void set_mask(NodePtr mask) { mask_ = std::move(mask); }
  /// Indices that functions such as softmax go along.
  void set_marked(LabelList marked, LabelList all) {
    marked_ = std::move(marked);
    left_ = std::move(all);
  }
  /// The expression, each addend summed over the labels that are not needed.
  NodePtr closed(const Expr& expr, LabelSet needed);
  /// Labels that an expression names and does not bind by a reduction.
  [[nodiscard]] LabelSet mentions(const Expr& expr) const;
  /// Entities read so far.
  [[nodiscard]] const std::set<int>& reads() const { return reads_; }
  /// Values of the parameters of a fn, by name.
  using Bindings = std::unordered_map<std::string, NodePtr>;

 private:
  struct Factor {
    const Expr* expr;
    bool inverse;
  };
  // Factors of a product: those of joins, divisions and negations, not those inside parentheses.
  void factors(const Expr& expr, bool inverse, std::vector<Factor>& found, double& sign);
  static void addends(const Expr& expr, bool negative, std::vector<Factor>& found);

  NodePtr open(const Expr& expr, LabelSet needed);
  NodePtr product(const Expr& expr, LabelSet needed);
  NodePtr group(const Expr& expr, LabelSet needed);
  NodePtr reference(const Expr& expr);
  NodePtr name(const Expr& expr);
  NodePtr reduction(const Expr& expr, LabelSet needed);
  NodePtr operation(const Expr& expr, LabelSet needed);
  NodePtr call(const Expr& expr, LabelSet needed);
  NodePtr builtin(const Expr& expr, const Builtin& called, LabelSet needed);
  NodePtr op_call(const Expr& expr, const OpDef& op, LabelSet needed);
  NodePtr gradient(const Expr& expr, LabelSet needed);
  NodePtr inlined(const Expr& expr, const FunctionDecl& function, LabelSet needed);
  NodePtr argument(const Expr& expr, LabelSet needed);
  NodePtr converted(const NodePtr& value, const std::string& dtype, Place place);
  NodePtr projected(NodePtr node, LabelSet needed);
  NodePtr pointwise(const char* op, std::vector<NodePtr> children, Place place);
  [[nodiscard]] LabelSet elementwise(const Expr& inner, LabelSet needed, bool argument);
  void mark(const Index& index, Label label);

  const LowerContext& c_;
  Scope& scope_;
  NodePtr mask_;
  LabelList marked_, left_;
  std::set<int> reads_;
  Bindings bindings_;
  std::vector<std::string> inlining_;
};

}  // namespace gyre::logic
