#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/logic/program.h"

namespace gyre::logic {

/// A name that a program defines.
struct ProgramSymbol {
  enum Kind : uint8_t { tensor, relation, constant, domain, function };
  Kind kind;
  std::string name;
  Place place{};      ///< of the name where it is first declared or defined
  Place statement{};  ///< that does it
  /// As a declaration: "tensor W[Person (3), 4]: f64, learnable", "const N = 4".
  std::string type{};
  std::string origin{};  ///< of tensors and relations: "2 facts, 1 rule"
};

/// The names of a program, also of one with errors, as far as they are known then.
struct ProgramSymbols {
  Sources sources{};                             ///< file 0 is the text itself
  std::vector<ProgramSymbol> symbols{};          ///< constants, domains, functions, then the others
  std::vector<LocatedDiagnostic> diagnostics{};  ///< all errors and warnings
  std::string failure{};                         ///< what else ended the compilation, or empty

  /// The symbol of that name, or null.
  [[nodiscard]] const ProgramSymbol* find(std::string_view name) const;
};

/// Compiles a program as Program::parse(), without running it.
[[nodiscard]] ProgramSymbols symbols_of(std::string text, const std::string& path,
                                        const OpTable& ops, const OptimizerTable& optimizers);

}  // namespace gyre::logic
