#pragma once
#include <gtest/gtest.h>

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"

// What unit tests of a folder of ops do with its table: run every sample, and see that every invalid
// call is refused with its code.

namespace gyre {

/// The code of the Error that `call` throws; a test failure and `internal` when it throws none.
template <class F>
Code code_of(F call) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_FALSE(e.op.empty()) << e.what();
    return e.code;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Code::internal;
}

inline void run_samples(const OpDef& op) {
  Samples samples;
  op.samples(samples);
  EXPECT_GE(samples.calls.size(), 3u) << op.name;
  for (const auto& call : samples.calls) {
    EXPECT_NO_THROW(apply(op, call.in, call.attrs)) << op.name;
  }
  for (const auto& refusal : samples.refusals) {
    EXPECT_EQ(code_of([&] { apply(op, refusal.in, refusal.attrs); }), refusal.code) << op.name;
  }
}

}  // namespace gyre
