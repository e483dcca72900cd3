#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gyre/nn/module.h"

namespace gyre {

/// How much of a model is packed.
struct Packing {
  int64_t tensors = 0, weights = 0;                ///< all of them
  int64_t packed_tensors = 0, packed_weights = 0;  ///< those that are
  int64_t packed_bytes = 0;                        ///< of their words and headers
  std::vector<std::string> formats{};              ///< theirs, without repetitions
};
Packing packing_of(nn::Module& model);
/// Of a safetensors file, or nothing without one. Errors of packed_entries().
Packing packing_of(const std::string& file);

/// "packed: 8 of 16 tensors, 131,072 of 131,456 weights in D4, 0.56 bytes each".
std::string packing_text(const Packing& packing);
/// "D4, D2".
std::string format_names(const std::vector<std::string>& formats);

}  // namespace gyre
