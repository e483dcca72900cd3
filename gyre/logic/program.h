#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/named_tensor.h"
#include "gyre/logic/syntax/diagnostic.h"
#include "gyre/logic/syntax/syntax.h"
#include "gyre/op/op_table.h"
#include "gyre/optim/optimizer_def.h"
#include "gyre/relation/fixpoint.h"
#include "gyre/tensor/tensor.h"

namespace gyre::logic {

/// How a program is compiled and run.
struct ProgramOptions {
  std::optional<DType> dtype{};        ///< of tensors without one; else `pragma dtype`, else f64
  std::optional<int64_t> seed{};       ///< else `pragma seed`, else 0
  int64_t max_tuples = INT64_MAX;      ///< R02
  int64_t max_bytes = INT64_MAX;       ///< R03
  double max_seconds = 1e300;          ///< R04; of one call that computes
  int64_t max_iterations = INT64_MAX;  ///< E0304
  std::function<void(std::string_view line)> print{};  ///< what `print` shows
  int64_t dense_elements =
      1 << 20;  ///< a relation with more cells, few of them true, stays sparse in equations
  bool reports = false;  ///< whether reports() tells how statements were evaluated
  /// R07 where a value is infinite or not a number though what it is computed from is finite.
  bool check_overflow = false;
  /// Whether binary relations become matrices of bits while rules are evaluated; changes no answer.
  MatrixUse matrices = MatrixUse::decide;
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true, what computes throws Stopped
};

/// Tuples of a relation, row by row; integers are symbols written in digits.
struct NamedTuples {
  std::string name;
  size_t arity = 0;
  std::vector<Symbol> symbols{};
};
/// Values from outside of a program, for declared names or new ones.
struct ProgramInputs {
  std::vector<NamedTensor> tensors{};  ///< used in place: neither copied nor cast
  std::vector<NamedTuples> relations{};
};

/// Thrown by a run that ProgramOptions::stop ended.
struct Stopped {};

/// Why an atom holds: by a fact, or by a rule whose body holds for the atoms of `because`.
struct Proof {
  std::string atom;
  std::string rule{};  ///< as written; empty: a fact, or a negated atom
  int64_t line = 0;    ///< of the rule
  std::vector<Proof> because{};
  /// Rules on the longest path down: 0 for a fact.
  [[nodiscard]] int height() const;
};

/// An axis of an array that answers a query.
struct AnswerAxis {
  std::string name{};                  ///< the index, or the label of the declaration, or empty
  std::vector<std::string> symbols{};  ///< those of its domain; empty if more than kMostNamed
  static constexpr int64_t kMostNamed = 100;
};

/// The answer to a query, or the losses of a `learn`.
struct Answer {
  enum Kind : uint8_t { tuples, boolean, array, loss_curve };
  Kind kind;
  std::string query{};                      ///< as written
  std::vector<std::string> variables{};     ///< of tuples, in order of first sight
  std::vector<std::vector<Symbol>> rows{};  ///< their values, sorted
  bool holds = false;
  Tensor values{};                 ///< f64, on the host
  std::vector<AnswerAxis> axes{};  ///< of an array
  std::vector<Proof> proofs{};     ///< @why: of each tuple, or of an answer that holds
};

/// How a statement of a program was evaluated.
struct StatementReport {
  std::string text;  ///< as written
  std::string path;
  int64_t line = 0;
  int64_t runs = 0;                 ///< 0: nothing asked for its value
  double seconds = 0;               ///< of all runs, without what its value was computed from
  std::vector<std::string> plan{};  ///< of the first run, a line for each step
  std::string result{};             ///< dtype and shape, or tuples and layout, after the last run
};

/// A tensor logic program: relations, tensors and the equations between them
/// (docs/logic). Values are computed when they are asked for, and kept.
class Program {
 public:
  /// Compiles a program; `path` is for messages and for the imports and files beside it. Throws
  /// ProgramError with every diagnostic; Error{io}.
  static Program parse(std::string text, const std::string& path, const OpTable& ops,
                       const OptimizerTable& optimizers, const ProgramOptions& options = {},
                       const ProgramInputs& inputs = {});
  /// The same from a file.
  static Program read(const std::string& path, const OpTable& ops, const OptimizerTable& optimizers,
                      const ProgramOptions& options = {});
  Program(Program&&) noexcept;
  ~Program();

  [[nodiscard]] const std::vector<LocatedDiagnostic>& warnings() const;
  /// Replaces the value of a tensor that has no equations; what depends on it is computed anew.
  /// Error{value} for another name, Error{shape, dtype} naming both shapes or dtypes.
  void bind(const std::string& name, const Tensor& value);
  /// Adds tuples to a relation. Fixpoints of rules that they can only extend continue from them;
  /// what else depends on them is computed anew. Error{value} for another name or a symbol that a
  /// closed domain lacks, Error{shape} for tuples of another length, and nothing is added;
  /// ProgramError for a limit: the tuples stay, and what depends on them is computed anew.
  void add(const NamedTuples& tuples);
  /// Forgets all values that were computed, so that they are computed anew when they are asked for:
  /// to free their memory, or after the host wrote to a bound tensor. Facts and learned parameters
  /// stay.
  void forget();
  /// Runs its queries, `learn`, scripts and writing of files, in their order. Answers of queries
  /// in order, then a loss curve for each `learn`. Throws ProgramError for what it finds then.
  std::vector<Answer> run();
  /// How its equations, rules, queries and `learn` were evaluated so far, in the order of the text;
  /// empty without ProgramOptions::reports.
  [[nodiscard]] std::vector<StatementReport> reports() const;
  /// The names of its blocks `test` or `bench`.
  [[nodiscard]] std::vector<std::string> blocks(std::string_view kind) const;
  /// Runs a block. Throws as run(); Error{value} for an unknown name.
  std::vector<Answer> run_block(std::string_view kind, std::string_view name);
  /// Answers a query such as `Ancestor(Alice, x)?`.
  Answer query(std::string_view text);
  /// The names of its tensors and relations, in the order of the text.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool contains(const std::string& name) const;
  /// The value of a tensor, or a relation as 0 and 1. Error{value} for an unknown name.
  Tensor tensor(std::string_view name);

  struct Impl;

 private:
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gyre::logic
