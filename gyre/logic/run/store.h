#pragma once
#include <chrono>
#include <deque>
#include <set>

#include "gyre/base/function_ref.h"
#include "gyre/base/scoped_value.h"
#include "gyre/logic/analysis/lower.h"
#include "gyre/logic/analysis/strata.h"
#include "gyre/logic/program.h"
#include "gyre/logic/run/evaluator.h"
#include "gyre/logic/run/reports.h"
#include "gyre/logic/run/value_relations.h"
#include "gyre/relation/fixpoint.h"

namespace gyre::logic {

/// An index along an axis: a variable and a number added to it; without a variable, the number.
struct Step {
  Label label = -1;
  int64_t offset = 0;
};

/// An equation that is ready to run.
struct Ready {
  Lowered lowered;
  ProductPlans plans{};
  Step step{};  ///< of a Recursion: what is written
};

/// How the tensors of a component are computed in the order of an index. All maps are by entity.
struct Recursion {
  std::map<int, size_t> axes{};   ///< the axis of that index
  std::map<int, int64_t> lags{};  ///< how many steps later a tensor is still read
  std::vector<int> order{};       ///< of the entities within one step
};

/// How an embedded relation is read: where the score of a tuple is above the threshold or, with a
/// temperature above 0, as sig(score - threshold, temperature). `cleanup`: what is read is embedded
/// again after each round of rules.
struct EmbeddedReading {
  double threshold = 0.5, temperature = 0;
  bool cleanup = true;
};

/// The condition of a rule on numbers, kept as the relation of where it holds.
struct Filter {
  Ready ready;
  int relation;
};
/// The tuples of a relation at some of its positions: what `not R(x, _)` negates.
struct Shadow {
  int relation;
  int of;
  std::vector<size_t> positions;
};
/// What a body reads beside the relations of the program. It is filled before each evaluation.
struct BodyInputs {
  std::vector<Filter> filters{};
  std::vector<Shadow> shadows{};
  std::vector<ValueRelation> values{};
  std::vector<int> domains{};  ///< those of which it reads all elements
};
/// A rule that is ready to run.
struct ReadyRule {
  HornRule rule;
  const RuleSite* site;
  BodyInputs inputs{};
  std::vector<int> reads{};  ///< entities of its body
};

/// Relations that are added to a list until the end of a scope, such as those of a query.
class RelationScope {
 public:
  /// The list must outlive this.
  explicit RelationScope(std::vector<Relation>& list) : list_(list), before_(list.size()) {}
  RelationScope(const RelationScope&) = delete;
  RelationScope& operator=(const RelationScope&) = delete;
  ~RelationScope() {
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(before_), list_.end());
  }
  /// The number of the relation in the list.
  int add(Relation relation) {
    list_.push_back(std::move(relation));
    return static_cast<int>(list_.size()) - 1;
  }

 private:
  std::vector<Relation>& list_;
  size_t before_;
};

/// Bytes that a relation may take as a tensor.
inline constexpr int64_t kMostDense = int64_t{1} << 32;

/// The values of a program's tensors and relations, computed when they are asked for.
class Store {
 public:
  /// `reports`, if given, are told what each evaluation does.
  Store(Names& names, const OpTable& ops, Diagnostics& diagnostics, const ProgramOptions& options,
        Reports* reports)
      : names_(names), ops_(ops), diagnostics_(diagnostics), options_(options), reports_(reports) {}

  /// Lowers all equations and checks all rules, component by component. Diagnostics.
  void compile();

  /// The dense value of an entity; relations are 0 and 1.
  Tensor tensor(int entity);
  /// The tuples of a relation.
  const Relation& relation(int entity);
  /// Runs a lowered query. `only`: the value of the only relation in it,
  /// if defined.
  Value answer(const Lowered& lowered, const Tensor& only = {});
  /// All bindings of the variables for which the literals hold, ascending.
  std::vector<uint32_t> solutions(const std::vector<RuleLiteral>& literals,
                                  const std::vector<std::string>& wanted, Place place);
  /// The same, deriving only what is asked for.
  std::vector<uint32_t> solutions_backward(const std::vector<RuleLiteral>& literals,
                                           const std::vector<std::string>& wanted, Place place);
  /// The same of one atom of an embedded relation, by another reading.
  std::vector<uint32_t> solutions_embedded(const std::vector<RuleLiteral>& literals,
                                           const std::vector<std::string>& wanted, Place place,
                                           const EmbeddedReading& reading);
  /// The tuple of an atom for values of its variables. E0103 for another word in it.
  std::vector<uint32_t> tuple_of(const Expr& atom, const std::vector<Variable>& variables,
                                 std::span<const uint32_t> row);
  /// Whether solutions() would take the literals. Throws Refused.
  void check(const std::vector<RuleLiteral>& literals, Place place);
  /// The variables of the literals in order of first sight, with their domains.
  std::vector<Variable> variables_of(const std::vector<RuleLiteral>& literals);

