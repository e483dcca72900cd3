#pragma once
#include <string>

#include "cli/command.h"
#include "gyre/io/record_json.h"

// How the commands that train end.

namespace gyre {

/// The line that goes on with an interrupted `gyre COMMAND`, as a shell takes it.
void print_resume(Output& out, const char* command, const std::string& folder);

/// Answers with what a training has come to: its report as JSON, or what `show` prints of it and of
/// the folder, and how an interrupted one goes on. Returns the ExitCode.
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
