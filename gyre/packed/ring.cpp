#include "gyre/packed/ring.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"

namespace gyre {

GYRE_DECLARE_TILES(RingTiles, ring)

GYRE_TILES_FUNCTION(const RingTiles&, ring_tiles, RingTiles, ring)

namespace {

constexpr RingFormat kRingFormats[] = {
#define RING(name, layers, bits, steps, multipliers, words, inputs, tries, angle, error) \
  {{#name, PackedFormat::name, true, error},                                             \
   layers,                                                                               \
   bits,                                                                                 \
   steps,                                                                                \
   multipliers,                                                                          \
   words,                                                                                \
   inputs,                                                                               \
   tries,                                                                                \
   angle},
#include "gyre/packed/codec/codecs.def"
};

// At most 4 * 255.
int byte_sum(uint32_t state, uint32_t multipliers) {
  const uint32_t low = state * (multipliers & 0xffff), high = state * (multipliers >> 16);
  return static_cast<int>((low & 0xff) + (low >> 8 & 0xff) + (high & 0xff) + (high >> 8 & 0xff));
}

struct RingValues {
  RingScale by;
  alignas(64) std::array<float, kRingStates> of;
};

// Sums of integers are exact, so that the scale is rounded once, and each number twice.
RingValues make_values(const RingFormat& format) {
  int64_t sum = 0, squares = 0;
  for (uint32_t q = 0; q < kRingStates; ++q) {
    const int64_t bytes = byte_sum(q, format.multipliers);
    sum += bytes;
    squares += bytes * bytes;
  }
  const double deviation =
      std::sqrt(static_cast<double>(squares * kRingStates - sum * sum)) / kRingStates;
  RingValues values;
  values.by = {static_cast<float>(static_cast<double>(sum) / kRingStates),
               static_cast<float>(1 / deviation)};
  for (uint32_t q = 0; q < kRingStates; ++q) {
    const auto bytes = static_cast<float>(byte_sum(q, format.multipliers));
    values.of[q] = (bytes - values.by.mean) * values.by.scale;
  }
  return values;
}

const RingValues& values_of(const RingFormat& format) {
  static const auto* all = [] {
    auto* made = new std::array<RingValues, std::size(kRingFormats)>;
    for (size_t i = 0; i < std::size(kRingFormats); ++i) (*made)[i] = make_values(kRingFormats[i]);
    return made;
  }();
  return (*all)[static_cast<size_t>(&format - kRingFormats)];
}

using Ring = unsigned __int128;

Ring ring_of(const RingFormat& format, const Packed128& word, int layer) {
  if (format.layers == 2) return layer == 0 ? word.hi : word.lo;
  return Ring{word.hi} << 64 | word.lo;
}

// R rotated so that bit `by` is the lowest; at least 11 bits of it are right.
int window(Ring ring, int size, int by) {
  Ring bits = ring >> by;
  if (by + kRingWindow > size) bits |= ring << (size - by);
  return static_cast<int>(bits & (kRingStates - 1));
}

void check_sizes(const char* op, const RingFormat& format, size_t numbers, size_t words) {
  if (numbers == words * static_cast<size_t>(format.steps)) return;
  throw Error(Code::shape, op,
              {"expected ", format.steps, " numbers for each of ", words, " words of format ",
               format.name, ", got ", numbers},
              words * static_cast<size_t>(format.steps), numbers);
}

void put_ring(const RingFormat& format, int layer, const uint16_t* states, Packed128& word) {
  Ring ring = 0;
  for (int t = 0; t < format.steps; ++t)
    ring |= Ring{states[t] & ((1u << format.bits) - 1)} << (format.bits * t);
  const auto low = static_cast<uint64_t>(ring);
  if (format.layers == 1)
    word = {static_cast<uint64_t>(ring >> 64), low};
  else
    (layer == 0 ? word.hi : word.lo) = low;
}

// Finds rings from several places: where the ends meet, the search decides with less foresight.
class RingSearch {
 public:
  explicit RingSearch(const RingFormat& format)
      : format_(format), code_{format.bits, format.steps, ring_values(format).data()} {}

  const uint16_t* nearest(const float* x) {
    double least = INFINITY;
    for (int i = 0; i < format_.tries; ++i) {
      const int n = format_.steps, from = i * n / format_.tries;
      std::rotate_copy(x, x + from, x + n, x_);
      ring_tiles().encode(code_, x_, states_, *memory_);
      if (const double off = distance(); off < least) {
        least = off;
        std::rotate_copy(states_, states_ + (n - from) % n, states_ + n, best_);
      }
    }
    return best_;
  }

 private:
  double distance() const {
    double sum = 0;
    for (int t = 0; t < format_.steps; ++t) {
      const double off = std::isnan(x_[t]) ? 0 : code_.values[states_[t]] - x_[t];
      sum += off * off;
    }
    return sum;
  }

  const RingFormat& format_;
  RingCode code_;
  std::unique_ptr<RingMemory> memory_ = std::make_unique_for_overwrite<RingMemory>();
  float x_[128];
  uint16_t states_[128], best_[128];
};

}  // namespace

std::span<const RingFormat> ring_formats() { return kRingFormats; }

const RingFormat& ring_format(std::string_view name) { return ring_format(codec(name)); }

const RingFormat& ring_format(const Codec& format) {
  if (format.has_rings) return static_cast<const RingFormat&>(format);
  throw Error(Code::value, "packed", {"format ", format.name, " has no rings"}, "a format of rings",
              format.name);
}

RingScale ring_scale(const RingFormat& format) { return values_of(format).by; }

std::span<const float> ring_values(const RingFormat& format) { return values_of(format).of; }

int ring_state(const RingFormat& format, const Packed128& word, int layer, int t) {
  return window(ring_of(format, word, layer), format.bits * format.steps, format.bits * t);
}

void encode_rings(const RingFormat& format, int layer, std::span<const float> x,
                  std::span<Packed128> words) {
  check_sizes("encode_rings", format, x.size(), words.size());
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isinf(x[i]))
      throw Error(Code::numeric, "encode_rings", {"number ", i, " is infinite"}, "finite numbers",
                  double{x[i]});
  }
  parallel_for(static_cast<int64_t>(words.size()), 16, [&](int64_t begin, int64_t end) {
    RingSearch search(format);
    for (int64_t i = begin; i < end; ++i) {
      put_ring(format, layer, search.nearest(x.data() + i * format.steps),
               words[static_cast<size_t>(i)]);
    }
  });
}

void decode_rings(const RingFormat& format, int layer, std::span<const Packed128> words,
                  std::span<float> x) {
  check_sizes("decode_rings", format, x.size(), words.size());
  const std::span<const float> values = ring_values(format);
  float* out = x.data();
  for (const Packed128& word : words) {
    const Ring ring = ring_of(format, word, layer);
    for (int t = 0; t < format.steps; ++t)
      *out++ =
          values[static_cast<size_t>(window(ring, format.bits * format.steps, format.bits * t))];
  }
}

}  // namespace gyre
