#pragma once
#include "gyre/hyperbolic/nn/rows/plane_attrs.h"
#include "gyre/ops/norm/norm.h"

// Row ops between and after the two matrix products of attention by distance on the hyperboloid;
// one row kernel each, forward and backward. Factors and times come from lorentz_lift (planes.h).

namespace gyre {

GYRE_FIELDS(NarrowAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(narrow, "return f32 for f64 operands"));

/// Attention scores -slope d^2 for the distances d of queries and keys, from their inner products
/// [..., n, m], the times of queries [..., n] and of keys [..., 1, m]. Points at distance 14 from
/// the origin need f64 products. slope is a number or one per row.
Tensor lorentz_affinity(const Tensor& product, const Tensor& key_time, const Tensor& time,
                        const Tensor& slope, const Tensor& c, const AxisAttrs& a = {});

/// Attention weights (softmax of each row) and the weighted mean of the keys' times, one per row.
struct LorentzMeans {
  Tensor weights, time;
};
LorentzMeans lorentz_weights(const Tensor& affinity, const Tensor& key_time,
                             const AxisAttrs& a = {});

/// Lorentz centroid (Law et al. 2019; the Einstein midpoint): (time, x) normalised onto the
/// hyperboloid. If narrow, f64 operands give f32.
Tensor lorentz_centroid(const Tensor& x, const Tensor& time, const Tensor& c,
                        const NarrowAttrs& a = {});

}  // namespace gyre
