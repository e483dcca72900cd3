#include "gyre/packed/int8/int8_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/packed/tile_states.h"

namespace gyre {
namespace {

using Ints = RawOf<int32_t, kLanes>;

struct Plain {
  static constexpr bool kMultishift = false;
  static constexpr int kChains = 1;
  static GYRE_INLINE Ints add(Ints sum, Bytes x, Bytes y) {
    return raw_add_products<4 * kLanes>(sum, x, y);
  }
  // Two bytes of x, each twice; and the bytes of each half of two vectors, summed, times them.
  using Factor = RawOf<short, 2 * kLanes>;
  static GYRE_INLINE Factor factor(uint32_t repeated) {
    return Factor(raw_splat<uint32_t, kLanes>(repeated)) >> 8;
  }
  static GYRE_INLINE void add_sums(Ints (&sum)[kChains], Bytes a, Bytes b, Factor by) {
    const Factor both = raw_sum_two_bytes<4 * kLanes>(a) + raw_sum_two_bytes<4 * kLanes>(b);
    sum[0] += raw_sum_pairs<2 * kLanes>(both, by);
  }
};

// Of instructions that multiply and sum four bytes.
template <class Dot>
struct WithDot {
  static constexpr bool kMultishift = false;
  static constexpr int kChains = 2;
  using Factor = Bytes;
  static GYRE_INLINE Factor factor(uint32_t repeated) {
    return Bytes(raw_splat<uint32_t, kLanes>(repeated));
  }
  static GYRE_INLINE void add_sums(Ints (&sum)[kChains], Bytes a, Bytes b, Factor by) {
    sum[0] = Dot::add(sum[0], a, by);
    sum[1] = Dot::add(sum[1], b, by);
  }
};

// In assembler, because the code may contain the instruction and still run where it is missing: the
// driver asks the CPU.
#if defined(__x86_64__) && GYRE_VBYTES == 64
struct Vnni : WithDot<Vnni> {
  static GYRE_INLINE Ints add(Ints sum, Bytes x, Bytes y) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
    return sum;
  }
};
struct Multishift : Vnni {
  static constexpr bool kMultishift = true;
  // Byte i: the 8 bits of its 64-bit lane from bit begins[i] on.
  static GYRE_INLINE Bytes multishift(Bytes begins, Bytes x) {
    Bytes r;
    asm("vpmultishiftqb %2, %1, %0" : "=v"(r) : "v"(begins), "v"(x));
    return r;
  }
};
#elif defined(__x86_64__) && GYRE_VBYTES == 32
struct Vnni : WithDot<Vnni> {
  static GYRE_INLINE Ints add(Ints sum, Bytes x, Bytes y) {
    asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(x), "x"(y));
    return sum;
  }
};
using Multishift = Vnni;
#else
using Vnni = Plain;
using Multishift = Plain;
#endif

template <class F>
GYRE_INLINE void with_dot(ByteProducts with, F f) {
  if (with == ByteProducts::none) return f(Type<Plain>{});
  f(Type<Vnni>{});
}

// The four bytes of each state times the multipliers.
GYRE_INLINE Bytes bytes_of(Words both, Words multipliers) {
  return Bytes(Pairs(both) * Pairs(multipliers));
}

float round(const float* x, int64_t n, int8_t* to, int32_t& sum) noexcept {
  V most = V(0.0);
  bool finite = true;
  float largest = 0;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const V size = abs(V::load(x + i));
    finite = finite && all(size <= V::of(3.4028234e38F));
    most = max(most, size);
  }
  largest = max_of_lanes(most);
  for (; i < n; ++i) {
    const float size = __builtin_fabsf(x[i]);
    finite = finite && size <= 3.4028234e38F;
    largest = size > largest ? size : largest;
  }
  sum = 0;
  // where 127 / largest would overflow, all are 0
  const bool none = largest < 0x1p-100F;
  const float unit = none ? 0 : largest / 127, inverse = none ? 0 : 127 / largest;
  // Adding 1.5 * 2^23 rounds to an integer, which then is in the low bits.
  constexpr float kShift = 12582912;
  constexpr int32_t kShiftBits = 0x4b400000;
  Ints sums{};
  for (i = 0; i + kLanes <= n; i += kLanes) {
    const V shifted = V::load(x + i) * V::of(inverse) + V::of(kShift);
    const Ints whole = bit_cast<Ints>(shifted.v) - kShiftBits;
    sums += whole;
    const auto narrow = raw_convert<int8_t, kLanes>(whole);
    __builtin_memcpy(to + i, &narrow, kLanes);
  }
  for (int l = 0; l < kLanes; ++l) sum += sums[l];
  for (; i < n; ++i) {
    const float shifted = x[i] * inverse + kShift;
    int32_t bits;
    __builtin_memcpy(&bits, &shifted, 4);
    to[i] = int8_t(bits - kShiftBits);
    sum += bits - kShiftBits;
  }
  return finite ? unit : __builtin_nanf("");
}

