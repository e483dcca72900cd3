#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"
#include "gyre/nn/layer.h"
#include "gyre/op/attrs.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/norm/norm.h"

namespace gyre {

#define LAYER(name)
#define OP_LAYER(name, Class, op, ...) extern const OpDef op##_def;
#include "gyre/nn/layers.def"
#undef OP_LAYER
#undef LAYER

/// Activation function between two linear layers.
enum class Activation : uint8_t { gelu, gelu_tanh, relu, silu, relu_squared };
inline constexpr const char* kActivationNames[] = {"gelu", "gelu_tanh", "relu", "silu",
                                                   "relu_squared"};
template <>
inline constexpr std::span<const char* const> kChoices<Activation> = kActivationNames;

struct LeakyReluOptions {
  double slope = 0.01;
};
GYRE_FIELDS(LeakyReluOptions, GYRE_FIELD(slope, "negative slope: factor of negative inputs",
                                         .alias = "negative_slope"));

struct EluOptions {
  double alpha = 1;
};
GYRE_FIELDS(EluOptions,
            GYRE_FIELD(alpha, "alpha: the function tends to -alpha for x to -infinity"));

struct DropoutOptions {
  double p = 0.5;
};
GYRE_FIELDS(DropoutOptions, GYRE_FIELD(p, "probability that an element is zeroed, from 0 to 1",
                                       .alias = "share", .least = 0, .most = 1));

struct FlattenOptions {
  int64_t start = 1, end = -1;
};
GYRE_FIELDS(FlattenOptions, GYRE_FIELD(start, "first axis to flatten", .alias = "start_dim"),
            GYRE_FIELD(end, "last axis to flatten", .alias = "end_dim"));

namespace nn {

Tensor activate(const Tensor& x, Activation activation);

/// A layer that applies an op with one operand: activations, pooling.
class OpLayer : public Layer {
 public:
  explicit OpLayer(const OpDef& op, Attrs attrs = {}) : op_(&op), attrs_(std::move(attrs)) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  const OpDef* op_;
  Attrs attrs_;
};

/// The layer of an op: MaxPool2d pool({.kernel = {2}}); ReLU relu;
template <const OpDef& op, class... A>
class LayerOf final : public OpLayer {
 public:
  LayerOf() : OpLayer(op) {}
  explicit LayerOf(const A&... attrs)
    requires(sizeof...(A) == 1)
      : OpLayer(op, box(attrs...)) {}
};
#define LAYER(name)
#define OP_LAYER(name, Class, op, ...) using Class = LayerOf<op##_def __VA_OPT__(, ) __VA_ARGS__>;
#include "gyre/nn/layers.def"
#undef OP_LAYER
#undef LAYER

// Activations with a parameter.

/// x where x > 0, otherwise slope x.
class LeakyRelu final : public Layer {
 public:
  explicit LeakyRelu(const LeakyReluOptions& options = {}) : slope_(options.slope) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  double slope_;
};

/// x where x > 0, otherwise alpha (e^x - 1).
class Elu final : public Layer {
 public:
  explicit Elu(const EluOptions& options = {}) : alpha_(options.alpha) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  double alpha_;
};

/// In training, zeroes each element with probability p and divides the others by 1 - p
/// (Srivastava et al. 2014); the identity in evaluation mode. Draws from the thread's generator.
class Dropout : public Layer {
 public:
  /// Error{value} for p outside [0, 1].
  explicit Dropout(const DropoutOptions& options);

  Tensor operator()(const Tensor& x) const override;

 private:
  double p_;
};

/// Flattens a range of axes into one.
class Flatten final : public Layer {
 public:
  explicit Flatten(const FlattenOptions& options = {}) : options_(options) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  FlattenOptions options_;
};

// Names of the layer table.
using LeakyReLU = LeakyRelu;
using ELU = Elu;

}  // namespace nn
}  // namespace gyre
