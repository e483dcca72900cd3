#pragma once
#include <string>

namespace gyre {

/// The name of this machine in its network; "localhost" where that cannot be told.
[[nodiscard]] std::string host_name();

/// What the CPU calls itself ("AMD EPYC 7763 64-Core Processor"); empty where that cannot be told.
[[nodiscard]] std::string cpu_model();

}  // namespace gyre
