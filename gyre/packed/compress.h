#pragma once
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/nn/module.h"
#include "gyre/packed/ring.h"

namespace gyre {

/// Which tensors of a module are packed, and how.
struct CompressPolicy {
  const RingFormat* format = ring_formats().data();  ///< D4
  /// Smaller tensors stay as they are.
  int64_t least_weights = 4096;
};

/// A tensor of a module before and after compression.
struct CompressedTensor {
  std::string name, format;  ///< "D4"; the dtype of a tensor that stays as it is
  int64_t weights = 0, bytes = 0;
  bool packed = false;
  double error = 0;  ///< size of the differences over that of the weights
  double size = 0;   ///< root of the sum of squares of packed weights
};

/// Packs the weights of a module in place: every learned, floating tensor of two or more axes with
/// `least_weights` elements; one under several names once. Layers whose ops do not take packed
/// weights (packed_handler.h), such as convolutions, are Error{unsupported} when called. Returns
/// all tensors of the state, in its order. Calls `done(packed weights, all of them)` after each.
/// Nothing has changed on an error: Error{unsupported} naming a tensor that is packed already,
/// Error{dtype} naming one of another floating dtype than f32, Error{numeric} naming one with
/// values that are not finite or too large.
std::vector<CompressedTensor> compress(
    nn::Module& module, const CompressPolicy& policy,
    FunctionRef<void(int64_t weights, int64_t all)> done = [](int64_t, int64_t) {});

}  // namespace gyre
