#include "gyre/packed/training/word_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/packed/gradient/gradient_tiles.h"
#include "gyre/packed/gradient/word_gradient.h"

namespace gyre {
namespace {

constexpr int kMostInputs = 21, kMostWords = 8;
constexpr int kChains = 16;  // divides the entries of a layer, which are tiles of 16 outputs
constexpr float kMiddle = 128, kMost = 127;  // of a residual in 8 bits

// Sums by output, which do not wait for each other; the compiler keeps them in vectors.
template <class T>
struct Lanes {
  T of[kTileOutputs] = {};
  [[nodiscard]] double sum() const {
    double all = 0;
    for (const T x : of) all += x;
    return all;
  }
};

// A tile's numbers, residuals and so on: by input and output.
using TileArray = std::array<float, kMostInputs * kTileOutputs>;
using GroupArray = std::array<float, PackedLayout::kGroupInputs * kTileOutputs>;

// Steps tiles of 16 outputs.
class RowStep {
 public:
  RowStep(const PackedStorage& w, const WordStepOptions& options, const WordMemory& memory)
      : w_(w),
        layout_(w.layout),
        format_(w.layout.ring()),
        code_(packed_code(format_)),
        options_(options),
        memory_(memory),
        k_(format_.tile_inputs) {
    counts.worst = std::numeric_limits<double>::infinity();
  }

  // `g` has the gradient of the 16 outputs, StoredGradient::kOutputs apart.
  void run(int64_t row_tile, const float* g, float* lo) {
    row_tile_ = row_tile;
    set_rates(g);
    for (int64_t k = 0; k < layout_.groups(); ++k) {
      const PackedLayout::Group group = layout_.group(row_tile, k);
      const float* of_group = g + group.col * StoredGradient::kOutputs;
      read_header(group);
      differentiate(group, of_group, lo + 2 * k);
      const int64_t first = (row_tile * layout_.col_tiles() * k_ + group.col) * kTileOutputs;
      float& scale = memory_.scale[static_cast<size_t>(row_tile * layout_.groups() + k)];
      take(group, of_group, memory_.residual.data() + first, scale);
      for (int64_t t = 0; t < group.tiles && scale_ > 0; ++t)
        run_tile(group, t, residual_.data() + t * k_ * kTileOutputs);
      store(group, memory_.residual.data() + first, first, scale);
    }
  }

  WordStepCounts counts;

 private:
  [[nodiscard]] std::span<Packed128> words_of(const PackedLayout::Group& g, int64_t tile) const {
    const auto count = static_cast<size_t>(format_.tile_words);
    return w_.words().subspan(static_cast<size_t>(g.word) + static_cast<size_t>(tile) * count,
                              count);
  }

  // What a gradient of each output is multiplied by.
  void set_rates(const float* g) {
    double squares[kTileOutputs] = {};
    for (int64_t i = 0; i < layout_.cols; ++i) {
      for (int o = 0; o < kTileOutputs; ++o) {
        const double v = options_.scale * g[i * StoredGradient::kOutputs + o];
        squares[o] += v * v;
      }
    }
    const double unbias = 1 / (1 - std::pow(options_.decay, static_cast<double>(options_.step)));
    for (int o = 0; o < kTileOutputs; ++o) {
      rates_[o] = 0;
      const int64_t row = row_tile_ * kTileOutputs + o;
      if (row >= layout_.rows) continue;
      float& average = memory_.square[static_cast<size_t>(row)];
      average =
          static_cast<float>(options_.decay * average +
                             (1 - options_.decay) * squares[o] / static_cast<double>(layout_.cols));
      if (average > 0) {
        rates_[o] =
            static_cast<float>(options_.rate * options_.scale / std::sqrt(average * unbias));
      }
    }
  }

  void read_header(const PackedLayout::Group& g) {
    const Packed128& header = w_.headers()[static_cast<size_t>(g.header)];
    scale_ = packed_scale(header);
    turn_ = packed_turn(format_, header);
    for (int o = 0; o < kTileOutputs; ++o) {
      factors_[o] = row_factor(w_.headers()[static_cast<size_t>(g.row_header)], o);
      by_[o] = scale_ * factors_[o];
    }
  }

