#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/output.h"
#include "gyre/base/record.h"

namespace gyre {

/// The command was used wrongly (exit code 2).
struct UsageError : std::runtime_error {
  explicit UsageError(const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint(std::move(hint)) {}
  std::string hint;
};

/// How a command ends.
enum ExitCode : int { kDone = 0, kFailed = 1, kWrongUse = 2, kInterrupted = 130 };

/// What a command takes besides options.
struct Operands {
  const char* name = "";
  const char* doc = "";
  size_t least = 0, most = 0;
};
inline constexpr size_t kAny = SIZE_MAX;

/// One call of a command.
struct Invocation {
  const void* options;                ///< the struct behind Command::options
  std::vector<std::string> operands;  ///< as many as Command::operands allows
  std::vector<std::string> given;     ///< names of the fields that were set by hand
  bool json;                          ///< answer for programs
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
/// --weight-decay, its doc the help text, the struct's own value the default.
struct Command {
  const char *name, *summary, *example;  ///< name: "train"; "embed query" of a part
  Operands operands;
  const Record& options;
  /// Writes the answer and returns an ExitCode. Throws UsageError and Error.
  int (*run)(const Invocation&);
  /// The heading of the help under which an option stands, if not all are under one.
  const char* (*group)(const Field& option) = nullptr;
  /// What the help says besides, before the example.
  std::string (*notes)() = nullptr;
  /// A command of its own behind this one's name.
  const Command* part = nullptr;
};

/// The options of a command that has none.
inline constexpr Record kNoOptions{"NoOptions", 1, {}, [](void*) {}, [](void*) noexcept {}};

}  // namespace gyre
