#pragma once
#include "gyre/hyperbolic/nn/rows/plane_attrs.h"
#include "gyre/ops/norm/norm.h"

// What stands between and behind the two products of attention by distance on the hyperboloid; one
// row kernel each way. Factors come from lorentz_lift (planes.h), whose times are meant.

namespace gyre {

GYRE_FIELDS(NarrowAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(narrow, "a result of f64 operands is f32"));

/// -slope d^2 for the distances d of queries and keys, of their products [..., n, m], the queries'
/// times [..., n] and the keys' [..., 1, m]. Two points of distance 14 from the origin want f64
/// products. slope is a number or one a row.
Tensor lorentz_affinity(const Tensor& product, const Tensor& key_time, const Tensor& time,
                        const Tensor& slope, const Tensor& c, const AxisAttrs& a = {});

/// softmax of a row, and by it the mean of the keys' times, one number a row.
struct LorentzMeans {
  Tensor weights, time;
};
LorentzMeans lorentz_weights(const Tensor& affinity, const Tensor& key_time,
                             const AxisAttrs& a = {});

/// The point of the hyperboloid in the direction of (time, x): the Lorentz centroid (Law et al.
/// 2019), which is Einstein's midpoint. If narrow, f64 operands
/// give f32.
Tensor lorentz_centroid(const Tensor& x, const Tensor& time, const Tensor& c,
                        const NarrowAttrs& a = {});

}  // namespace gyre
