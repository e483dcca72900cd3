#include "gyre/hyperbolic/nn/rows/attention_rows.h"

#include "gyre/hyperbolic/nn/rows/attention_rows_bodies.h"
#include "gyre/hyperbolic/nn/rows/result_dtypes.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/nn/rows/rows.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Arg kAffinity[] = {{"product"}, {"key_time"}, {"time"}, {"slope"}, {"c"}};
constexpr Arg kWeights[] = {{"affinity"}, {"key_time"}};
constexpr Arg kCentroid[] = {{"x"}, {"time"}, {"c"}};
// the last three results are saved for backward
constexpr const char* kMeans[] = {"weights", "time", "hidden0", "hidden1", "hidden2"};

void affinity_samples(Samples& s) {
  auto add = [&](const Shape& product, const Shape& keys) {
    const Shape queries = product.without(product.rank - 1);
    s.add({s.uniform(product, -0.5, 0.3), s.uniform(keys, 1.2, 2), s.uniform(queries, 1.2, 2),
           s.uniform({}, 0.5, 1), s.uniform({}, 0.5, 1)});
  };
  add({3, 4}, {4});
  add({2, 3, 5}, {2, 1, 5});
  add({2, 70}, {70});
  s.extreme({s.uniform({}, 1, 1), s.uniform({}, 2, 2), s.uniform({}, 1, 1), s.uniform({}, 1, 1),
             s.uniform({}, 1, 1)});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({4}), s.uniform({2}), s.uniform({}),
                         s.uniform({}, 0.5, 1)});
  s.refuse(Code::value,
           {s.uniform({2, 3}), s.uniform({3}), s.uniform({2}), s.uniform({}), Tensor(0.0)});
}
void weights_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.uniform({4}, 1, 2)});
  s.add({s.uniform({2, 3, 5}), s.uniform({2, 1, 5}, 1, 2)});
  s.add({s.uniform({4, 3}), s.uniform({4, 1}, 1, 2)}, box(AxisAttrs{0}));
  s.extreme({s.values({-1e4, 0, 1e4}), s.values({1, 2, 3})});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({4})});
  s.refuse(Code::index, {s.uniform({2, 3}), s.uniform({3})}, box(AxisAttrs{2}));
}
void centroid_samples(Samples& s) {
  auto add = [&](const Shape& x, NarrowAttrs a) {
    const int axis = static_cast<int>(a.axis < 0 ? a.axis + x.rank : a.axis);
    s.add({s.uniform(x, -0.4, 0.4), s.uniform(x.without(axis), 1.5, 2), s.uniform({}, 0.3, 0.5)},
          box(a));
  };
  add({3, 4}, {});
  add({3, 2}, {.axis = 0});
  add({2, 3, 4}, {});
  s.extreme({s.values({0, 0}), s.uniform({}, 1, 1), s.uniform({}, 1, 1)},
            box(NarrowAttrs{.narrow = true}));
  s.refuse(Code::value, {s.uniform({2, 3}), s.uniform({2}), Tensor(-1.0)});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({3}), s.uniform({}, 0.5, 1)});
}

DType narrowed(const void* attrs, Inputs, size_t, DType d) {
  return d == DType::f64 && attrs_as<NarrowAttrs>(attrs).narrow ? DType::f32 : d;
}

}  // namespace

constinit const OpDef lorentz_affinity_def = [] {
  OpDef d = define_rowwise<LorentzAffinity>(
      "lorentz_affinity",
      "hyperbolic attention scores -slope d(query, key)^2 from inner products and times", kAffinity,
      GYRE_TILES_OF(lorentz_affinity), affinity_samples);
  d.infer = curved_infer<Curvature::positive>;
  d.ulp = 16;  // a difference
  return d;
}();
constinit const OpDef lorentz_weights_def = [] {
  OpDef d = define_rowwise<LorentzWeights>(
      "lorentz_weights", "attention weights (softmax) and the weighted mean of the keys' times",
      kWeights, GYRE_TILES_OF(lorentz_weights), weights_samples);
  d.outputs = kMeans;
  return d;
}();
constinit const OpDef lorentz_centroid_def =
    with_result_dtypes<LorentzCentroid, narrowed>(define_rowwise<LorentzCentroid>(
        "lorentz_centroid", "Lorentz centroid: (time, x) normalised onto the hyperboloid",
        kCentroid, GYRE_TILES_OF(lorentz_centroid), centroid_samples));

Tensor lorentz_affinity(const Tensor& product, const Tensor& key_time, const Tensor& time,
                        const Tensor& slope, const Tensor& c, const AxisAttrs& a) {
  return apply_one(lorentz_affinity_def, {product, key_time, time, slope, c}, box(a));
}
LorentzMeans lorentz_weights(const Tensor& affinity, const Tensor& key_time, const AxisAttrs& a) {
  Tensor in[] = {affinity, key_time};
  Tensors out = apply(lorentz_weights_def, in, box(a));
  return {out[0], out[1]};
}
GYRE_FUNCTION_3(lorentz_centroid, NarrowAttrs)

}  // namespace gyre
