#pragma once
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "gyre/logic/analysis/domain.h"
#include "gyre/logic/syntax/diagnostic.h"
#include "gyre/tensor/tensor.h"

namespace gyre::logic {

/// A tensor or relation of a program.
struct Entity {
  std::string name;
  bool is_relation = false;
  Place place{};
  std::optional<std::vector<Dim>> dims{};  ///< as declared
  std::vector<Axis> axes{};                ///< tensors; of relations: `slots`
  std::vector<int> slots{};                ///< relations: positions in Names::slots
  bool ranked = false;                     ///< whether the number of axes is known
  bool is_broken = false;                  ///< its declaration has an error
  std::optional<DType> dtype{};
  bool learnable = false;
  bool is_embedding = false;
  int64_t embed_size = 0;  ///< of a relation kept as a superposition; 0: tuples
  DType embed_dtype = DType::f32;
  const Initializer* init = nullptr;
  const Expr* value = nullptr;  ///< T = [..]: an array without indices on the left
  std::vector<int> equations{}, rules{};
  std::vector<const Fact*> facts{};
  std::vector<std::pair<std::string, Place>> files{};  ///< that it is read from
  std::vector<uint32_t> tuples{};                      ///< of a relation, from files
  Tensor loaded{};                                     ///< of a tensor, from a file

  [[nodiscard]] size_t rank() const { return is_relation ? slots.size() : axes.size(); }
};

/// An equation, or a rule, of a program.
struct EquationSite {
  const Equation* equation;
  int entity;
  Place place;
};
struct RuleSite {
  const Rule* rule;
  int entity;
  Place place;
};

/// Sets of relation positions and rule variables that range over one domain (union-find).
class Slots {
 public:
  int add() {
    parents_.push_back(static_cast<int>(parents_.size()));
    domains_.push_back(-1);
    words_.emplace_back();
    return parents_.back();
  }
  [[nodiscard]] int find(int slot) const {
    while (parents_[static_cast<size_t>(slot)] != slot) slot = parents_[static_cast<size_t>(slot)];
    return slot;
  }
  /// False if both have different domains.
  bool merge(int a, int b);
  [[nodiscard]] int domain(int slot) const { return domains_[static_cast<size_t>(find(slot))]; }
  void set_domain(int slot, int domain) { domains_[static_cast<size_t>(find(slot))] = domain; }
  /// Words in lower case that facts have there: symbols, though they look like variables.
  std::set<std::string>& words(int slot) { return words_[static_cast<size_t>(find(slot))]; }
  [[nodiscard]] int size() const { return static_cast<int>(parents_.size()); }

 private:
  std::vector<int> parents_, domains_;
  std::vector<std::set<std::string>> words_;
};

/// Integers and symbols for which a running script has names.
struct ScriptNames {
  std::unordered_map<std::string, int64_t> constants{};
  std::unordered_map<std::string, std::string> symbols{};  ///< of loop variables
};

/// The names of a program and what they stand for.
struct Names {
  std::deque<Domain> domains{};
  std::unordered_map<std::string, int> domain_of{};
  std::unordered_map<std::string, int64_t> constants{};
  std::unordered_map<std::string, const FunctionDecl*> functions{};
  std::deque<Entity> entities{};
  std::unordered_map<std::string, int> entity_of{};
  std::vector<EquationSite> equations{};
  std::vector<RuleSite> rules{};
  std::vector<const Statement*> steps{};  ///< queries, learn, writing: in order
  Slots slots{};
  std::set<std::string> broken{};  ///< names whose definitions have syntax errors
  ScriptNames script{};
  bool prolog_variables = false;
  std::optional<DType> dtype{};
  int64_t seed = 0;

  [[nodiscard]] const Entity* find(const std::string& name) const {
    const auto it = entity_of.find(name);
    return it == entity_of.end() ? nullptr : &entities[static_cast<size_t>(it->second)];
  }
  [[nodiscard]] Axis axis_of(const Entity& entity, size_t position) const {
    if (!entity.is_relation) return entity.axes[position];
    return {slots.domain(entity.slots[position]), -1};
  }
  [[nodiscard]] int64_t size_of(const Axis& axis) const {
    return axis.domain >= 0 ? domains[static_cast<size_t>(axis.domain)].size() : axis.size;
  }
  /// The embedding whose rows an embedded relation has for the symbols of a position; -1: none.
  [[nodiscard]] int embedding_of(const Entity& entity, size_t position) const;
  /// The value of a constant of the program or of the running script.
  [[nodiscard]] std::optional<int64_t> constant(const std::string& name) const;
  /// The value of a constant index expression, or nullopt where it has other names.
  [[nodiscard]] std::optional<int64_t> constant_value(const Expr& expr) const;
  /// E0101 with a suggestion, or nothing where the definition of the name has an error.
  [[noreturn]] void refuse_unknown(const std::string& name, Place place) const;
  /// Names for suggestions.
  [[nodiscard]] std::vector<std::string> all() const;
};

/// While it exists, names mean what they mean to the program and not to the running script.
class WithoutScript {
 public:
  explicit WithoutScript(Names& names) : names_(names), hidden_(std::exchange(names.script, {})) {}
  WithoutScript(const WithoutScript&) = delete;
  WithoutScript& operator=(const WithoutScript&) = delete;
  ~WithoutScript() { names_.script = std::move(hidden_); }

 private:
  Names& names_;
  ScriptNames hidden_;
};

/// The dtype of a name such as f32 or float32. E0205.
DType dtype_of(const std::string& name, Place place);

/// The shape of a nested list. E0203 where it is empty or its rows differ.
Shape shape_of_array(const Expr& expr);

/// A tensor or relation whose value comes from outside of the program.
struct InputName {
  std::string name;
  bool is_relation;
  std::optional<size_t> rank;  ///< nullopt: that of the first atom of the program
};

/// Collects the declarations of a program, whose statements must outlive the names, and finds the
/// domains of all relations. Diagnostics: E0101 to E0105, E0201, E0202, E0205.
Names collect_names(const Body& program, std::span<const InputName> inputs,
                    Diagnostics& diagnostics);

/// What a word in an index position of a domain (-1: of a size) is (S1).
enum class WordKind : uint8_t { constant, symbol, variable };
WordKind kind_of_word(const Names& names, const std::string& word, const Domain* domain);

}  // namespace gyre::logic
