#pragma once
#include <unordered_map>
#include <unordered_set>

#include "gyre/logic/analysis/lower.h"

namespace gyre::logic {

/// What scripts have bound by `let`.
struct ScriptVariables {
  std::unordered_map<std::string, NodePtr> values{};
  std::unordered_map<std::string, int64_t> constants{};
};

/// The values that a script gave to names, for as long as it runs.
class ScriptScope {
 public:
  /// `given`: what earlier scripts have bound.
  ScriptScope(Names& names, const ScriptVariables& given);
  ScriptScope(const ScriptScope&) = delete;
  ~ScriptScope();

  /// Whether `let` may bind or `:=` rebind the name now: E0104, E0101.
  void check(const Let& let, Place place) const;
  /// An integer may also stand in an index.
  void bind(const std::string& name, int64_t value);
  void bind(const std::string& name, const Tensor& value, Place place);

  /// The values of a `for`: integers or elements of a domain. E0002, E0101, E0104.
  struct Loop {
    int64_t first = 0, last = 0;  ///< the last excluded
    int domain = -1;              ///< of symbols; -1: integers
  };
  [[nodiscard]] Loop loop_of(const For& f, Place place) const;
  /// Sets the variable of a loop, and takes it away.
  void enter(const For& f, const Loop& loop, int64_t at);
  void leave(const For& f);

  [[nodiscard]] ScriptVariables variables() const;
  /// For LowerContext::locals.
  [[nodiscard]] const std::unordered_map<std::string, NodePtr>& values() const { return values_; }

 private:
  Names& names_;
  std::unordered_map<std::string, NodePtr> values_;
  std::unordered_set<std::string> bound_;
};

/// Whether an expression is an atom of a relation, which holds or not.
[[nodiscard]] bool is_atom(const Names& names, const Expr& expr);

}  // namespace gyre::logic
