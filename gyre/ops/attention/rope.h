#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

struct RopeAttrs {
  double base = 10000;
  int64_t position = 0;  ///< position of the first row, if positions is absent
  int64_t width = 0;     ///< leading features of a row that are rotated; 0: all
  bool interleaved = false;
  bool inverse = false;
};
GYRE_FIELDS(RopeAttrs,
            GYRE_FIELD(base,
                       "base of the frequencies: pair i rotates by position * base^(-2 i / width); "
                       "ignored if frequencies are given",
                       .above = 0),
            GYRE_FIELD(position, "position of the first row, if positions is absent"),
            GYRE_FIELD(width, "leading features rotated; 0: all"),
            GYRE_FIELD(interleaved,
                       "rotate pairs (0, 1), (2, 3), ... instead of (0, n/2), (1, n/2 + 1), ..."),
            GYRE_FIELD(inverse, "rotate by the negative angle"));

/// Rotary position embedding (Su et al., "RoFormer", 2021): rotates feature pair i of each row of x
/// [..., steps, n] by the angle p f_i, where p is the row's position: `positions` (i32 or i64),
/// broadcast to [..., steps], or position, position + 1, ...; f_i is the pair's frequency:
/// `frequencies` (floating) [width / 2], or base^(-2 i / width). Pairs are half a row apart as in
/// Hugging Face's models, or adjacent (interleaved). Angles are computed in f64. Error{shape,
/// dtype}; Error{value} for an odd or too large width or a base that is not positive.
Tensor rope(const Tensor& x, const Tensor& positions = {}, const Tensor& frequencies = {},
            const RopeAttrs& attrs = {});

}  // namespace gyre
