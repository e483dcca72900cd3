#pragma once
#include <vector>

#include "bench/work.h"
#include "gyre/nn/module.h"
#include "gyre/packed/packed.h"

// Weights of benchmarks with packed weights: several of one shape that are used in turn, so that
// each product reads its weights from memory and not from a cache.

namespace gyre::bench {

/// Places of formats of rings in packed/codec/codecs.def, and others.
enum PackedPlace : int64_t {
#define RING(name, ...) k##name,
#include "gyre/packed/codec/codecs.def"
  kQ8_0,
  kQ4_0,
  kDense  ///< plain f32 weights
};

/// Bits of a weight as stored, without headers, by PackedPlace.
inline constexpr double kStoredBits[] = {
#define RING(name, layers, bits, steps, multiplier, words, inputs, ...) \
  128.0 * words / (16 * inputs),
#include "gyre/packed/codec/codecs.def"
    8.5, 4.5, 32};

/// Bytes of the words of a matrix.
constexpr double stored_bytes(int64_t in, int64_t out, int64_t place) {
  return static_cast<double>(in * out) * kStoredBits[place] / 8;
}

/// How many matrices it takes to exceed 256 MB, at most `most`.
constexpr int matrices_in_turn(int64_t in, int64_t out, int64_t place, int most = 1 << 20) {
  const int wanted = static_cast<int>(256e6 / stored_bytes(in, out, place)) + 1;
  return wanted < most ? wanted : most;
}

/// As many weights [out, in] of random numbers.
std::vector<Tensor> random_weights(int64_t in, int64_t out, int64_t place, int count);

/// Packs the matrices of a model; in a format of rings with random words, since to find the nearest
/// ones takes minutes.
void pack_for_timing(nn::Module& model, const Codec& format);

/// For Ready::error: that of the format on N(0, 1) numbers, which packed_peers.py packs, too: 256
/// rows of 4,096, by Box and Muller from draw(11, 0), draw(11, 1) and so on. Empty for kDense.
std::function<double()> error_of(int64_t place);

}  // namespace gyre::bench
