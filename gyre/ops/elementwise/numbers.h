#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

// Elementwise ops with numbers as attributes.

namespace gyre {

struct IscloseAttrs {
  double rtol = 1e-5, atol = 1e-8;
  bool equal_nan = false;
};
GYRE_FIELDS(IscloseAttrs, GYRE_FIELD(rtol, "relative tolerance, of |y|"),
            GYRE_FIELD(atol, "absolute tolerance"),
            GYRE_FIELD(equal_nan, "count NaN as close to NaN"));

/// Whether x == y or |x - y| <= atol + rtol |y| (numpy.isclose); boolean. Error{value} for a
/// negative tolerance.
Tensor isclose(const Tensor& x, const Tensor& y, const IscloseAttrs& attrs = {});

struct NanToNumAttrs {
  double nan = 0, posinf = __DBL_MAX__, neginf = -__DBL_MAX__;
};
GYRE_FIELDS(NanToNumAttrs, GYRE_FIELD(nan, "replaces NaN"),
            GYRE_FIELD(posinf, "replaces infinity; at most the largest number of the dtype"),
            GYRE_FIELD(neginf, "replaces -infinity; at least the lowest number of the dtype"));

/// x with NaN and infinities replaced by numbers; integers are returned as they are. The gradient
/// of replaced elements is 0. Error{value} when a number for infinities is NaN.
Tensor nan_to_num(const Tensor& x, const NanToNumAttrs& attrs = {});

}  // namespace gyre
