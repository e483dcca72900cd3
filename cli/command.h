#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/output.h"
#include "gyre/base/record.h"

namespace gyre {

/// Wrong usage of a command (exit code 2).
struct UsageError : std::runtime_error {
  explicit UsageError(const std::string& message, std::string hint = {}, std::string expected = {},
                      std::string actual = {})
      : std::runtime_error(message),
        hint(std::move(hint)),
        expected(std::move(expected)),
        actual(std::move(actual)) {}
  std::string hint;
  std::string expected, actual;  ///< as those of Error
};

/// The positional arguments of a command.
struct Operands {
  const char* name = "";
  const char* doc = "";
  size_t least = 0, most = 0;
};
inline constexpr size_t kAny = SIZE_MAX;

/// One call of a command.
struct Invocation {
  const void* options;                ///< the struct behind Command::options
  std::vector<std::string> operands;  ///< their number is within Command::operands
  std::vector<std::string> given;     ///< names of the options that were set
  bool json;                          ///< print the result as JSON
  Output& out;

  template <class T>
  const T& as() const {
    return *static_cast<const T*>(options);
  }
  [[nodiscard]] bool has(std::string_view field) const {
    for (const std::string& name : given) {
      if (name == field) return true;
    }
    return false;
  }
};

/// A subcommand of `gyre`. Its options are the fields of a Record: `weight_decay` is the option
/// --weight-decay, its doc the help text, the struct's own value the default. The field tagged
/// kPositional, if there is one, gets the operands.
struct Command {
  const char *name, *summary, *example;  ///< name: "train"; "embed query" for a part
  Operands operands;
  const Record& options;
  /// Writes the answer and returns an ExitCode. Throws UsageError and Error.
  int (*run)(const Invocation&);
  /// Extra text of the help, before the example.
  std::string (*notes)() = nullptr;
  /// The subcommands of two words, such as "embed query".
  std::span<const Command* const> parts{};
};

/// All subcommands, in the order of the help. `name` is defined in cli/name.cpp.
#define GYRE_COMMANDS(X) \
  X(demo)                \
  X(train)               \
  X(embed)               \
  X(generate)            \
  X(perplexity)          \
  X(encode)              \
  X(run)                 \
  X(check)               \
  X(repl)                \
  X(fmt)                 \
  X(lsp)                 \
  X(compress) X(predict) X(logits) X(tokenize) X(inspect) X(ops) X(layers) X(devices) X(bench)

#define X(name) extern const Command name##_command;
GYRE_COMMANDS(X)
#undef X

}  // namespace gyre
