#pragma once
#include "gyre/op/op_def.h"
#include "gyre/ops/create/create.h"

// Random tensors. Numbers come from Philox by (seed, offset, place): element i of a tensor in
// row-major order depends on nothing else, so values are the same for any number of threads, any
// instruction set and any device. Each function takes seed and offset from the generator of its
// options (or the thread's) and moves the offset past what it used. The op behind it has both as
// attributes, so that running a recorded call again repeats it.

namespace gyre {

/// Moves the generator past what a call of a random op took.
void take_words(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out, Generator& g);
/// A word of Philox below this happens with probability p.
uint64_t threshold_of(double p);

struct RandAttrs {
  Shape shape;
  DType dtype = DType::f32;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(RandAttrs, GYRE_FIELD(shape, "sizes"), GYRE_FIELD(dtype, "element type"),
            GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// Uniform in [0, 1): multiples of 2^-53 (f64), 2^-24 (f32), 2^-11 (f16) and 2^-8 (bf16).
/// Error{dtype} for other dtypes; shapes as for zeros().
Tensor rand(const Shape& shape, const TensorOptions& options = {});
/// Normal with mean 0 and variance 1 (Box and Muller 1958). Error{dtype} unless floating.
Tensor randn(const Shape& shape, const TensorOptions& options = {});

struct RandintAttrs {
  int64_t low = 0, high = 2;
  Shape shape;
  DType dtype = DType::i64;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(RandintAttrs, GYRE_FIELD(low, "lower bound, inclusive"),
            GYRE_FIELD(high, "upper bound, exclusive"), GYRE_FIELD(shape, "sizes"),
            GYRE_FIELD(dtype, "element type"), GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// Integers in [low, high), cast to the dtype. Equally likely to within (high - low) / 2^64.
/// Error{value} unless low < high.
Tensor randint(int64_t low, int64_t high, const Shape& shape,
               const TensorOptions& options = {.dtype = DType::i64});

struct BernoulliAttrs {
  double p = 0.5;
  Shape shape;
  DType dtype = DType::boolean;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(BernoulliAttrs, GYRE_FIELD(p, "probability of a 1"), GYRE_FIELD(shape, "sizes"),
            GYRE_FIELD(dtype, "element type"), GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// 1 with probability p (to within 2^-32), else 0. Error{value} unless 0 <= p <= 1.
Tensor bernoulli(double p, const Shape& shape,
                 const TensorOptions& options = {.dtype = DType::boolean});

struct DropoutAttrs {
  double p = 0.5;
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(DropoutAttrs, GYRE_FIELD(p, "probability of dropping an element"),
            GYRE_FIELD(seed, "seed of the generator"),
            GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words"));

/// Each element is 0 with probability p, else divided by 1 - p. Nothing is kept for backward: it
/// draws the same elements again. Error{value} unless 0 <= p <= 1, Error{dtype} unless floating.
Tensor dropout(const Tensor& x, const DropoutAttrs& attrs);
/// In training as above with numbers of `generator` (nullptr: the thread's); else x itself.
Tensor dropout(const Tensor& x, double p, bool training, Generator* generator = nullptr);

}  // namespace gyre
