#pragma once
#include <cstdint>

#include "gyre/base/error.h"

namespace gyre {

/// Result of a kernel. `what` is a static text, `where` the row or element, or -1, and `value` the
/// offending number, if any; for Code::index an index outside of [least, bound), for
/// Code::unavailable without a text the number of the accelerator that lacks the kernel.
struct [[nodiscard]] Status {
  bool failed = false;
  Code code = Code::internal;
  int64_t where = -1, value = 0;
  const char* what = "";
  int64_t bound = 0, least = 0;
};

}  // namespace gyre
