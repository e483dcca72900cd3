#pragma once
#include <deque>
#include <memory>
#include <set>
#include <variant>

#include "gyre/logic/program.h"
#include "gyre/logic/run/learn.h"
#include "gyre/logic/run/script_scope.h"
#include "gyre/logic/symbols.h"

namespace gyre::logic {

/// A query that is ready to run: of a relation, or of numbers.
struct ReadyQuery {
  std::string text;
  Place place;
  bool is_relation = false, wants_proofs = false, is_backward = false;
  std::optional<EmbeddedReading> embedded{};
  std::vector<RuleLiteral> literals{};
  std::vector<Variable> variables{};
  std::optional<Lowered> lowered{};
  std::optional<int> whole{};  ///< a tensor without indices
};
struct ReadyWrite {
  std::string path;
  std::string name;
  int entity;
  Place place;
};
/// A step of a run: a statement of a script is prepared when it runs.
using ProgramStep = std::variant<ReadyQuery, ReadyLearn, ReadyWrite, const Statement*>;

/// The parts of a program: what it was compiled to, and its values.
struct Program::Impl {
  const OpTable& ops;
  const OptimizerTable& optimizers;
  ProgramOptions options;
  ProgramInputs inputs{};
  std::string folder{};
  Sources sources{};
  Diagnostics diagnostics{sources};
  Body body{};
  Names names{};
  std::unique_ptr<Reports> reports{};  ///< if asked for
  std::unique_ptr<Store> store{};
  std::vector<ProgramStep> steps{};
  uint32_t first_step = 0;        ///< queries and other steps of files before it are left out
  ScriptVariables variables{};    ///< of scripts that ran before
  std::deque<Statement> asked{};  ///< at a prompt
  std::vector<LocatedDiagnostic> warnings{};

  /// Adds the statements of a file and of those that it imports, each file once. `open`: the files
  /// that are being imported.
  void add_file(std::string text, const std::string& path, std::vector<std::string>& open,
                std::set<std::string>& seen);
  /// The same of the program itself, whose folder has its files.
  void add_root(std::string text, const std::string& path);
  /// Finds what the statements mean. ProgramError with every diagnostic.
  void compile();
  /// Whether a tensor can be the value of an entity: Error{shape, dtype}. Sets what is not known.
  void take(Entity& entity, const Tensor& value);
  void take(Entity& entity, const NamedTuples& tuples);
  /// A query, learn or writing of a file, ready to run; nothing for what has an error elsewhere.
  /// Throws Refused.
  std::optional<ProgramStep> prepare_step(const Statement& s);
  std::optional<ReadyQuery> prepare_query(const Query& q, Place place);
  Answer answer(const ReadyQuery& q);
  Answer tuples(const ReadyQuery& q);
  void write(const ReadyWrite& w);
  /// Answers and loss curves of one step.
  void run(const ProgramStep& step, std::vector<Answer>& answers, std::vector<Answer>& curves);
  [[nodiscard]] StatementReport report_of(const Reports::Entry& entry) const;
  /// Those of all steps in order and of `main`. `bound`: gets what scripts have bound then.
  std::vector<Answer> run(ScriptVariables& bound);

  /// f(), with a Refused located: ProgramError.
  template <class F>
  auto located(const F& f) {
    store->start_clock();
    try {
      return f();
    } catch (const Refused& refused) {
      Diagnostics found(sources);
      found.add(refused.diagnostic);
      throw ProgramError(found.located());
    }
  }
};

/// The symbols of a program, as far as it is compiled.
std::vector<ProgramSymbol> collect_symbols(const Program::Impl& program);

}  // namespace gyre::logic
