#include "gyre/hyperbolic/nn/distance_attention.h"

#include <cmath>

#include "gyre/hyperbolic/nn/rows/attention_rows.h"
#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/nn/init.h"
#include "gyre/op/samples.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

constexpr const char* kDistanceAttention = "DistanceAttention";
constexpr Arg kIn[] = {
    {"query"}, {.name = "key", .optional = true}, {.name = "value", .optional = true}};

void distance_attention_samples(LayerSamples& s) {
  using Options = DistanceAttentionOptions;
  Samples draw;
  s.add(Options{}, {draw.uniform({2, 3, 4})});
  s.add(Options{.slope = 0.5, .c = 0.7},
        {draw.uniform({2, 3}), draw.uniform({4, 3}), draw.uniform({4, 2})});
  s.add(Options{.c = 0.5, .learn_c = true}, {draw.uniform({2, 2, 3}), draw.uniform({2, 4, 3})});
  s.refuse(Code::value, Options{.slope = 0});
  s.refuse(Code::value, Options{.slope = NAN});
  s.refuse(Code::value, Options{.c = 0});
}

}  // namespace

DistanceAttention::DistanceAttention(const DistanceAttentionOptions& o)
    : curvature_(kDistanceAttention, o.c, o.learn_c) {
  check_record(kDistanceAttention, o);
  slope = constant({}, o.slope);
}

Tensor DistanceAttention::operator()(const Tensor& query, const Tensor& key,
                                     const Tensor& value) const {
  const Tensor c = curvature_();
  const PlaneAttrs wide{.wide = true};
  Lifted q = lorentz_lift(query, c, wide);
  Lifted k = key.defined() ? lorentz_lift(key, c, wide) : q;
  Lifted v = value.defined() ? lorentz_lift(value, c, wide) : k;
  Tensor affinity = lorentz_affinity(matmul(q.space, transpose(k.space, -1, -2)),
                                     unsqueeze(k.time, -2), q.time, slope, c);
  LorentzMeans means = lorentz_weights(affinity, unsqueeze(v.time, -2));
  DType d = query.dtype();
  Tensor y =
      lorentz_centroid(matmul(means.weights, v.space), means.time, c, {.narrow = d != DType::f64});
  return d == DType::f16 || d == DType::bf16 ? gyre::to(y, d) : y;
}

Tensors DistanceAttention::forward(Inputs inputs) const {
  LayerInputs in(inputs, kDistanceAttention, 1, 3);
  return {(*this)(in[0], in[1], in[2])};
}

void DistanceAttention::visit(Visitor& v) {
  v.parameter("slope", slope);
  curvature_.visit_part(v);
}

constinit const LayerDef distance_attention_layer = define_layer<DistanceAttention,
                                                                 DistanceAttentionOptions>(
    kDistanceAttention,
    "hyperbolic attention: Lorentz centroids of values, weights softmax(-slope d(query, key)^2)",
    distance_attention_samples, kIn);

}  // namespace gyre::nn
