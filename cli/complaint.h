#pragma once
#include <string>

#include "cli/command.h"

namespace gyre {

/// Why a command did not do its work. What is not known is "".
struct Complaint {
  ExitCode exit;
  std::string code;              ///< "usage", or the name of an Error's code
  std::string op;                ///< who says so
  std::string message, hint;     ///< what is wrong, and what may help
  std::string expected, actual;  ///< the two sides that did not fit
};

/// Writes one line to standard error, "gyre: op: message (hint)" or, as `json`, an object with the
/// one member "error", and returns the exit code. Bytes that are no text are replaced.
int complain(const Complaint& complaint, bool json);

}  // namespace gyre