  // The derivatives by scale and angle: sums of gradient times number, layer by layer.
  void differentiate(const PackedLayout::Group& group, const float* g, float* lo) {
    double sums[2] = {};
    GroupArray numbers;
    for (int layer = 0; layer < format_.layers; ++layer) {
      const PackedAngle only = layer == 0 ? PackedAngle{1, 0} : PackedAngle{0, 1};
      packed_tiles().decode(code_, only, w_.words().data() + group.word, 0, group.tiles * k_,
                            factors_, {numbers.data(), kTileOutputs, 8});
      Lanes<float> products;
      for (int64_t i = 0; i < group.tiles * k_; ++i) {
        const float *number = numbers.data() + i * kTileOutputs,
                    *slope = g + i * StoredGradient::kOutputs;
        for (int o = 0; o < kTileOutputs; ++o) products.of[o] += number[o] * slope[o];
      }
      sums[layer] = products.sum();
    }
    lo[0] = static_cast<float>(options_.scale * (turn_.cos * sums[0] + turn_.sin * sums[1]));
    lo[1] = format_.layers == 1 ? 0
                                : static_cast<float>(options_.scale * scale_ *
                                                     (turn_.cos * sums[1] - turn_.sin * sums[0]));
  }

  // The residuals of a group with what this step adds.
  void take(const PackedLayout::Group& group, const float* g, const uint8_t* stored, float scale) {
    const float by = options_.step == 1 ? 0 : scale;
    for (int64_t i = 0; i < group.tiles * k_; ++i) {
      const uint8_t* from = stored + i * kTileOutputs;
      const float* slope = g + i * StoredGradient::kOutputs;
      float* to = residual_.data() + i * kTileOutputs;
      for (int o = 0; o < kTileOutputs; ++o)
        to[o] = (static_cast<float>(from[o]) - kMiddle) * by - rates_[o] * slope[o];
    }
  }

  void store(const PackedLayout::Group& group, uint8_t* to, int64_t first, float& scale) {
    Lanes<float> most;
    for (int64_t i = 0; i < group.tiles * k_; ++i) {
      const float* r = residual_.data() + i * kTileOutputs;
      for (int o = 0; o < kTileOutputs; ++o) {
        const float size = std::abs(r[o]);
        most.of[o] = most.of[o] < size ? size : most.of[o];
      }
    }
    const float largest = *std::max_element(std::begin(most.of), std::end(most.of));
    scale = largest / kMost;
    const float inverse = largest > 0 ? kMost / largest : 0;
    // rounded up as often as 8 random bits say
    for (int64_t i = 0; i < group.tiles * k_; ++i, to += kTileOutputs) {
      const auto bits = philox(0, static_cast<uint64_t>(first + i * kTileOutputs),
                               static_cast<uint64_t>(options_.step));
      uint8_t random[kTileOutputs];
      static_assert(sizeof bits == sizeof random);
      std::memcpy(random, bits.data(), sizeof random);
      const float* r = residual_.data() + i * kTileOutputs;
      for (int o = 0; o < kTileOutputs; ++o) {
        const float up = (static_cast<float>(random[o]) + 0.5F) * 0x1p-8F;
        to[o] = static_cast<uint8_t>(static_cast<int32_t>(r[o] * inverse + kMiddle + up));
      }
    }
  }

  // Flips bits of a tile as long as that takes from its residuals r [input][16].
  void run_tile(const PackedLayout::Group& group, int64_t tile, float* r) {
    const std::span<Packed128> words = words_of(group, tile);
    const auto count = static_cast<size_t>(k_ * kTileOutputs);
    TileArray inside, off;
    Lanes<float> squares;
    for (int i = 0; i < k_; ++i) {
      const bool column = tile * k_ + i < group.inputs;
      for (int o = 0; o < kTileOutputs; ++o) {
        const auto at = static_cast<size_t>(i * kTileOutputs + o);
        inside[at] = column && o < group.outputs ? 1.0F : 0.0F;
        squares.of[o] += r[at] * r[at];
      }
    }
    ++counts.tiles;
    const double least = options_.dead_zone * squares.sum() / 2;
    double decrease = 0;
    int bits = 0;
    for (; bits < options_.flips; ++bits) {
      for (size_t i = 0; i < count; ++i) off[i] = -r[i];
      float first[kMostWords * 128], second[kMostWords * 128], unused[2][kTileOutputs] = {};
      gradient_tiles().flips(code_, words.data(), 1, factors_, off.data(), kTileOutputs,
                             inside.data(), first, second, unused[0]);
      const Choice best = best_of(first, second);
      if (best.entry < 0) break;
      const double taken = flip(words, best.entry, inside, r, least);
      if (taken <= 0) break;
      decrease += taken;
    }
    if (bits == 0) return;
    ++counts.changed;
    counts.bits += bits;
    counts.decrease += decrease;
    counts.worst = std::min(counts.worst, decrease);
  }

