#pragma once
#include "gyre/kernel/per_isa.h"
#include "gyre/kernel/pointwise.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/simd/dual.h"

// Makes an OpDef from a pointwise body. The body runs on Vec in the tiles; here it runs on Tensor,
// which gives derivatives of every order.

namespace gyre {

// Functions that bodies and Dual call, for Tensor.
inline Tensor select(const Tensor& m, const Tensor& x, const Tensor& y) { return where(m, x, y); }
inline Tensor max(const Tensor& x, const Tensor& y) { return maximum(x, y); }
inline Tensor min(const Tensor& x, const Tensor& y) { return minimum(x, y); }
inline Tensor normal_cdf(const Tensor& x) { return 0.5 * erfc(-0.7071067811865476 * x); }
inline Tensor fma(const Tensor& x, const Tensor& y, const Tensor& z) { return x * y + z; }

template <class Body, size_t J, size_t... I>
Tensor partial_on_tensors(Inputs in, std::index_sequence<I...>) {
  auto argument = [&]<size_t k>(std::integral_constant<size_t, k>) {
    if constexpr (k == J) {
      return Dual<Tensor>(in[k], Tensor(1.0));
    } else {
      return in[k];
    }
  };
  auto y = Body::eval(argument(std::integral_constant<size_t, I>{})...);
  if constexpr (std::is_same_v<decltype(y), Dual<Tensor>>) {
    return y.d;
  } else {
    return {};
  }
}

template <class Body, size_t... J>
Tensors pointwise_vjp_of(const VjpArgs& a, std::index_sequence<J...> all) {
  constexpr bool kMasked = Body::spec.kind == PointwiseSpec::selection;
  Tensors partials(sizeof...(J));
  auto one = [&]<size_t j>(std::integral_constant<size_t, j>) {
    if constexpr (!(kMasked && j == 0)) {
      if (!a.wanted[j] || !a.grad[0].defined()) return;
      Tensor d = partial_on_tensors<Body, j>(a.in, all);
      if (d.defined()) partials[j] = a.grad[0] * d;
    }
  };
  (one(std::integral_constant<size_t, J>{}), ...);
  return partials;
}

template <class Body>
Tensors pointwise_vjp(const VjpArgs& a) {
  return pointwise_vjp_of<Body>(a, std::make_index_sequence<Body::spec.arity>{});
}

/// Samples of an op of `arity` operands from [low, high]; the first is a mask if it is a selection.
void pointwise_samples_of(Samples& s, size_t arity, bool selection, double low, double high);

template <class Body>
void pointwise_samples(Samples& s) {
  pointwise_samples_of(s, Body::spec.arity, Body::spec.kind == PointwiseSpec::selection, Body::low,
                       Body::high);
}

/// The definition of a pointwise op. Override members of the result where needed.
template <class Body>
constexpr OpDef define_pointwise(const char* name, const char* doc, std::span<const Arg> args,
                                 const PerIsa<PointwiseTiles>& tiles,
                                 void (*samples)(Samples&) = pointwise_samples<Body>) {
  OpDef d{.name = name,
          .doc = doc,
          .args = args,
          .local = Locality::element,
          .family = {.pointwise_spec = Body::spec, .pointwise = tiles},
          .infer = pointwise_infer,
          .kernels = on_every_device(pointwise_kernel),
          .batch = batch_pointwise,
          .samples = samples,
          .by_element = true};
  if constexpr (Body::spec.kind == PointwiseSpec::comparison ||
                Body::spec.kind == PointwiseSpec::bits) {
    d.is_discrete = true;
  } else {
    d.vjp = pointwise_vjp<Body>;
    d.vjp_first = pointwise_vjp_first;
    d.saves_in = ~uint64_t{0};
  }
  return d;
}

inline constexpr Arg kWhereArgs[] = {{.name = "condition", .differentiable = false}, {"x"}, {"y"}};

/// Definition and public function of an op of one, two or three operands (three are named by
/// `arguments`); trailing statements override members of the definition `d`.
#define GYRE_DEFINE_UNARY(name, Body, doc, ...)                                 \
  constinit const OpDef name##_def = [] {                                       \
    OpDef d = define_pointwise<Body>(#name, doc, kOneArg, GYRE_TILES_OF(name)); \
    __VA_ARGS__;                                                                \
    return d;                                                                   \
  }();                                                                          \
  Tensor name(const Tensor& x) { return apply_one(name##_def, Inputs(&x, 1)); }

#define GYRE_DEFINE_BINARY(name, Body, doc, ...)                                 \
  constinit const OpDef name##_def = [] {                                        \
    OpDef d = define_pointwise<Body>(#name, doc, kTwoArgs, GYRE_TILES_OF(name)); \
    __VA_ARGS__;                                                                 \
    return d;                                                                    \
  }();                                                                           \
  Tensor name(const Tensor& x, const Tensor& y) { return apply_one(name##_def, {x, y}); }

#define GYRE_DEFINE_TERNARY(name, Body, doc, arguments, ...)                      \
  constinit const OpDef name##_def = [] {                                         \
    OpDef d = define_pointwise<Body>(#name, doc, arguments, GYRE_TILES_OF(name)); \
    __VA_ARGS__;                                                                  \
    return d;                                                                     \
  }();                                                                            \
  Tensor name(const Tensor& x, const Tensor& y, const Tensor& z) {                \
    return apply_one(name##_def, {x, y, z});                                      \
  }

}  // namespace gyre
