#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "gyre/base/error.h"

// What a call threw, for every test.

namespace gyre {

/// The Error that `call` throws; a failure of the test if it throws none.
template <class F>
Error error_of(F call) {
  try {
    call();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(Code::internal, "", "");
}

template <class F>
Code code_of(F call) {
  return error_of(call).code;
}

/// The message of the Error with `code` that `call` throws.
template <class F>
std::string message_of(Code code, F call) {
  Error e = error_of(call);
  EXPECT_EQ(e.code, code) << e.what();
  return e.what();
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace gyre