  struct Choice {
    float loss = 0;
    int entry = -1;
  };
  // The entry with the smallest loss below 0, the first of several.
  [[nodiscard]] Choice best_of(const float* first, const float* second) const {
    Choice best;
    const int entries = format_.bits * format_.steps * format_.tile_words;
    for (int layer = 0; layer < format_.layers; ++layer) {
      const float by = scale_ * (layer == 0 ? turn_.cos : turn_.sin), half = by * by / 2;
      const float *a = first + layer * entries, *b = second + layer * entries;
      const auto loss = [&](int e) { return by * a[e] + half * b[e]; };
      // in chains that do not wait for each other
      float least[kChains] = {};
      for (int e = 0; e < entries; e += kChains) {
        for (int c = 0; c < kChains; ++c) {
          const float here = loss(e + c);
          least[c] = here < least[c] ? here : least[c];
        }
      }
      const float smallest = *std::min_element(std::begin(least), std::end(least));
      if (smallest >= best.loss) continue;
      int e = 0;
      while (loss(e) != smallest) ++e;
      best = {smallest, layer * entries + e};
    }
    return best;
  }

  // Flips a bit if the distance falls by more than `least`. Returns by how much it fell, or 0.
  double flip(std::span<Packed128> words, int entry, const TileArray& inside, float* r,
              double least) {
    const BitPlace place = bit_place(format_, entry);
    const auto count = static_cast<size_t>(k_ * kTileOutputs);
    TileArray before, after;
    packed_tiles().decode(code_, turn_, words.data(), 0, k_, by_, {before.data(), kTileOutputs, 8});
    Packed128& word = words[static_cast<size_t>(place.word)];
    uint64_t& half = place.bit < 64 ? word.lo : word.hi;
    half ^= uint64_t{1} << (place.bit % 64);
    packed_tiles().decode(code_, turn_, words.data(), 0, k_, by_, {after.data(), kTileOutputs, 8});
    Lanes<double> lanes;
    for (size_t i = 0; i < count; i += kTileOutputs) {
      for (size_t o = 0; o < kTileOutputs; ++o) {
        const float change = inside[i + o] * (after[i + o] - before[i + o]);
        after[i + o] = change;
        lanes.of[o] += change * (static_cast<double>(r[i + o]) - 0.5 * change);
      }
    }
    const double taken = lanes.sum();
    if (taken > least) {
      for (size_t i = 0; i < count; ++i) r[i] -= after[i];
      return taken;
    }
    half ^= uint64_t{1} << (place.bit % 64);
    return 0;
  }

  const PackedStorage& w_;
  const PackedLayout& layout_;
  const RingFormat& format_;
  const PackedCode code_;
  const WordStepOptions& options_;
  const WordMemory& memory_;
  const int k_;
  int64_t row_tile_ = 0;
  float scale_ = 0, factors_[kTileOutputs] = {}, by_[kTileOutputs] = {}, rates_[kTileOutputs] = {};
  PackedAngle turn_;
  GroupArray residual_;
};

}  // namespace

int64_t word_residual_bytes(const PackedLayout& layout) {
  return layout.row_tiles() * layout.col_tiles() * layout.ring().tile_inputs * kTileOutputs;
}

void add(WordStepCounts& sum, const WordStepCounts& part) {
  sum.tiles += part.tiles;
  sum.changed += part.changed;
  sum.bits += part.bits;
  sum.decrease += part.decrease;
  sum.worst = std::min(sum.worst, part.worst);
}

WordStepCounts step_words(const Tensor& w, const Tensor& gradient, const WordStepOptions& options,
                          const WordMemory& memory, std::span<float> lo) {
  require_gradient_of(w, gradient, "step_words");
  const PackedStorage& storage = packed_storage(w);
  const PackedLayout& layout = storage.layout;
  const PackedMatrix& matrix = storage.matrix;
  const StoredGradient stored(matrix, gradient);
  const int64_t row_tiles = layout.row_tiles(), at_once = StoredGradient::kTiles;
  const int64_t slabs = (row_tiles + at_once - 1) / at_once;
  std::vector<WordStepCounts> parts(static_cast<size_t>(slabs));
  parallel_for(slabs, 1, [&](int64_t begin, int64_t end) {
    const auto size = static_cast<size_t>(stored.inputs() * StoredGradient::kOutputs);
    const auto memory_of_g = std::make_unique_for_overwrite<float[]>(size);
    const std::span<float> g(memory_of_g.get(), size);
    for (int64_t slab = begin; slab < end; ++slab) {
      RowStep step(storage, options, memory);
      stored.compute(slab * StoredGradient::kOutputs, g);
      for (int64_t t = slab * at_once; t < std::min(row_tiles, (slab + 1) * at_once); ++t) {
        step.run(t, g.data() + t % at_once * kTileOutputs, lo.data() + 2 * layout.groups() * t);
      }
      parts[static_cast<size_t>(slab)] = step.counts;
    }
  });
  WordStepCounts counts;
  counts.worst = std::numeric_limits<double>::infinity();
  for (const WordStepCounts& part : parts) add(counts, part);
  return counts;
}

}  // namespace gyre
