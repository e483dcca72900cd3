#pragma once
#include <optional>
#include <string>

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"

// What unit tests of a folder of ops do with its table: run every sample, and see that every invalid
// call is refused with its code.

namespace gyre {

/// The code of the Error that `call` throws, if it throws one.
template <class F>
std::optional<Code> code_of(F call) {
  try {
    call();
  } catch (const Error& e) {
    return e.code;
  }
  return {};
}

/// What is wrong with an op's samples; empty when there are three valid ones, all run, and all invalid
/// ones are refused as they say.
inline std::string sample_problems(const OpDef& op) {
  Samples samples;
  op.samples(samples);
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
    auto code = code_of([&] { apply(op, refusal.in, refusal.attrs); });
    if (code == refusal.code) continue;
    problems += std::string(op.name) + ": invalid call " + std::to_string(i) + " gives " +
                (code ? code_name(*code) : "no error") + ", not " + code_name(refusal.code) + "\n";
  }
  return problems;
}

}  // namespace gyre
