#pragma once
#include <string>

#include "cli/command.h"
#include "gyre/io/record_json.h"

// The final report of the commands that train.

namespace gyre {

/// Prints the shell command that resumes an interrupted `gyre COMMAND`.
void print_resume(Output& out, const char* command, const std::string& folder);

/// Prints the report of a training run: as JSON, or with `show` and, after an interruption, the
/// command that resumes it. Returns the ExitCode.
template <class Report>
int answer_trained(const Invocation& call, const char* command, const std::string& folder,
                   const Report& report, void (*show)(Output&, const std::string&, const Report&)) {
  if (call.json) {
    call.out.json(record_to_json(report));
  } else {
    show(call.out, folder, report);
    if (report.interrupted) print_resume(call.out, command, folder);
  }
  return report.interrupted ? kInterrupted : kDone;
}

}  // namespace gyre
