#pragma once
#include <string>

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "tests/thrown.h"

// What unit tests of a folder of ops do with its table: run every sample, and see that every
// invalid call is refused with its code.

namespace gyre {

/// What is wrong with an op's samples; empty when there are three valid ones, all run, and all
/// invalid ones are refused as they say.
inline std::string sample_problems(const OpDef& op) {
  const Samples samples(op);
  std::string problems;
  if (samples.calls.size() < 3) problems += std::string(op.name) + " has less than three samples\n";
  for (const auto& call : samples.calls) {
    try {
      apply(op, call.in, call.attrs);
    } catch (const Error& e) {
      problems += std::string("a valid call throws: ") + e.what() + "\n";
    }
  }
  for (size_t i = 0; i < samples.refusals.size(); ++i) {
    const auto& refusal = samples.refusals[i];
    Code code = code_of([&] { apply(op, refusal.in, refusal.attrs); });
    if (code == refusal.code) continue;
    problems += std::string(op.name) + ": invalid call " + std::to_string(i) + " gives " +
                code_name(code) + ", not " + code_name(refusal.code) + "\n";
  }
  return problems;
}

}  // namespace gyre
