#pragma once

#include <span>

namespace gyre {

/// An optional library: what it provides, whether this build has it, and its version or why not.
struct BuildFeature {
  const char* name;
  const char* gives;
  bool present;
  const char* detail;
};

/// How this library was built. All pointers are valid for the life of the program.
struct BuildInfo {
  const char* version;
  const char* compiler;
  const char* build_type;
  std::span<const BuildFeature> features;
};

[[nodiscard]] const BuildInfo& build_info() noexcept;

}  // namespace gyre
