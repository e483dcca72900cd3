#pragma once
#include <exception>

#include "gyre/op/op_def.h"

namespace gyre {

/// Runs a kernel body and converts its exceptions to a Status. They mean out of memory
/// (thread_scratch or a container), since infer() checked all else: Code::resource.
Status run_or_report(auto run) noexcept {
  try {
    run();
    return {};
  } catch (const std::exception&) {
    return {true, Code::resource, 0, 0, "no memory for scratch"};
  }
}

}  // namespace gyre
