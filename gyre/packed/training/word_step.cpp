#include "gyre/packed/training/word_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/packed/gradient/gradient_tiles.h"
#include "gyre/packed/gradient/word_gradient.h"

namespace gyre {
namespace {

constexpr int kMostInputs = 21, kMostWords = 8;

// The rows of a batch that products were made of, by tiles of inputs.
struct Products {
  std::vector<float> x;     // [tile][n][inputs of a tile]
  std::vector<float> gram;  // [tile][input][input]: sum of x x^T
  const float* left;        // [n][rows]
  int64_t n;
};

// What all rows of tiles share.
class Batch {
 public:
  Batch(const PackedMatrix& w, const Tensor& gradient)
      : layout_(w.layout), k_(w.layout.format->tile_inputs), gradient_(w, gradient) {
    for (const StoredGradient::Term& term : gradient_.terms()) {
      if (term.sort == FactoredTerm::product) products_.push_back(by_tiles(term));
    }
  }
  [[nodiscard]] const StoredGradient& gradient() const { return gradient_; }
  [[nodiscard]] const std::vector<Products>& products() const { return products_; }

 private:
  [[nodiscard]] Products by_tiles(const StoredGradient::Term& term) const {
    const int64_t n = term.count, tiles = layout_.col_tiles();
    Products p{std::vector<float>(static_cast<size_t>(tiles * n * k_)),
               std::vector<float>(static_cast<size_t>(tiles * k_ * k_)),
               reinterpret_cast<const float*>(term.left.bytes()), n};
    parallel_for(tiles, 4, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        float* x = p.x.data() + t * n * k_;
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t j = 0; j < std::min<int64_t>(k_, layout_.cols - t * k_); ++j)
            x[i * k_ + j] = term.right[static_cast<size_t>(i * layout_.cols + t * k_ + j)];
        }
        float* gram = p.gram.data() + t * k_ * k_;
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t a = 0; a < k_; ++a) {
            for (int64_t b = 0; b < k_; ++b) gram[a * k_ + b] += x[i * k_ + a] * x[i * k_ + b];
          }
        }
      }
    });
    return p;
  }

  const PackedLayout& layout_;
  int64_t k_;
  StoredGradient gradient_;
  std::vector<Products> products_;
};

// A tile's numbers, gradient and so on: by input and output.
using TileArray = std::array<float, kMostInputs * kTileOutputs>;

// Steps 16 outputs.
class RowStep {
 public:
  RowStep(const PackedStorage& w, const Batch& batch, const WordStepOptions& options,
          std::span<float> curvature)
      : curvature_(curvature),
        w_(w),
        layout_(w.layout),
        format_(*w.layout.format),
        code_(packed_code(format_)),
        batch_(batch),
        options_(options),
        k_(format_.tile_inputs),
        used_(format_.layers * format_.bits * format_.steps * format_.tile_words) {
    counts.worst = std::numeric_limits<double>::infinity();
  }

  void run(int64_t row_tile, float* lo) {
    row_ = row_tile * kTileOutputs;
    outputs_ = static_cast<int>(std::min<int64_t>(kTileOutputs, layout_.rows - row_));
    begin();
    for (int sweep = 0; sweep < options_.sweeps; ++sweep) {
      for (int64_t k = 0; k < layout_.groups(); ++k)
        run_group(layout_.group(row_tile, k), sweep == 0 ? lo + 2 * k : nullptr, row_tile);
    }
  }

  WordStepCounts counts;

 private:
  struct Residual {         // of a product's outputs
    std::vector<float> of;  // [n][16]: gradients, with the changes so far
    float curvature[kTileOutputs] = {};
  };

