#pragma once
#include <string>

#include "cli/command.h"

namespace gyre {

/// Why a command failed. Unknown fields are "".
struct Complaint {
  ExitCode exit;
  std::string code;              ///< "usage", or the name of an Error's code
  std::string op;                ///< the op or component that failed
  std::string message, hint;     ///< what is wrong and how to fix it
  std::string expected, actual;  ///< the expected and the actual value
};

/// Writes one line to standard error, "gyre: op: message (hint)" or, as `json`, an object with the
/// one member "error", and returns the exit code. Invalid UTF-8 is replaced.
int complain(const Complaint& complaint, bool json);

}  // namespace gyre
