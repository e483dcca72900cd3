#pragma once
#include "gyre/op/op_def.h"

// Copies elements between layouts and dtypes: the kernel under clone, to, cat and other data
// movement.

namespace gyre {

/// Copies `from`, which must broadcast to to.shape, into `to`, casting as `to()` does. The two may
/// not overlap. Runs on the threads of the pool. Throws only what isa() does, before anything is
/// written, so never inside a kernel.
void copy_elements(const View& from, const View& to);

/// Sets every element of `to` to the one at `element`, which has its dtype.
void fill_elements(const View& to, const void* element);
/// Sets every element to zero (false).
void zero_elements(const View& to);

/// The slice of a view along an axis: `count` indices from `start`.
View slice_of(const View& v, int axis, int64_t start, int64_t step, int64_t count);
/// The view with an axis, which must not be empty, reversed.
View reversed(const View& v, int axis);

}  // namespace gyre
