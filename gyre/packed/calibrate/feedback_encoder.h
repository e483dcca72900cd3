#pragma once
#include <memory>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/packed/calibrate/bands.h"
#include "gyre/packed/calibrate/block_factor.h"

namespace gyre {

/// Packs a matrix tile by tile, each with targets that make up for the errors of those before it.
class FeedbackEncoder {
 public:
  /// For x, the weights times the Hadamard matrix of that seed, and the factors of their inputs (in
  /// blocks of a tile's inputs) and outputs (of kTileOutputs); null: an identity. Sets the factors
  /// of rows, as for the weights and what feedback is expected to add to them: Error{numeric} for
  /// weights that are too large.
  FeedbackEncoder(const PackedStorage& to, const std::vector<float>& x, int seed,
                  const BlockFactor* inputs, const BlockFactor* outputs);
  /// Sets the words, errors() and scales(). `done` as in packed_encode().
  void encode(FunctionRef<void(int64_t weights)> done);

  /// Weights less those of the words with scales().
  [[nodiscard]] Bands& errors() { return errors_; }
  /// Of the groups, band after band; 0 for a group of zeros, whose words count for nothing. The
  /// angle is the format's.
  [[nodiscard]] const std::vector<double>& scales() const { return scales_; }

 private:
  struct Place {
    int64_t band, chunk;
  };
  [[nodiscard]] std::vector<double> added_squares(const std::vector<float>& x,
                                                  const BlockFactor* inputs,
                                                  const BlockFactor* outputs) const;
  [[nodiscard]] double added_to(const PackedLayout::Group& g, const double* added) const;
  [[nodiscard]] std::vector<float> from_below(int64_t band, int64_t begin, int64_t end) const;
  void prepare(int64_t band, const float* x, const double* added);
  void encode_chunk(Place at);
  void encode_tile(int64_t band, int64_t tile, const float* target);
  [[nodiscard]] int64_t begin_of(int64_t chunk) const { return chunk * chunk_inputs_; }
  [[nodiscard]] int64_t end_of(int64_t chunk) const {
    return std::min(layout_.cols, begin_of(chunk + 1));
  }

  const PackedStorage& to_;
  const PackedLayout& layout_;
  int seed_;
  int64_t chunk_tiles_, chunk_inputs_, chunks_;
  std::vector<std::vector<float>> input_panels_;   // of the factor's columns, by chunk
  std::vector<std::vector<float>> output_panels_;  // by band
  std::vector<double> scales_;
  /// `carried_`: errors, and what those of the bands below add to them.
  Bands weights_, errors_, carried_;
};

/// For each step of a tile's words its place in its band, [inputs][16]; -1 outside of the matrix.
std::vector<int64_t> places_of(const PackedLayout& layout, int64_t band, int64_t tile);

}  // namespace gyre
