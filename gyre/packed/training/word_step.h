#pragma once
#include <span>

#include "gyre/packed/packed.h"

namespace gyre {

/// How words are changed by the gradient of a batch.
struct WordStepOptions {
  double scale = 1;      ///< of the gradient
  double rate = 1e-3;    ///< what a weight moves by when its gradient is as large as usual
  double decay = 0.999;  ///< of the average square of the gradient of an output
  int64_t step = 1;      ///< from 1: unbiases the average, and draws roundings
  int flips = 4;         ///< most bits that change in a tile
  double dead_zone = 0;  ///< a bit changes only for more than this share of a tile's distance
};

/// What the words of a tensor remember from step to step, 0 at first: 1.03 bytes for a weight.
struct WordMemory {
  std::span<uint8_t> residual;  ///< word_residual_bytes(): what weights still have to move, 8 bits
  std::span<float> scale;       ///< [groups]: of these
  std::span<float> square;      ///< [rows]: average squares of the gradient
};
int64_t word_residual_bytes(const PackedLayout& layout);

/// What became of the tiles of a step.
struct WordStepCounts {
  int64_t tiles = 0, changed = 0, bits = 0;
  double decrease = 0;  ///< of half the squared distances to where the weights should be
  double worst = 0;     ///< the smallest decrease of a tile that was changed; infinite for none
};
/// Adds the counts of a part.
void add(WordStepCounts& sum, const WordStepCounts& part);

/// A step of words without f32 weights. Each weight of the stored matrix has a residual of 8 bits
/// with random rounding, what it still has to move: it gets -rate g / rms(g), with the root mean
/// square over the weights and steps of an output; inputs are alike, since they were mixed by a
/// Hadamard matrix. Then bits of each tile are flipped, one after the other the one that takes most
/// of the residuals' sum of squares, which it never raises; what is left stays. `lo` [groups, 2]
/// gets the derivatives of this batch by scale and angle. The same on any number of threads.
/// Error{unsupported, shape} as rbe_gradient().
WordStepCounts step_words(const Tensor& w, const Tensor& gradient, const WordStepOptions& options,
                          const WordMemory& memory, std::span<float> lo);

}  // namespace gyre
