#pragma once
#include <functional>

#include "gyre/logic/program.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre::logic {

/// A program of a test, with all ops and optimizers.
inline Program program(std::string text, const ProgramOptions& options = {},
                       const ProgramInputs& inputs = {}) {
  return Program::parse(std::move(text), "test.tl", op_table(), optimizer_table(), options, inputs);
}

/// The code of the first error of f, "stopped" where it was stopped, empty if it did not throw.
inline std::string code_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const ProgramError& e) {
    return name_of(e.diagnostics()[0].diagnostic.code);
  } catch (const Stopped&) {
    return "stopped";
  }
  return "";
}

}  // namespace gyre::logic
