#pragma once
// The states and numbers of a tile's words, for the kernels of packed matrices.
#include "gyre/packed/packed_tiles.h"
#include "gyre/simd/byte_lanes.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

using V = Vec<float>;
constexpr int kLanes = V::width;               // 4, 8 or 16
constexpr int kParts = kTileOutputs / kLanes;  // vectors of a tile's outputs
using Bytes = RawOf<uint8_t, 4 * kLanes>;      // a 32-bit lane for each output
using Pairs = RawOf<uint16_t, 2 * kLanes>;
using Words = RawOf<uint32_t, kLanes>;

// The state of 11 bits of each lane, in both halves, times the two multipliers; the sum of bytes,
// less the mean.
GYRE_INLINE V number_of(Words both, Words multipliers, V mean) {
  const Pairs product = Pairs(both) * Pairs(multipliers);
  return V::from(raw_convert<float, kLanes>(raw_sum_bytes<4 * kLanes>(Bytes(product)))) - mean;
}

// Formats whose rings have 128 bits, or 64 in each of two layers: step t is output t % 16 of input
// t / 16. A byte shuffle brings the bits of each output to its lane.
template <int bits, int layers = 1>
struct Whole {
  static constexpr int kWords = 1, kLayers = layers, kBits = bits, kInputs = 8 / bits / layers;
  static constexpr int kStep = 1;  // how far apart the numbers of neighbouring steps are

  // Where the states of an input's outputs lie: the bytes of each lane, and the bits to drop.
  struct Places {
    alignas(64) uint8_t bytes[layers][kInputs][kParts][4 * kLanes];
    alignas(64) uint32_t shift[kInputs][kParts][kLanes];
    alignas(64) uint8_t both[4 * kLanes];  // the lower half of each lane in both halves
    constexpr Places() : bytes(), shift(), both() {
      for (int i = 0; i < 4 * kLanes; ++i) both[i] = uint8_t(i / 4 * 4 % 16 + i % 2);
      for (int j = 0; j < kInputs; ++j) {
        for (int o = 0; o < kTileOutputs; ++o) {
          const int bit = bits * (16 * j + o), part = o / kLanes, lane = o % kLanes;
          // 4 bits: both halves of the lane get the two bytes; else four bytes
          for (int q = 0; q < 4; ++q) {
            const int byte = bit / 8 + (bits == 4 ? q % 2 : q);
            // `hi` comes first in memory
            bytes[0][j][part][4 * lane + q] = uint8_t(layers == 1 ? byte % 16 ^ 8 : byte % 8);
            if (layers == 2) bytes[layers - 1][j][part][4 * lane + q] = uint8_t(8 + byte % 8);
          }
          const uint32_t drop = uint32_t(bit % 8);
          shift[j][part][lane] = bits == 4 ? drop | drop << 16 : drop;
        }
      }
    }
  };
  static constexpr Places kPlaces{};

  explicit GYRE_INLINE Whole(const Packed128* words) : word_(raw_repeat_bytes<4 * kLanes>(words)) {}
  GYRE_INLINE Words states(int layer, int input, int part) const {
    Bytes from;
    Words drop;
    __builtin_memcpy(&from, kPlaces.bytes[layer][input][part], sizeof from);
    __builtin_memcpy(&drop, kPlaces.shift[input][part], sizeof drop);
    const Bytes found = raw_shuffle_bytes<4 * kLanes>(word_, from);
    if constexpr (bits == 4) {
      // drops 0 or 4 bits; shifts to the left by 5 or 1 and back leave the 11 bits of the state
#if defined(__AVX512BW__)
      return Words((Pairs(found) >> Pairs(drop)) & uint16_t(0x7ff));
#else
      const Pairs up = Pairs(drop) == 0 ? Pairs{} + uint16_t(32) : Pairs{} + uint16_t(2);
      return Words((Pairs(found) * up) >> 5);
#endif
    } else {
#if defined(__AVX2__)
      const Words state = (Words(found) >> drop) & 0x7ffu;
#else
      Words up;  // no shifts by lane: to the left by a product, and back
      for (int i = 0; i < kLanes; ++i) up[i] = 1u << (21 - kPlaces.shift[input][part][i]);
      const Words state = (Words(found) * up) >> 21;
#endif
#if defined(__AVX512BW__)  // which has two ports for vectors: one shuffle is less than two others
      Bytes both;
      __builtin_memcpy(&both, kPlaces.both, sizeof both);
      return Words(raw_shuffle_bytes<4 * kLanes>(Bytes(state), both));
#else
      return state | state << 16;
#endif
    }
  }
  // Puts the last steps of the ring before its first.
  static GYRE_INLINE void wrap(float* steps) {
    __builtin_memcpy(steps - kTileOutputs, steps + (kInputs - 1) * kTileOutputs,
                     kTileOutputs * sizeof(float));
  }

 private:
  Bytes word_;
};

template <class T>
struct Type {};

// Three bits: word w of eight has outputs 2 w (first 21 steps) and 2 w + 1. A base of 32 bits holds
// 8 steps of each output.
struct Thirds {
  static constexpr int kWords = 8, kLayers = 1, kBits = 3, kInputs = 21;
  static constexpr int kStep = kTileOutputs;

  explicit GYRE_INLINE Thirds(const Packed128* words) {
    for (int w = 0; w < kWords; ++w) {
      const uint64_t lo = words[w].lo, hi = words[w].hi;
      const uint64_t second = lo >> 63 | hi << 1 | lo << 63;  // from bit 63 on; after 125 comes 0
      put(2 * w, lo, hi);
      put(2 * w + 1, second, lo >> 1);
    }
  }
  GYRE_INLINE Words states(int, int input, int part) const {
    Words base;
    __builtin_memcpy(&base, bases_[input / 8] + part * kLanes, sizeof base);
    const Words state = (base >> uint32_t(input % 8 * 3)) & 0x7ffu;
    return state | state << 16;
  }
  static GYRE_INLINE void wrap(float* steps) {
    for (int i = 1; i <= 3; ++i) {
      for (int o = 0; o < kTileOutputs; ++o)  // the other output of the word comes before
        steps[o - i * kTileOutputs] = steps[(kInputs - i) * kTileOutputs + (o ^ 1)];
    }
  }

 private:
  // Bits 0, 24 and 48 on of the 128 that an output's steps begin with.
  GYRE_INLINE void put(int output, uint64_t low, uint64_t high) {
    bases_[0][output] = uint32_t(low);
    bases_[1][output] = uint32_t(low >> 24);
    bases_[2][output] = uint32_t(low >> 48 | high << 16);
  }
  alignas(64) uint32_t bases_[3][kTileOutputs];
};

// Calls f with the kind of tile that a format has.
template <class F>
GYRE_INLINE void with_tile(const PackedCode& code, F f) {
  if (code.layers == 2) {
    if (code.bits == 1) return f(Type<Whole<1, 2>>{});
    return f(Type<Whole<2, 2>>{});
  }
  switch (code.bits) {
    case 1:
      return f(Type<Whole<1>>{});
    case 2:
      return f(Type<Whole<2>>{});
    case 3:
      return f(Type<Thirds>{});
    default:
      return f(Type<Whole<4>>{});
  }
}

}  // namespace
}  // namespace gyre
