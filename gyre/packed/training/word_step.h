#pragma once
#include <span>

#include "gyre/packed/packed.h"

namespace gyre {

/// How words are changed by the gradient of a batch.
struct WordStepOptions {
  double scale = 1;  ///< of the gradient
  double rate = 1;   ///< trust in the curvature: a change costs 1 / rate of it
  double decay = 0;  ///< of the running average of the curvature, which `correction` unbiases
  double correction = 1;
  int flips = 2;         ///< most bits of a tile that change together
  double dead_zone = 0;  ///< a tile changes only for a decrease of the loss by more than this
  int sweeps = 1;        ///< over all tiles
  double share = 1;      ///< of tiles that may change, drawn
  uint64_t seed = 0;     ///< of the draw
};

/// What became of the tiles of a step.
struct WordStepCounts {
  int64_t tiles = 0, changed = 0, bits = 0;
  double decrease = 0;  ///< of the loss, as the model of the batch predicts it
  double worst = 0;     ///< the smallest decrease of a tile that was changed; infinite for none
};

/// Adds the counts of a part.
void add(WordStepCounts& sum, const WordStepCounts& part);

/// Flips bits of the words of packed weights in place. The loss of a change D of the stored matrix
/// is modelled as <G, D> + 1/2 sum over outputs o of L_o D_o H D_o^T, with G the gradient, H the
/// sum of x x^T over the rows of the batch and L_o the sum of squares of their gradients by output
/// o: the Fisher information of independent rows (Martens and Grosse 2015). L is a running
/// average, kept in `curvature` [rows], 0 at first, since it vanishes with the gradient. Tile by tile, with the
/// changes of the tiles before taken into account, the bits whose flips decrease it most are
/// candidates; they are kept if the tile's loss falls. `lo` [groups, 2] gets the derivatives by
/// scale and angle. The same on any number of threads. Error{unsupported, shape} as rbe_gradient().
WordStepCounts step_words(const Tensor& w, const Tensor& gradient, const WordStepOptions& options,
                          std::span<float> curvature, std::span<float> lo);

}  // namespace gyre
