#pragma once
#include "gyre/logic/program_impl.h"
#include "gyre/logic/run/script_scope.h"

namespace gyre::logic {

/// Runs the statements of scripts in order; the equations outside stay as they are.
class Script {
 public:
  /// Queries and `learn` inside add to the lists.
  Script(Program::Impl& program, std::vector<Answer>& answers, std::vector<Answer>& curves)
      : p_(program), answers_(answers), curves_(curves), scope_(program.names, program.variables) {}

  /// A statement outside of blocks; `main`, `test` and `bench` are left out.
  void run(const Statement& s);
  /// The blocks `main`.
  void run_main();
  /// A block `test` or `bench`, which has the values of `let` outside of blocks.
  void run_block(const Body& body);
  void run_body(const Body& body) { steps(body); }
  /// What its statements and earlier scripts have bound.
  [[nodiscard]] ScriptVariables variables() const { return scope_.variables(); }

 private:
  enum class Flow : uint8_t { next, breaks, returns };
  Flow step(const Statement& s);
  Flow steps(const Body& body);
  void let(const Let& let, Place place);
  Flow loop(const Loop& loop);
  Flow for_each(const For& f, Place place);
  void show(const Show& show, Place place);
  void assert_that(const Expr& expr);
  [[nodiscard]] bool holds(const Expr& expr);
  [[nodiscard]] Tensor number(const Expr& expr);
  [[nodiscard]] std::string text(const Expr& expr);
  void check_stop() const;

  Program::Impl& p_;
  std::vector<Answer>& answers_;
  std::vector<Answer>& curves_;
  Place place_{};  ///< of the statement that runs
  ScriptScope scope_;
};

}  // namespace gyre::logic