  // What proofs and backward evaluation read.
  /// The tuples of a relation that no rule gives: facts, files and equations.
  Relation base(int entity);
  [[nodiscard]] const std::vector<ReadyRule>& rules(int entity) const {
    return cells_[static_cast<size_t>(entity)].rules;
  }
  /// By number. A RelationScope may add more.
  [[nodiscard]] std::vector<Relation>& relations() { return relations_; }
  [[nodiscard]] int relation_of(int entity) const {
    return cells_[static_cast<size_t>(entity)].relation;
  }
  /// The entity of a relation; -1 for one of the engine's own.
  [[nodiscard]] int entity_of(int relation) const;
  [[nodiscard]] FixpointOptions fixpoint_options() const;

  [[nodiscard]] bool is_embedded(int entity) const;
  /// An embedded relation as another reading gives it, its rules included.
  Relation embedded_relation(int entity, const EmbeddedReading& reading);
  Tensor embedded_values(int entity, const EmbeddedReading& reading);

  /// Makes learnable tensors, and those that gradients are by, leaves.
  void track(int entity) { tracked_.insert(entity); }
  /// The value that learning changes; an empty tensor before it is first asked for.
  [[nodiscard]] Tensor leaf(int entity) const { return cells_[static_cast<size_t>(entity)].leaf; }
  /// Gives a learnable tensor the value of a leaf of equal shape and dtype; what depends on it is
  /// computed anew.
  void set_leaf(int entity, const Tensor& value);
  /// Forgets entities and what depends on them.
  void changed(const std::vector<int>& entities);
  /// Forgets what depends on learnable tensors whose leaves were written, and those of them whose
  /// value is not the leaf itself.
  void leaves_changed(const std::vector<int>& entities);
  /// Forgets everything that was computed.
  void forget();
  /// The same, but relations that have only facts keep their tuples.
  void forget_results();
  /// After tuples were added to a relation: continues the fixpoints of rules that they can only
  /// extend, and forgets what else depends on them. `domains_grew`: tensors get other shapes.
  void grow(int entity, std::span<const uint32_t> tuples, bool domains_grew);
  /// Warns (W01) where what these depend on goes through a function without a gradient.
  void warn_of_discrete(const std::vector<int>& entities);
  /// The learnable tensors that any of these depends on.
  std::vector<int> learnable_below(const std::vector<int>& entities);

  /// Begins the seconds of a run; check_time() ends it when they have passed or it is stopped, by
  /// R04 or Stopped.
  void start_clock() { start_ = std::chrono::steady_clock::now(); }
  void check_time(Place place) const;
  /// Refuses what passed a limit of the engine of relations.
  [[noreturn]] void limit(const LimitError& error, Place place);

  [[nodiscard]] DType dtype() const {
    return options_.dtype ? *options_.dtype : names_.dtype.value_or(DType::f64);
  }
  [[nodiscard]] int64_t seed() const { return options_.seed.value_or(names_.seed); }
  [[nodiscard]] LowerContext context(const std::set<int>& component) {
    return {names_, ops_, diagnostics_, component, nullptr};
  }
  [[nodiscard]] Names& names() { return names_; }
  [[nodiscard]] bool is_broken(int entity) const {
    return cells_[static_cast<size_t>(entity)].is_broken;
  }

 private:
  struct Cell {
    int component = -1;
    bool is_computed = false;
    bool is_broken = false;  ///< its definition has an error
    Tensor dense{};
    Tensor leaf{};      ///< of a learnable tensor: what learning changes
    int relation = -1;  ///< its number in relations_
    std::vector<Ready> equations{};
    std::vector<ReadyRule> rules{};
    std::vector<int> reads{};  ///< entities that its value depends on at once
  };
  struct RuleBuilder;
  struct LiteralBody {
    std::vector<Literal> literals;
    int variables;
    std::map<std::string, uint32_t> numbers;  ///< of its variables by name
    BodyInputs inputs;
  };