  void begin() {
    errors_.clear();
    double total[kTileOutputs] = {};
    for (const Products& p : batch_.products()) {
      Residual& e = errors_.emplace_back();
      e.of.assign(static_cast<size_t>(p.n * kTileOutputs), 0);
      double squares[kTileOutputs] = {};
      for (int64_t i = 0; i < p.n; ++i) {
        for (int o = 0; o < outputs_; ++o) {
          const auto g = static_cast<float>(options_.scale) * p.left[i * layout_.rows + row_ + o];
          e.of[static_cast<size_t>(i * kTileOutputs + o)] = g;
          squares[o] += static_cast<double>(g) * g;
        }
      }
      for (int o = 0; o < outputs_; ++o) total[o] += squares[o];
    }
    for (int o = 0; o < outputs_; ++o) {
      float& average = curvature_[static_cast<size_t>(row_ + o)];
      average = static_cast<float>(options_.decay * average + (1 - options_.decay) * total[o]);
      // shared by all products of this tensor
      for (Residual& e : errors_)
        e.curvature[o] = static_cast<float>(average * options_.correction / options_.rate);
    }
    gather_rows();
  }

  // Gradients and curvature of the terms that are no products: of rows by index, or of all.
  void gather_rows() {
    rows_.clear();
    for (const StoredGradient::Term& term : batch_.gradient().terms()) {
      if (term.sort == FactoredTerm::product) continue;
      const int64_t cols = layout_.cols;
      if (rows_.empty()) {
        rows_.assign(static_cast<size_t>(layout_.col_tiles() * k_ * kTileOutputs), 0);
        row_curvature_.assign(rows_.size(), 0);
      }
      std::vector<float> squares;
      float counted[kTileOutputs] = {};
      term.each_row(layout_.rows, [&](int64_t i, int64_t output) {
        if (output < row_ || output >= row_ + outputs_) return;
        const float* from = term.right.data() + i * cols;
        for (int64_t j = 0; j < cols; ++j)
          rows_[static_cast<size_t>(j * kTileOutputs + output - row_)] +=
              static_cast<float>(options_.scale) * from[j];
        ++counted[output - row_];
      });
      if (std::ranges::all_of(counted, [](float c) { return c == 0; })) continue;
      squares.assign(static_cast<size_t>(cols), 0);
      for (int64_t i = 0; i < term.count; ++i) {
        for (int64_t j = 0; j < cols; ++j) {
          const float v =
              static_cast<float>(options_.scale) * term.right[static_cast<size_t>(i * cols + j)];
          squares[static_cast<size_t>(j)] += v * v;
        }
      }
      for (int64_t j = 0; j < cols; ++j) {
        for (int o = 0; o < outputs_; ++o) {
          row_curvature_[static_cast<size_t>(j * kTileOutputs + o)] +=
              counted[o] * squares[static_cast<size_t>(j)] / static_cast<float>(options_.rate);
        }
      }
    }
  }

  void run_group(const PackedLayout::Group& g, float* lo, int64_t row_tile) {
    const Packed128& header = w_.headers()[static_cast<size_t>(g.header)];
    scale_ = packed_scale(header);
    turn_ = packed_turn(format_, header);
    for (int o = 0; o < kTileOutputs; ++o)
      factors_[o] = row_factor(w_.headers()[static_cast<size_t>(g.row_header)], o);
    float sums[2][kTileOutputs] = {};
    const int64_t first_tile = g.col / k_;
    for (int64_t t = 0; t < g.tiles; ++t) {
      std::span<Packed128> words =
          w_.words().subspan(static_cast<size_t>(g.word + t * format_.tile_words),
                             static_cast<size_t>(format_.tile_words));
      run_tile(words, first_tile + t, row_tile, lo ? sums[0] : nullptr);
    }
    if (!lo) return;
    float of[2] = {};
    for (int layer = 0; layer < 2; ++layer) {
      for (float part : sums[layer]) of[layer] += part;
    }
    lo[0] = turn_.cos * of[0] + turn_.sin * of[1];
    lo[1] = format_.layers == 2 ? scale_ * (turn_.cos * of[1] - turn_.sin * of[0]) : 0;
  }

