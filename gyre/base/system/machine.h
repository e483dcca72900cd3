#pragma once
#include <string>

namespace gyre {

/// The network host name; "localhost" if unknown.
[[nodiscard]] std::string host_name();

/// The CPU model ("AMD EPYC 7763 64-Core Processor"); empty if unknown.
[[nodiscard]] std::string cpu_model();

}  // namespace gyre
