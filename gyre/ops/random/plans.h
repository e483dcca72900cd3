#pragma once
#include "gyre/kernel/strided.h"
#include "gyre/ops/random/random_tiles.h"

namespace gyre {

/// The plan (op/launch.h) of rand, randn, randint, bernoulli and dropout: element i of the result,
/// in row-major order of the loop and rounded to its dtype, is what the op's formula (bodies.h)
/// gives for word i * each of Philox-4x32-10 and, if `each` is 2, the word after it; normals are
/// pairs. Block b of four words has counter offset + b.
struct DrawPlan {
  Draw RandomTiles::*tile;  ///< draws elements of the compute type on the CPU
  DrawNumbers numbers;
  int64_t seed, offset;
  Compute compute;
  int64_t each;
  bool reads;        ///< an operand
  StridedLoop loop;  ///< over the operand, if it reads one, and the result
};

}  // namespace gyre
