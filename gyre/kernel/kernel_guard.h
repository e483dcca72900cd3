#pragma once
#include <exception>

#include "gyre/op/op_def.h"

namespace gyre {

/// How a kernel ended whose work is run(). What that throws is want of memory (for thread_scratch
/// or a container), since infer() agreed to all else: Code::resource.
template <class F>
Status run_or_report(F run) noexcept {
  try {
    run();
    return {};
  } catch (const std::exception&) {
    return {true, Code::resource, 0, 0, "no memory for scratch"};
  }
}

}  // namespace gyre
