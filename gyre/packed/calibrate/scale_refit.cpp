#include "gyre/packed/calibrate/scale_refit.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/packed/calibrate/feedback_encoder.h"
#include "gyre/packed/gradient/gradient_tiles.h"
#include "gyre/packed/gradient/word_gradient.h"
#include "gyre/packed/group_encoder.h"

namespace gyre {
namespace {

struct HeaderFit {
  double scale = 0, angle = 0;
};

class Refit {
 public:
  Refit(const PackedStorage& to, std::span<const float> h, std::span<const float> o, Bands& errors)
      : to_(to), layout_(to.layout), h_(h), o_(o), errors_(errors) {}

  // Groups of a band, whose errors change.
  void band(int64_t band, std::span<const double> scales, int seed) {
    const int64_t cols = layout_.cols;
    std::vector<float> weighted(static_cast<size_t>(cols * kTileOutputs));
    parallel_for(cols, 64, [&](int64_t begin, int64_t end) { weigh(band, begin, end, weighted); });
    for (int64_t k = 0; k < layout_.groups(); ++k) {
      const PackedLayout::Group g = layout_.group(band, k);
      const double before = scales[static_cast<size_t>(k)];
      const HeaderFit fit = before == 0 ? HeaderFit{} : fitted(band, g, before, weighted);
      to_.headers()[static_cast<size_t>(g.header)] =
          packed_header(layout_.ring(), seed, fit.scale, fit.angle, kPackedEncode);
    }
  }

 private:
  // `weighted` += rows of o times errors, for a band and some inputs.
  void weigh(int64_t band, int64_t begin, int64_t end, std::vector<float>& weighted) {
    float* to = weighted.data() + begin * kTileOutputs;
    if (o_.empty()) {
      std::copy_n(errors_.at(band, begin), (end - begin) * kTileOutputs, to);
      return;
    }
    for (int64_t b = 0; b < layout_.row_tiles(); ++b) {
      const std::vector<float> part = outputs(b, band);
      gradient_tiles().add_changes(errors_.at(b, begin), part.data(), end - begin, kTileOutputs,
                                   to);
    }
  }
  // Entries of o for the outputs of two bands, [16][16]; 0 outside of the matrix.
  [[nodiscard]] std::vector<float> outputs(int64_t from, int64_t band) const {
    std::vector<float> part(static_cast<size_t>(kTileOutputs * kTileOutputs));
    for (int64_t i = 0; i < kTileOutputs; ++i) {
      for (int64_t j = 0; j < kTileOutputs; ++j) {
        const int64_t row = from * kTileOutputs + i, col = band * kTileOutputs + j;
        if (row >= layout_.rows || col >= layout_.rows) continue;
        part[static_cast<size_t>(i * kTileOutputs + j)] =
            o_.empty() ? static_cast<float>(row == col)
                       : o_[static_cast<size_t>(row * layout_.rows + col)];
      }
    }
    return part;
  }

  // x h for the inputs of a group, where x [cols][16] is 0 before `from` and from `to` on.
  [[nodiscard]] std::vector<float> products(const PackedLayout::Group& g, const float* x,
                                            int64_t from, int64_t to) const {
    constexpr int64_t kAtOnce = 32;
    std::vector<float> sums(static_cast<size_t>(g.inputs * kTileOutputs));
    if (h_.empty()) {
      std::copy_n(x + (g.col - from) * kTileOutputs, sums.size(), sums.data());
      return sums;
    }
    parallel_for((g.inputs + kAtOnce - 1) / kAtOnce, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i * kAtOnce, count = std::min(kAtOnce, g.inputs - first);
        std::vector<float> panel;
        for (int64_t row = from; row < to; ++row) {
          const auto at = h_.begin() + row * layout_.cols + g.col + first;
          panel.insert(panel.end(), at, at + count);
        }
        gradient_tiles().add_products(panel.data(), x, to - from, static_cast<int>(count),
                                      sums.data() + first * kTileOutputs);
      }
    });
    return sums;
  }

