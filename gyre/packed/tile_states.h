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
  static constexpr int kPairs = kInputs / 2;
  static constexpr int kStep = 1;  // how far apart the numbers of neighbouring steps are

  // Where the states of an input's outputs lie: the bytes of each lane, and the bits to drop.
  struct Places {
    alignas(64) uint8_t bytes[layers][kInputs][kParts][4 * kLanes];
    alignas(64) uint32_t shift[kInputs][kParts][kLanes];
    alignas(64) uint8_t both[4 * kLanes];  // the lower half of each lane in both halves
    // The same for two neighbouring inputs: two bytes of each in a lane if a step has 4 bits, else
    // four bytes of each for two lanes, and the bits of these at which the bytes of a state begin.
    alignas(64) uint8_t pairs[layers][kPairs][kParts][4 * kLanes];
    alignas(64) uint8_t begins[kParts][4 * kLanes];
    constexpr Places() : bytes(), shift(), both(), pairs(), begins() {
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
      for (int o = 0; o < kTileOutputs; ++o) {
        const int part = o / kLanes, lane = o % kLanes, even = o - o % 2;
        for (int q = 0; q < 4; ++q) {
          for (int j = 0; j < kPairs; ++j) {
            const int input = 2 * j + (bits == 4 ? q / 2 : o % 2);
            const int byte =
                bits * (16 * input + (bits == 4 ? o : even)) / 8 + (bits == 4 ? q % 2 : q);
            pairs[0][j][part][4 * lane + q] = uint8_t(layers == 1 ? byte % 16 ^ 8 : byte % 8);
            if (layers == 2) pairs[layers - 1][j][part][4 * lane + q] = uint8_t(8 + byte % 8);
          }
          begins[part][4 * lane + q] =
              uint8_t(bits * even % 8 + bits * (o % 2) + q % 2 * 8 + q / 2 * 32);
        }
      }
    }
  };
  static constexpr Places kPlaces{};

  explicit GYRE_INLINE Whole(const Packed128* words) : word_(raw_repeat_bytes<4 * kLanes>(words)) {}
  // The state of each output, in both halves of its lane.
  GYRE_INLINE Words states(int layer, int input, int part) const {
    const Bytes found = shuffled(kPlaces.bytes[layer][input][part]);
    if constexpr (bits == 4) {
      return halves(found, input, part);
    } else {
      const Words state = lowest(found, input, part);
#if defined(__AVX512BW__)  // which has two ports for vectors: one shuffle is less than two others
      Bytes both;
      __builtin_memcpy(&both, kPlaces.both, sizeof both);
      return Words(raw_shuffle_bytes<4 * kLanes>(Bytes(state), both));
#else
      return state | state << 16;
#endif
    }
  }
  // The states of inputs 2 j and 2 j + 1, in the lower and the upper half.
  template <class Cpu>
  GYRE_INLINE Words pair(int layer, int j, int part) const {
    if constexpr (bits == 4) {
      return halves(shuffled(kPlaces.pairs[layer][j][part]), 2 * j, part);
    } else if constexpr (Cpu::kMultishift) {
      Bytes begins;
      __builtin_memcpy(&begins, kPlaces.begins[part], sizeof begins);
      return Words(Cpu::multishift(begins, shuffled(kPlaces.pairs[layer][j][part]))) & 0x07ff07ffu;
    } else {
      const auto state = [&](int input) {
        return lowest(shuffled(kPlaces.bytes[layer][input][part]), input, part);
      };
      return state(2 * j) | state(2 * j + 1) << 16;
    }
  }
  // Puts the last steps of the ring before its first.
  static GYRE_INLINE void wrap(float* steps) {
    __builtin_memcpy(steps - kTileOutputs, steps + (kInputs - 1) * kTileOutputs,
                     kTileOutputs * sizeof(float));
  }

 private:
  GYRE_INLINE Bytes shuffled(const uint8_t (&places)[4 * kLanes]) const {
    Bytes from;
    __builtin_memcpy(&from, places, sizeof from);
    return raw_shuffle_bytes<4 * kLanes>(word_, from);
  }
  // Steps of 4 bits: drops 0 or 4 bits of each half; shifts to the left by 5 or 1 and back leave
  // the 11 bits of the state.
  static GYRE_INLINE Words halves(Bytes found, int input, int part) {
    Words drop;
    __builtin_memcpy(&drop, kPlaces.shift[input][part], sizeof drop);
#if defined(__AVX512BW__)
    return Words((Pairs(found) >> Pairs(drop)) & uint16_t(0x7ff));
#else
    const Pairs up = Pairs(drop) == 0 ? Pairs{} + uint16_t(32) : Pairs{} + uint16_t(2);
    return Words((Pairs(found) * up) >> 5);
#endif
  }
  // Others: the 11 bits of the state after those to drop, alone in the lane.
  static GYRE_INLINE Words lowest(Bytes found, int input, int part) {
#if defined(__AVX2__)
    Words drop;
    __builtin_memcpy(&drop, kPlaces.shift[input][part], sizeof drop);
    return (Words(found) >> drop) & 0x7ffu;
#else
    Words up;  // no shifts by lane: to the left by a product, and back
    for (int i = 0; i < kLanes; ++i) up[i] = 1u << (21 - kPlaces.shift[input][part][i]);
    return (Words(found) * up) >> 21;
#endif
  }

  Bytes word_;
};

template <class T>
struct Type {};

// Bits of two lanes at which the bytes of two states of three bits begin, for each pair of a base.
struct ThirdBegins {
  alignas(64) uint8_t of[4][4 * kLanes];
  constexpr ThirdBegins() : of() {
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4 * kLanes; ++i)
        of[j][i] = uint8_t(6 * j + i / 2 % 2 * 3 + i % 2 * 8 + i / 4 % 2 * 32);
    }
  }
};
constexpr ThirdBegins kThirdBegins{};

// Three bits: word w of eight has outputs 2 w (first 21 steps) and 2 w + 1. A base of 32 bits holds
// 8 steps of each output.
struct Thirds {
  static constexpr int kWords = 8, kLayers = 1, kBits = 3, kInputs = 21;
  static constexpr int kPairs = 11;  // the last has one input
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
  template <class Cpu>
  GYRE_INLINE Words pair(int, int j, int part) const {
    Words base;
    __builtin_memcpy(&base, bases_[j / 4] + part * kLanes, sizeof base);
    if constexpr (Cpu::kMultishift) {
      Bytes begins;
      __builtin_memcpy(&begins, kThirdBegins.of[j % 4], sizeof begins);
      return Words(Cpu::multishift(begins, Bytes(base))) & 0x07ff07ffu;
    } else {
      const auto first = uint32_t(j % 4 * 6);
      return ((base >> first) & 0x7ffu) | ((base >> (first + 3)) & 0x7ffu) << 16;
    }
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