template <class Tile, class Dot>
GYRE_INLINE void add_row_of(const PackedCode& code, const Packed128* words, int64_t tiles,
                            const uint32_t* x, int32_t* sums) {
  const Pairs low = raw_splat<uint16_t, 2 * kLanes>(uint16_t(code.multipliers)),
              high = raw_splat<uint16_t, 2 * kLanes>(uint16_t(code.multipliers >> 16));
  // several chains of sums, since each waits for the one before
  Ints sum[Tile::kLayers][kParts][2][Dot::kChains] = {};
  const auto add_tile = [&](int64_t t, int odd) GYRE_LAMBDA_INLINE {
    const Tile tile(words + t * Tile::kWords);
    prefetch(words + (t + 128) * Tile::kWords);
    const uint32_t* from = x + t * Tile::kPairs;
#pragma GCC unroll 11
    for (int j = 0; j < Tile::kPairs; ++j) {
      const auto factor = Dot::factor(from[j]);
#pragma GCC unroll 2
      for (int layer = 0; layer < Tile::kLayers; ++layer) {
#pragma GCC unroll 4
        for (int p = 0; p < kParts; ++p) {
          const Pairs states = Pairs(tile.template pair<Dot>(layer, j, p));
          Dot::add_sums(sum[layer][p][(odd + j) % 2], Bytes(states * low), Bytes(states * high),
                        factor);
        }
      }
    }
  };
  int64_t t = 0;
  for (; t + 2 <= tiles; t += 2) {
    add_tile(t, 0);
    add_tile(t + 1, 1);
  }
  if (t < tiles) add_tile(t, 0);
  for (int layer = 0; layer < Tile::kLayers; ++layer) {
    for (int p = 0; p < kParts; ++p) {
      Ints all;
      int32_t* to = sums + layer * kTileOutputs + p * kLanes;
      __builtin_memcpy(&all, to, sizeof all);
      for (const auto& chains : sum[layer][p]) {
        for (const Ints& chain : chains) all += chain;
      }
      __builtin_memcpy(to, &all, sizeof all);
    }
  }
}

// The byte of each output for an input, in the lowest byte of its lane.
template <class Tile, class Dot>
GYRE_INLINE Words byte_of(const Tile& tile, int input, int part, Words multipliers,
                          const ByteNumbers& numbers) {
  const Bytes ones = Bytes{} + uint8_t(1);
  const Bytes hi = bytes_of(tile.states(0, input, part), multipliers);
  if constexpr (Tile::kLayers == 1) {
    // of 4 units, rounded: numbers.cos is 2^12, and the offset 2^13
    return Words(Dot::add(Ints{} + 2, hi, ones)) >> 2;
  } else {
    const Bytes lo = bytes_of(tile.states(1, input, part), multipliers);
    const Words both = Words(Dot::add(Ints{}, hi, ones)) | Words(Dot::add(Ints{}, lo, ones)) << 16;
    using Shorts = RawOf<short, 2 * kLanes>;
    const Words by = raw_splat<uint32_t, kLanes>(uint32_t(uint16_t(numbers.cos)) |
                                                 uint32_t(uint16_t(numbers.sin)) << 16);
    const Ints sum = raw_sum_pairs<2 * kLanes>(Shorts(both), Shorts(by)) + numbers.offset;
    return Words(sum >> 14);
  }
}