  // Numbers of a layer times the factors of rows, [inputs][16].
  [[nodiscard]] std::vector<float> layer(int64_t band, const PackedLayout::Group& g,
                                         int number) const {
    std::vector<float> to(static_cast<size_t>(g.inputs * kTileOutputs));
    const RingFormat& format = layout_.ring();
    std::vector<float> found(static_cast<size_t>(format.tile_words * format.steps));
    for (int64_t t = 0; t < g.tiles; ++t) {
      const auto words = to_.words().subspan(static_cast<size_t>(g.word + t * format.tile_words),
                                             static_cast<size_t>(format.tile_words));
      decode_rings(format, number, words, found);
      const std::vector<int64_t> places = places_of(layout_, band, g.col / format.tile_inputs + t);
      for (size_t i = 0; i < places.size(); ++i) {
        if (places[i] < 0) continue;
        const float by = row_factor(to_.headers()[static_cast<size_t>(g.row_header)],
                                    static_cast<int>(places[i] % kTileOutputs));
        to[static_cast<size_t>(places[i] - g.col * kTileOutputs)] = by * found[i];
      }
    }
    return to;
  }

  static double dot(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
  }

  // A layer of a group, and that times o and h.
  struct Layer {
    std::vector<float> numbers, by_outputs, by_both;
  };
  [[nodiscard]] Layer layer_of(int64_t band, const PackedLayout::Group& g, int number) const {
    Layer l{layer(band, g, number),
            std::vector<float>(static_cast<size_t>(g.inputs * kTileOutputs)),
            {}};
    gradient_tiles().add_changes(l.numbers.data(), outputs(band, band).data(), g.inputs,
                                 kTileOutputs, l.by_outputs.data());
    l.by_both = products(g, l.by_outputs.data(), g.col, g.col + g.inputs);
    return l;
  }

  // The best scale and angle of a group with that scale; its errors follow, and `weighted`.
  HeaderFit fitted(int64_t band, const PackedLayout::Group& g, double before,
                   std::vector<float>& weighted) {
    const RingFormat& format = layout_.ring();
    std::vector<Layer> layers;
    for (int l = 0; l < format.layers; ++l) layers.push_back(layer_of(band, g, l));
    const std::vector<float> slope = products(g, weighted.data(), 0, layout_.cols);
    double u = before * std::cos(format.angle), v = before * std::sin(format.angle);
    const double a = dot(layers[0].numbers, slope), aa = dot(layers[0].numbers, layers[0].by_both);
    double more = aa > 0 ? a / aa : 0, second = 0;
    if (format.layers == 2) {
      const double b = dot(layers[1].numbers, slope),
                   ab = dot(layers[0].numbers, layers[1].by_both),
                   bb = dot(layers[1].numbers, layers[1].by_both), d = aa * bb - ab * ab;
      // layers of the same numbers have no factors of their own
      if (d > 1e-6 * aa * bb) {
        more = (a * bb - b * ab) / d;
        second = (b * aa - a * ab) / d;
      }
    }
    if (format.layers == 1) more = std::max(more, -u);
    change(band, g, layers, {more, second}, weighted);
    u += more;
    v += second;
    return format.layers == 1 ? HeaderFit{u, 0} : HeaderFit{std::hypot(u, v), std::atan2(v, u)};
  }

  void change(int64_t band, const PackedLayout::Group& g, const std::vector<Layer>& layers,
              const double (&by)[2], std::vector<float>& weighted) {
    float *errors = errors_.at(band, g.col), *sums = weighted.data() + g.col * kTileOutputs;
    for (size_t l = 0; l < layers.size(); ++l) {
      const auto factor = static_cast<float>(by[l]);
      for (size_t i = 0; i < layers[l].numbers.size(); ++i) {
        errors[i] -= factor * layers[l].numbers[i];
        sums[i] -= factor * layers[l].by_outputs[i];
      }
    }
  }

  const PackedStorage& to_;
  const PackedLayout& layout_;
  std::span<const float> h_, o_;
  Bands& errors_;
};

}  // namespace

void refit_scales(const PackedStorage& to, int seed, std::span<const float> h,
                  std::span<const float> o, Bands& errors, std::span<const double> scales) {
  const PackedLayout& layout = to.layout;
  Refit refit(to, h, o, errors);
  const auto each = [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      refit.band(b,
                 scales.subspan(static_cast<size_t>(b * layout.groups()),
                                static_cast<size_t>(layout.groups())),
                 seed);
    }
  };
  // bands depend on one another by their outputs alone
  if (o.empty()) {
    parallel_for(layout.row_tiles(), 1, each);
  } else {
    each(0, layout.row_tiles());
  }
}

}  // namespace gyre
