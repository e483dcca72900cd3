#pragma once
#include <cstdint>
#include <string>

namespace gyre {

/// "1 layer", "2 layers".
inline std::string counted(int64_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace gyre
