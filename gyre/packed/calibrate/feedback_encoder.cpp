#include "gyre/packed/calibrate/feedback_encoder.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "gyre/base/thread_pool.h"
#include "gyre/packed/gradient/gradient_tiles.h"
#include "gyre/packed/gradient/word_gradient.h"
#include "gyre/packed/group_encoder.h"

namespace gyre {
namespace {

// Inputs of a chunk, whose tiles are packed by one thread in turn: at least this many.
constexpr int64_t kChunkInputs = 16;

// The columns of a band of outputs from its first row on, with rows and columns of zeros up to
// whole bands: [rows][16].
std::vector<float> output_panel(const BlockFactor& l, int64_t band, int64_t bands) {
  const int64_t first = band * kTileOutputs, end = std::min(l.size(), first + kTileOutputs);
  std::vector<float> panel(static_cast<size_t>((bands - band) * kTileOutputs * kTileOutputs));
  for (int64_t row = first; row < l.size(); ++row) {
    for (int64_t col = first; col < end; ++col)
      panel[static_cast<size_t>((row - first) * kTileOutputs + col - first)] = l.at(row, col);
  }
  return panel;
}

double square_of(std::span<const float> x) {
  double sum = 0;
  for (const float v : x) sum += static_cast<double>(v) * v;
  return sum / static_cast<double>(x.size());
}

// The mean of the sums of rows. Not by sum(), whose order is that of an instruction set.
double mean_of_rows(const std::vector<double>& entries, int64_t rows) {
  double all = 0;
  for (const double v : entries) all += v;
  return all / static_cast<double>(rows);
}

}  // namespace

std::vector<int64_t> places_of(const PackedLayout& layout, int64_t band, int64_t tile) {
  const RingFormat& format = layout.ring();
  std::vector<int64_t> places;
  for (int w = 0; w < format.tile_words; ++w) {
    for (int t = 0; t < format.steps; ++t) {
      const auto [output, input] = layout.place(w, t);
      const int64_t col = tile * format.tile_inputs + input;
      const bool inside = col < layout.cols && band * kTileOutputs + output < layout.rows;
      places.push_back(inside ? col * kTileOutputs + output : -1);
    }
  }
  return places;
}

FeedbackEncoder::FeedbackEncoder(const PackedStorage& to, const std::vector<float>& x, int seed,
                                 const BlockFactor* inputs, const BlockFactor* outputs)
    : to_(to),
      layout_(to.layout),
      seed_(seed),
      chunk_tiles_((kChunkInputs + layout_.ring().tile_inputs - 1) / layout_.ring().tile_inputs),
      chunk_inputs_(chunk_tiles_ * layout_.ring().tile_inputs),
      chunks_((layout_.cols + chunk_inputs_ - 1) / chunk_inputs_),
      scales_(static_cast<size_t>(layout_.row_tiles() * layout_.groups())),
      weights_(layout_),
      errors_(layout_),
      carried_(layout_) {
  for (int64_t c = 0; inputs && c < chunks_; ++c)
    input_panels_.push_back(inputs->panel(begin_of(c), end_of(c)));
  for (int64_t b = 0; outputs && b < layout_.row_tiles(); ++b)
    output_panels_.push_back(output_panel(*outputs, b, layout_.row_tiles()));
  const std::vector<double> added = added_squares(x, inputs, outputs);
  for (int64_t b = 0; b < layout_.row_tiles(); ++b)
    prepare(b, x.data(), added.data() + b * kTileOutputs);
}

// The mean square of what feedback adds to the targets of each row, as expected from errors of the
// format's size: a scale of the weights alone would be too small for it. Rows from the last to the
// first.
std::vector<double> FeedbackEncoder::added_squares(const std::vector<float>& x,
                                                   const BlockFactor* inputs,
                                                   const BlockFactor* outputs) const {
  const double noise = layout_.format->error * layout_.format->error;
  const int64_t rows = layout_.rows, cols = layout_.cols;
  // squares of errors over those of the noise that they are made of
  const double along = inputs ? mean_of_rows(inputs->spread(), cols) : 1;
  const std::vector<double> across = outputs ? outputs->spread() : std::vector<double>();
  std::vector<double> added(static_cast<size_t>(layout_.row_tiles() * kTileOutputs));
  std::vector<double> squares = added;  // of targets
  for (int64_t i = rows - 1; i >= 0; --i) {
    const double own = square_of({x.data() + i * cols, static_cast<size_t>(cols)});
    double below = 0;
    for (int64_t k = i + 1; outputs && k < rows; ++k)
      below += across[static_cast<size_t>(k * rows + i)] * squares[static_cast<size_t>(k)];
    const double more = noise * (along * below + (along - 1) * own);
    added[static_cast<size_t>(i)] = more;
    squares[static_cast<size_t>(i)] = own + more;
  }
  return added;
}

void FeedbackEncoder::prepare(int64_t band, const float* x, const double* added) {
  GroupEncoder encoder(to_, x, seed_);
  encoder.scale_rows(band, added);
  for (int64_t k = 0; k < layout_.groups(); ++k) {
    const PackedLayout::Group g = layout_.group(band, k);
    const double size = encoder.size(g);
    scales_[static_cast<size_t>(band * layout_.groups() + k)] =
        size == 0 ? 0 : std::sqrt(size * size + added_to(g, added));
  }
  const int64_t first = band * kTileOutputs, end = std::min(layout_.rows, first + kTileOutputs);
  for (int64_t row = first; row < end; ++row) {
    for (int64_t col = 0; col < layout_.cols; ++col)
      weights_.at(band, col)[row - first] = x[row * layout_.cols + col];
  }
}

// The mean of what is added to the squares of a group's numbers, whose rows are not all 0.
double FeedbackEncoder::added_to(const PackedLayout::Group& g, const double* added) const {
  double more = 0;
  int counted = 0;
  for (int o = 0; o < g.outputs; ++o) {
    const double factor = row_factor(to_.headers()[static_cast<size_t>(g.row_header)], o);
    if (factor == 0) continue;
    more += added[o] / (factor * factor);
    ++counted;
  }
  return more / counted;
}

void FeedbackEncoder::encode(FunctionRef<void(int64_t)> done) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int64_t> tiles = 0;
  const auto run = [&](Place at) {
    encode_chunk(at);
    tiles += end_of(at.chunk) - begin_of(at.chunk);
  };
  const auto report = [&] {
    if (std::this_thread::get_id() != caller) return;
    done(std::min(layout_.rows, tiles / layout_.cols * kTileOutputs) * layout_.cols);
  };
  const int64_t bands = layout_.row_tiles();
  if (output_panels_.empty()) {
    parallel_for(bands, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        for (int64_t c = chunks_ - 1; c >= 0; --c) run({b, c});
        report();
      }
    });
    return;
  }
  // a chunk waits for those after it in its band and in the bands below: diagonals are independent
  for (int64_t wave = 0; wave < bands + chunks_ - 1; ++wave) {
    const int64_t first = std::max<int64_t>(0, wave - chunks_ + 1),
                  last = std::min(bands - 1, wave);
    parallel_for(last - first + 1, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = first + begin; i < first + end; ++i)
        run({bands - 1 - i, chunks_ - 1 - (wave - i)});
    });
    report();
  }
}

