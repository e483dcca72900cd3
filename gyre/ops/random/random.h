#pragma once
#include "gyre/op/op_def.h"
#include "gyre/ops/create/create.h"

// Random tensors. Counter-based generator Philox 4x32: element i of a tensor in row-major order
// depends on (seed, offset, i) only, so values are the same for any number of threads, instruction
// set and device. Each function takes seed and offset from the generator of its options (or the
// thread's) and advances the offset. Both are attributes of the op, so that replaying a recorded
// call reproduces it.

namespace gyre {

/// Advances the generator past the words used by a call of a random op.
void take_words(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out, Generator& g);
/// A Philox word is below this threshold with probability p.
uint64_t threshold_of(double p);

struct RandAttrs {
  Shape shape;
  DType dtype = DType::f32;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(RandAttrs, GYRE_FIELD(shape, "shape of the result"), GYRE_FIELD(dtype, "element type"),
            GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// Uniform in [0, 1): multiples of 2^-53 (f64), 2^-24 (f32), 2^-11 (f16) and 2^-8 (bf16).
/// Error{dtype} for other dtypes; shapes as for zeros().
Tensor rand(const Shape& shape, const TensorOptions& options = {});
/// Standard normal, mean 0 and variance 1 (Box and Muller 1958). Error{dtype} unless floating.
Tensor randn(const Shape& shape, const TensorOptions& options = {});

struct RandintAttrs {
  int64_t low = 0, high = 2;
  Shape shape;
  DType dtype = DType::i64;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(RandintAttrs, GYRE_FIELD(low, "lower bound, inclusive"),
            GYRE_FIELD(high, "upper bound, exclusive"), GYRE_FIELD(shape, "shape of the result"),
            GYRE_FIELD(dtype, "element type"), GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// Integers in [low, high), cast to the dtype. Uniform up to a bias of (high - low) / 2^64.
/// Error{value} unless low < high and both low and high - 1 are values of an integer dtype.
Tensor randint(int64_t low, int64_t high, const Shape& shape,
               const TensorOptions& options = {.dtype = DType::i64});

struct BernoulliAttrs {
  double p = 0.5;
  Shape shape;
  DType dtype = DType::boolean;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(BernoulliAttrs, GYRE_FIELD(p, "probability of a 1", .least = 0, .most = 1),
            GYRE_FIELD(shape, "sizes"), GYRE_FIELD(dtype, "element type"),
            GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// Bernoulli samples: 1 with probability p (rounded to 2^-32), else 0. Error{value} unless 0 <= p
/// <= 1.
Tensor bernoulli(double p, const Shape& shape,
                 const TensorOptions& options = {.dtype = DType::boolean});

struct DropoutAttrs {
  double p = 0.5;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(DropoutAttrs,
            GYRE_FIELD(p, "probability of dropping an element", .least = 0, .most = 1),
            GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// Dropout: zeroes each element with probability p and scales the rest by 1 / (1 - p). Saves no
/// mask: backward draws the same elements again. Error{value} unless 0 <= p <= 1, Error{dtype}
/// unless floating.
Tensor dropout(const Tensor& x, const DropoutAttrs& attrs);
/// In training, dropout with `generator` (nullptr: the thread's); otherwise x itself.
Tensor dropout(const Tensor& x, double p, bool training, Generator* generator = nullptr);

}  // namespace gyre