template <class Tile, class Dot>
GYRE_INLINE void decode_of(const PackedCode& code, const ByteNumbers& numbers,
                           const Packed128* words, int64_t tiles, uint8_t* to) {
  constexpr int64_t kQuad = 4 * kBlockOutputs;
  // tiles whose inputs are whole quads
  constexpr int kTogether = Tile::kInputs % 4 == 0 ? 1 : Tile::kInputs % 2 == 0 ? 2 : 4;
  const Words multipliers = raw_splat<uint32_t, kLanes>(code.multipliers);
  for (int64_t t = 0; t < tiles; t += kTogether) {
    Words quad[kParts] = {};
    int64_t input = 0;
#pragma GCC unroll 2
    for (int i = 0; i < kTogether; ++i) {
      if (t + i == tiles) break;
      const Tile tile(words + (t + i) * Tile::kWords);
#pragma GCC unroll 21
      for (int j = 0; j < Tile::kInputs; ++j, ++input) {
#pragma GCC unroll 4
        for (int p = 0; p < kParts; ++p) {
          const Words byte = byte_of<Tile, Dot>(tile, j, p, multipliers, numbers);
          quad[p] |= byte << uint32_t(input % 4 * 8);
        }
        if (input % 4 != 3) continue;
        for (int p = 0; p < kParts; ++p) {
          __builtin_memcpy(to + p * 4 * kLanes, &quad[p], sizeof quad[p]);
          quad[p] = Words{};
        }
        to += kQuad;
      }
    }
    if (input % 4 == 0) continue;
    for (int p = 0; p < kParts; ++p)
      __builtin_memcpy(to + p * 4 * kLanes, &quad[p], sizeof quad[p]);
  }
}

// R rows of x by four vectors of outputs.
template <class Dot, int R>
GYRE_INLINE void multiply_rows(const Int8Block& b, int64_t row, int output) {
  constexpr int kVectors = 4;
  Ints sum[R][kVectors] = {};
  const int8_t* x = b.x + row * b.x_row;
  const uint8_t* w = b.weights + int64_t(output) * 4;
  for (int64_t q = 0; q < b.quads; ++q, x += 4, w += int64_t(kBlockOutputs) * 4) {
    Bytes weights[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      __builtin_memcpy(&weights[v], w + v * sizeof(Bytes), sizeof(Bytes));
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      uint32_t four;
      __builtin_memcpy(&four, x + r * b.x_row, 4);
      const Bytes factor = Bytes(raw_splat<uint32_t, kLanes>(four));
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[r][v] = Dot::add(sum[r][v], weights[v], factor);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const V unit = V::of(b.x_units[(row + r) * b.x_units_row]);
    const V all = V::of(float(b.x_sums[(row + r) * b.x_units_row]));
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const int at = output + v * kLanes;
      const V product =
          V::from(raw_convert<float, kLanes>(sum[r][v])) - all * V::load(b.zeros + at);
      const V part = product * (unit * V::load(b.units + at));
      float* y = b.y + (row + r) * b.y_row + at;
      if (at + kLanes <= b.outputs) {
        (V::load(y) + part).store(y);
        continue;
      }
      for (int l = 0; l < kLanes && at + l < b.outputs; ++l) y[l] += part[l];
    }
  }
}

template <class Dot>
GYRE_INLINE void multiply_of(const Int8Block& b) {
  constexpr int kRows = GYRE_VBYTES == 64 ? 6 : 2, kFewer = GYRE_VBYTES == 64 ? 3 : 2;
  for (int64_t row = 0; row < b.rows;) {
    const int64_t left = b.rows - row;
    const int rows = left >= kRows ? kRows : left >= kFewer ? kFewer : 1;
    for (int output = 0; output < b.outputs; output += 4 * kLanes) {
      if (rows == kRows)
        multiply_rows<Dot, kRows>(b, row, output);
      else if (rows == kFewer)
        multiply_rows<Dot, kFewer>(b, row, output);
      else
        multiply_rows<Dot, 1>(b, row, output);
    }
    row += rows;
  }
}

void add_row(const PackedCode& code, ByteProducts with, const Packed128* words, int64_t tiles,
             const uint32_t* x, int32_t* sums) noexcept {
  with_tile(code, [&]<class Tile>(Type<Tile>) {
    if (with == ByteProducts::multishift)
      return add_row_of<Tile, Multishift>(code, words, tiles, x, sums);
    with_dot(with,
             [&]<class Dot>(Type<Dot>) { add_row_of<Tile, Dot>(code, words, tiles, x, sums); });
  });
}

void decode(const PackedCode& code, const ByteNumbers& numbers, ByteProducts with,
            const Packed128* words, int64_t tiles, uint8_t* to) noexcept {
  with_dot(with, [&]<class Dot>(Type<Dot>) {
    with_tile(code, [&]<class Tile>(Type<Tile>) {
      decode_of<Tile, Dot>(code, numbers, words, tiles, to);
    });
  });
}

void multiply(const Int8Block& block, ByteProducts with) noexcept {
  with_dot(with, [&]<class Dot>(Type<Dot>) { multiply_of<Dot>(block); });
}

}  // namespace

GYRE_EXPORT_TILES(Int8Tiles, int8){round, add_row, decode, multiply};

}  // namespace gyre
