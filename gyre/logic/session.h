#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/logic/program.h"
#include "gyre/logic/symbols.h"

namespace gyre::logic {

/// A program that grows statement by statement, as at a prompt. Declarations, facts, equations and
/// rules are added; queries, `learn`, scripts and writing of files run once. Where a call throws,
/// the program is as before: ProgramError with the diagnostics of what is added, Stopped, or
/// Error{io} for a file.
class Session {
 public:
  Session(const OpTable& ops, const OptimizerTable& optimizers, const ProgramOptions& options);
  Session(const Session&) = delete;
  ~Session();

  /// Adds statements and returns the answers to the queries among them, as Program::run(). An
  /// expression alone is a query: "Y" is "Y?", "Y[i] + 1" is "(Y[i] + 1)?". Learned parameters and
  /// variables of `let` keep their values.
  std::vector<Answer> add(const std::string& text);
  /// Adds the statements of a file. The files that programs read and write are found beside the
  /// first one that was loaded into an empty session.
  std::vector<Answer> load(const std::string& path);

  /// Those of the last call of add() or load().
  [[nodiscard]] const std::vector<LocatedDiagnostic>& warnings() const { return warnings_; }
  /// The statements that were added, without what only ran.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::vector<ProgramSymbol> symbols() const;
  /// How a tensor or relation is evaluated: the reports of the statements that define it, none if
  /// it has facts or a declaration only. Or of an equation, rule or query, which is not added.
  /// Error{value} for other text.
  std::vector<StatementReport> plan(const std::string& text);

 private:
  struct Part {
    std::string path, text;
  };
  class Restored;
  std::vector<Answer> add(Part part);
  [[nodiscard]] std::unique_ptr<Program::Impl> compiled(const Part& part) const;
  void keep_values(Program::Impl& next) const;
  std::vector<Answer> run_alone(const Part& part);

  const OpTable& ops_;
  const OptimizerTable& optimizers_;
  ProgramOptions options_;
  std::string folder_{};
  std::vector<Part> parts_{};
  std::unique_ptr<Program::Impl> program_;
  std::vector<LocatedDiagnostic> warnings_{};
};

/// Whether a text at a prompt ends with whole statements: no bracket or comment is open, and no
/// operator stands last.
[[nodiscard]] bool is_complete(const std::string& text);

}  // namespace gyre::logic