// What errors of the bands below add to the targets of some inputs of a band.
std::vector<float> FeedbackEncoder::from_below(int64_t band, int64_t begin, int64_t end) const {
  std::vector<float> below(static_cast<size_t>((end - begin) * kTileOutputs));
  if (output_panels_.empty()) return below;
  const float* panel = output_panels_[static_cast<size_t>(band)].data();
  for (int64_t b = band + 1; b < layout_.row_tiles(); ++b) {
    panel += kTileOutputs * kTileOutputs;
    gradient_tiles().add_changes(errors_.at(b, begin), panel, end - begin, kTileOutputs,
                                 below.data());
  }
  return below;
}

void FeedbackEncoder::encode_chunk(Place at) {
  const int64_t begin = begin_of(at.chunk), end = end_of(at.chunk), inputs = end - begin;
  const std::vector<float> below = from_below(at.band, begin, end);
  const float* weights = weights_.at(at.band, begin);
  std::vector<float> target(below.size());
  for (size_t i = 0; i < target.size(); ++i) target[i] = weights[i] + below[i];
  const float* panel =
      input_panels_.empty() ? nullptr : input_panels_[static_cast<size_t>(at.chunk)].data();
  if (panel && end < layout_.cols) {
    gradient_tiles().add_products(panel + inputs * inputs, carried_.at(at.band, end),
                                  layout_.cols - end, static_cast<int>(inputs), target.data());
  }
  const int64_t tile_inputs = layout_.ring().tile_inputs;
  for (int64_t tile = (end - 1) / tile_inputs; tile * tile_inputs >= begin; --tile) {
    const int64_t first = tile * tile_inputs, last = std::min(end, first + tile_inputs);
    encode_tile(at.band, tile, target.data() - begin * kTileOutputs);
    for (int64_t j = first; j < last; ++j) {
      float* carried = carried_.at(at.band, j);
      const float *error = errors_.at(at.band, j),
                  *more = below.data() + (j - begin) * kTileOutputs;
      for (int o = 0; o < kTileOutputs; ++o) carried[o] = error[o] + more[o];
      for (int64_t to = begin; panel && to < first; ++to) {
        const float by = panel[(j - begin) * inputs + to - begin];
        float* targets = target.data() + (to - begin) * kTileOutputs;
        for (int o = 0; o < kTileOutputs; ++o) targets[o] += by * carried[o];
      }
    }
  }
}

// `target` is that of the band's first input.
void FeedbackEncoder::encode_tile(int64_t band, int64_t tile, const float* target) {
  const RingFormat& format = layout_.ring();
  const int64_t group = band * layout_.groups() + tile / layout_.group_tiles();
  const double size = scales_[static_cast<size_t>(group)];
  const std::span words = to_.words().subspan(
      static_cast<size_t>((band * layout_.col_tiles() + tile) * format.tile_words),
      static_cast<size_t>(format.tile_words));
  const std::vector<int64_t> places = places_of(layout_, band, tile);
  const Packed128& row_header =
      to_.headers()[static_cast<size_t>(layout_.group(band, 0).row_header)];
  const auto factor = [&](int64_t place) {
    return row_factor(row_header, static_cast<int>(place % kTileOutputs));
  };
  std::vector<float> numbers(places.size(), NAN), found(places.size()), more(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= 0 && factor(places[i]) != 0)
      numbers[i] = target[places[i]] / factor(places[i]);
  }
  if (size == 0) {
    std::fill(words.begin(), words.end(), Packed128{});
  } else {
    encode_numbers(format, numbers, size, words);
    decode_rings(format, 0, words, found);
    if (format.layers == 2) decode_rings(format, 1, words, more);
  }
  const double cos = std::cos(format.angle), sin = std::sin(format.angle);
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    const double number = size * (cos * found[i] + sin * more[i]);
    errors_.at(band, 0)[places[i]] =
        static_cast<float>(weights_.at(band, 0)[places[i]] - number * factor(places[i]));
  }
}

}  // namespace gyre