  // Whether a tile may change in this step.
  [[nodiscard]] bool drawn(int64_t row_tile, int64_t tile) const {
    if (options_.share >= 1) return true;
    uint64_t z =
        options_.seed +
        0x9e3779b97f4a7c15 * static_cast<uint64_t>(row_tile * layout_.col_tiles() + tile + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53 < options_.share;
  }

  void run_tile(std::span<Packed128> words, int64_t tile, int64_t row_tile, float* sums) {
    const GradientTiles& kernels = gradient_tiles();
    TileArray g{}, curvature{};
    if (!rows_.empty()) {
      const int64_t at = tile * k_ * kTileOutputs;
      std::copy_n(rows_.data() + at, k_ * kTileOutputs, g.data());
      std::copy_n(row_curvature_.data() + at, k_ * kTileOutputs, curvature.data());
    }
    for (size_t p = 0; p < errors_.size(); ++p) {
      const Products& of = batch_.products()[p];
      kernels.add_products(of.x.data() + tile * of.n * k_, errors_[p].of.data(), of.n, k_,
                           g.data());
      for (int i = 0; i < k_; ++i) {
        const float square = of.gram[static_cast<size_t>((tile * k_ + i) * k_ + i)];
        for (int o = 0; o < kTileOutputs; ++o)
          curvature[static_cast<size_t>(i * kTileOutputs + o)] += square * errors_[p].curvature[o];
      }
    }
    float unused[2][kTileOutputs] = {};
    float first[kMostWords * 128], second[kMostWords * 128];
    kernels.flips(code_, words.data(), 1, factors_, g.data(), kTileOutputs, curvature.data(), first,
                  second, sums ? sums : unused[0]);
    ++counts.tiles;
    if (scale_ == 0 || !drawn(row_tile, tile)) return;
    choose(first, second);
    if (chosen_count_ == 0 || try_flips(words, tile, chosen_count_, g)) return;
    if (chosen_count_ > 1) try_flips(words, tile, 1, g);  // the best alone
  }

  // The entries whose flips decrease the loss most, best first.
  void choose(const float* first, const float* second) {
    chosen_count_ = 0;
    const int layer_entries = used_ / format_.layers;
    float worst = -static_cast<float>(options_.dead_zone);
    for (int layer = 0; layer < format_.layers; ++layer) {
      const float by = scale_ * (layer == 0 ? turn_.cos : turn_.sin), half = by * by / 2;
      for (int e = layer * layer_entries; e < (layer + 1) * layer_entries; ++e) {
        const float loss = by * first[e] + half * second[e];
        if (!(loss < worst)) continue;
        int at = std::min(chosen_count_, options_.flips - 1);
        if (chosen_count_ < options_.flips) ++chosen_count_;
        for (; at > 0 && chosen_[at - 1].loss > loss; --at) chosen_[at] = chosen_[at - 1];
        chosen_[at] = {loss, e};
        if (chosen_count_ == options_.flips) worst = chosen_[chosen_count_ - 1].loss;
      }
    }
  }

  // Flips the n best bits if the loss of the tile falls.
  bool try_flips(std::span<Packed128> words, int64_t tile, int n, const TileArray& g) {
    Packed128 changed[kMostWords];
    std::copy(words.begin(), words.end(), changed);
    for (int i = 0; i < n; ++i) {
      const BitPlace place = bit_place(format_, chosen_[i].entry);
      Packed128& word = changed[place.word];
      (place.bit < 64 ? word.lo : word.hi) ^= uint64_t{1} << (place.bit % 64);
    }
    TileArray change, before;
    float by[kTileOutputs];
    for (int o = 0; o < kTileOutputs; ++o) by[o] = scale_ * factors_[o];
    packed_tiles().decode(code_, turn_, words.data(), 0, k_, by, {before.data(), kTileOutputs, 8});
    packed_tiles().decode(code_, turn_, changed, 0, k_, by, {change.data(), kTileOutputs, 8});
    for (size_t i = 0; i < static_cast<size_t>(k_ * kTileOutputs); ++i) change[i] -= before[i];
    const double loss = loss_of(change, tile, g);
    if (!(loss < -options_.dead_zone)) return false;
    std::copy_n(changed, words.size(), words.begin());
    ++counts.changed;
    counts.bits += n;
    counts.decrease -= loss;
    counts.worst = std::min(counts.worst, -loss);
    for (size_t p = 0; p < errors_.size(); ++p) {
      TileArray weighted;
      for (int i = 0; i < k_ * kTileOutputs; ++i)
        weighted[static_cast<size_t>(i)] =
            change[static_cast<size_t>(i)] * errors_[p].curvature[i % kTileOutputs];
      const Products& of = batch_.products()[p];
      gradient_tiles().add_changes(of.x.data() + tile * of.n * k_, weighted.data(), of.n, k_,
                                   errors_[p].of.data());
    }
    if (!rows_.empty()) {
      for (int i = 0; i < k_ * kTileOutputs; ++i) {
        const auto at = static_cast<size_t>(tile * k_ * kTileOutputs + i);
        rows_[at] += row_curvature_[at] * change[static_cast<size_t>(i)];
      }
    }
    return true;
  }

  [[nodiscard]] double loss_of(const TileArray& change, int64_t tile, const TileArray& g) const {
    double first = 0, second = 0;
    for (int i = 0; i < k_ * kTileOutputs; ++i) {
      const double d = change[static_cast<size_t>(i)];
      first += d * g[static_cast<size_t>(i)];
      if (!rows_.empty())
        second += d * d * row_curvature_[static_cast<size_t>(tile * k_ * kTileOutputs + i)];
    }
    for (size_t p = 0; p < errors_.size(); ++p) {
      const float* gram = batch_.products()[p].gram.data() + tile * k_ * k_;
      for (int i = 0; i < k_; ++i) {
        for (int j = 0; j < k_; ++j) {
          double both = 0;
          for (int o = 0; o < kTileOutputs; ++o) {
            both += static_cast<double>(errors_[p].curvature[o]) *
                    change[static_cast<size_t>(i * kTileOutputs + o)] *
                    change[static_cast<size_t>(j * kTileOutputs + o)];
          }
          second += gram[i * k_ + j] * both;
        }
      }
    }
    return first + second / 2;
  }

  const std::span<float> curvature_;
  const PackedStorage& w_;
  const PackedLayout& layout_;
  const RingFormat& format_;
  const PackedCode code_;
  const Batch& batch_;
  const WordStepOptions& options_;
  const int k_, used_;
  int64_t row_ = 0;
  int outputs_ = 0;
  float scale_ = 0, factors_[kTileOutputs] = {};
  PackedAngle turn_;
  std::vector<Residual> errors_;
  std::vector<float> rows_, row_curvature_;  // [input][16], of terms that are no products
  struct Choice {
    float loss;
    int entry;
  };
  Choice chosen_[16] = {};
  int chosen_count_ = 0;
};

}  // namespace

void add(WordStepCounts& sum, const WordStepCounts& part) {
  sum.tiles += part.tiles;
  sum.changed += part.changed;
  sum.bits += part.bits;
  sum.decrease += part.decrease;
  sum.worst = std::min(sum.worst, part.worst);
}

WordStepCounts step_words(const Tensor& w, const Tensor& gradient, const WordStepOptions& options,
                          std::span<float> curvature, std::span<float> lo) {
  require_gradient_of(w, gradient, "step_words");
  const PackedStorage& storage = packed_storage(w);
  const PackedMatrix matrix{storage.layout, storage.headers().data(), storage.words().data()};
  const Batch batch(matrix, gradient);
  const int64_t groups = storage.layout.groups(), row_tiles = storage.layout.row_tiles();
  std::vector<WordStepCounts> parts(static_cast<size_t>(row_tiles));
  parallel_for(row_tiles, 1, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      RowStep step(storage, batch, options, curvature);
      step.run(t, lo.data() + 2 * groups * t);
      parts[static_cast<size_t>(t)] = step.counts;
    }
  });
  WordStepCounts counts;
  counts.worst = std::numeric_limits<double>::infinity();
  for (const WordStepCounts& part : parts) add(counts, part);
  return counts;
}

}  // namespace gyre