  LiteralBody body_of(const std::vector<RuleLiteral>& literals, Place place);
  std::vector<uint32_t> rows_of(const LiteralBody& body, const std::vector<std::string>& wanted);
  using ScopedReading = ScopedValue<EmbeddedReading>;
  void compute_embedded(int entity, const EmbeddedReading& reading);
  void embedded_rounds(const Component& component, const std::vector<HornRule>& rules,
                       const std::vector<Place>& places, const EmbeddedReading& reading);
  Relation read_from_embedding(int entity, const Relation& tuples, double threshold);
  Tensor scores(int entity, const Relation& tuples);
  Tensor superposed(const Entity& e, const Relation& tuples);
  Tensor rows_for(const Entity& e, size_t position);
  void compute_below(int entity, std::set<int>& seen);

  void compile_component(const Component& component);
  void compile_equations(int entity, const std::set<int>& component);
  void compile_rules(int entity);
  void check_initial(int entity);
  void find_order(const Component& component);
  [[nodiscard]] bool ends(const Component& component, const Recursion& recursion) const;
  [[nodiscard]] int64_t steps_of(const Ready& ready) const;
  struct OrderSearch;
  void fill(BodyInputs& inputs, Place place);
  void fill_filter(Filter& filter);
  void list_elements(int domain, FixpointMeter& meter);

  void compute(int entity);
  void compute(const Component& component);
  [[nodiscard]] std::set<int> uncomputed(int entity) const;
  void compute_plain(int entity);
  struct ComponentRules {
    std::vector<HornRule> rules{};
    std::vector<Place> places{};
    [[nodiscard]] Place place_of(const LimitError& error) const {
      return places[error.rule >= 0 ? static_cast<size_t>(error.rule) : 0];
    }
  };
  [[nodiscard]] ComponentRules rules_of(const Component& component) const;
  void compute_rules(const Component& component);
  void report_rules(const Component& component, const FixpointReport& report);
  void report_result(int entity);
  struct Growth;
  void compute_extremes(const Component& component);
  [[noreturn]] void no_fixpoint(const Component& component, const Message& when);
  Tensor unchanging(int entity, const Component& component);
  std::optional<Tensor> paths(const Component& component, Ready& ready, const Tensor& start);
  bool solve_paths(const Component& component, const std::map<int, Tensor>& start);
  void compute_ordered(const Component& component);
  struct Slices;
  Slices slices_of(int entity, size_t axis);
  void load_facts(int entity, Relation& into);
  Tensor initial(int entity);
  template <class F>
  auto evaluating(const Lowered& l, ProductPlans& plans, const Tensor& only, const F& f);
  Tensor evaluate(Ready& ready, const Shape& shape);
  void forget(const Component& component);
  const std::vector<int>& dependents(const std::vector<int>& entities);
  [[nodiscard]] bool reads_any(const Component& component,
                               FunctionRef<bool(int entity)> wanted) const;
  void add_truth(const Tensor& values, Relation& into);
  Shape shape_of(int entity) const;
  int add_relation(int arity);
  [[noreturn]] void refuse_time(Place place) const;
  [[nodiscard]] bool is_sparse(int entity);
  [[nodiscard]] std::vector<Literal> literals(std::span<const Node* const> atoms,
                                              LabelList& columns) const;
  std::vector<uint32_t> join(std::span<const Node* const> atoms, LabelList columns);
  int64_t count(std::span<const Node* const> atoms);
  Tensor evaluate_slice(Ready& ready, const Shape& shape, int64_t at,
                        const std::map<int, size_t>& axes, const Evaluator::LoadSlice& load_slice);

  Names& names_;
  const OpTable& ops_;
  Diagnostics& diagnostics_;
  const ProgramOptions& options_;
  Reports* reports_;
  std::vector<Component> components_;
  std::map<std::vector<int>, std::vector<int>> dependents_{};  ///< components, by entities
  std::vector<Cell> cells_;
  std::vector<Relation> relations_;
  std::vector<int> domain_relations_;  ///< by domain: the relation of all its elements,
  std::set<int> listed_domains_;       ///< which is filled for these
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  EmbeddedReading reading_{};
  std::map<int, Relation> embedded_content_{};  ///< of embedded relations: what is superposed
  std::set<int> tracked_;
  std::map<int, Recursion> recursions_;  ///< of ordered components, by their first entities
};

/// The tensor broadcast to a shape.
Tensor expand_to(const Tensor& t, const Shape& shape);
/// The literals of `where`: the parts of its conjunction.
std::vector<RuleLiteral> literals_of(const Expr& expr);

}  // namespace gyre::logic
