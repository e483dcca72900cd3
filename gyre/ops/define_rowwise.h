#pragma once
#include "gyre/kernel/rows/rowwise.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/define_pointwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/simd/pack.h"
#include "gyre/simd/row_sum.h"

// Makes an OpDef from a row body. The body runs on Vec in the tiles; here it runs on Tensor, which
// gives derivatives of every order.

namespace gyre {

/// 0, 1, ..., n - 1 as f64.
Tensor positions(int64_t n, Device device);

// What a body flushes to 0 has derivatives that are not 0.
inline Tensor keep(const Tensor& m, const Tensor& x) { return where(m, x, x - x.detach()); }

template <class F, size_t... I, size_t... J>
auto call_with(F f, const Tensors& a, std::index_sequence<I...>, const Tensors& b,
               std::index_sequence<J...>) {
  return f(a[I]..., b[J]...);
}

/// The operands of a row op as tensors that broadcast: rows of shape `space`, numbers with the axis
/// as size 1.
struct RowOperands {
  int axis;
  Shape space;
  DType given_dtype = DType::f32;  // an exact body is computed in f64
  Tensors rows, numbers;           // numbers: anchor, then per-row inputs

  /// `anchor` gives the elements of which each row's maximum is the anchor; null if the body has
  /// none.
  RowOperands(const RowSpec& spec, int64_t axis, Inputs in, Tensor (*anchor)(const Tensors& rows));

  /// A result with one number per row.
  Tensor number_result(const Tensor& t, bool keepdim) const;
};

template <class Body>
struct RowOnTensors : RowOperands {
  static constexpr RowSpec q = Body::spec;
  static constexpr size_t A = q.anchored, P = q.scalars + A, I = q.rows, M = q.sums, K = q.coefs,
                          O = q.out_rows, R = q.out_scalars, X = I + (q.indexed ? 1 : 0);
  template <size_t n>
  using Count = std::make_index_sequence<n>;

  const typename Body::Attrs& attrs;

  RowOnTensors(const void* a, Inputs in)
      : RowOperands(q, attrs_as<typename Body::Attrs>(a).axis, in, anchor()),
        attrs(attrs_as<typename Body::Attrs>(a)) {}

  static constexpr auto anchor() -> Tensor (*)(const Tensors&) {
    if constexpr (A) {
      return [](const Tensors& rows) {
        return call_with([](const auto&... x) { return Tensor(Body::anchor(x...)); }, rows,
                         Count<X>{}, rows, Count<0>{});
      };
    } else {
      return nullptr;
    }
  }

  Tensors operator()() const {
    Tensors sums, kept, result;
    RowInfo<typename Body::Attrs> info{attrs, static_cast<double>(space.rank ? space[axis] : 1)};
    if constexpr (M > 0) {
      auto r = call_with([](const auto&... x) { return Body::reduce(x...); }, numbers, Count<P>{},
                         rows, Count<X>{});
      for (const Tensor& t : r.e) sums.push_back(sum(expand(t, space), {{axis}, true}));
      if constexpr (q.keeps) kept.push_back(r.e[0]);
    }
    auto k = finish(info, sums, Count<P>{}, Count<M>{});
    Tensors coefs(k.e, k.e + K);
    if constexpr (O > 0) {
      auto y = call_with([](const auto&... x) { return Body::map(x...); }, coefs, Count<K>{},
                         q.keeps ? kept : rows, Count < q.keeps ? 1 : X > {});
      for (const Tensor& t : y.e) result.push_back(t);
    }
    for (size_t i = 0; i < R; ++i) result.push_back(number_result(coefs[i], keepdim()));
    if constexpr (q.exact) {
      for (Tensor& t : result) t = to(t, given_dtype);
    }
    return result;
  }

  template <size_t... p, size_t... m>
  auto finish(const RowInfo<typename Body::Attrs>& info, const Tensors& sums,
              std::index_sequence<p...>, std::index_sequence<m...>) const {
    if constexpr (q.exact) {
      return Body::finish(info, numbers[p]..., RowSum<Tensor>{sums[m], Tensor(0.0)}...);
    } else {
      return Body::finish(info, numbers[p]..., sums[m]...);
    }
  }

  bool keepdim() const {
    if constexpr (requires { attrs.keepdim; }) {
      return attrs.keepdim;
    } else {
      return false;
    }
  }
};

template <class Body>
Tensors rowwise_compose(const OpDef&, const void* attrs, Inputs in) {
  return RowOnTensors<Body>(attrs, in)();
}

inline constexpr const char* kRowOutputs[] = {"out",     "hidden0", "hidden1", "hidden2",
                                              "hidden3", "hidden4", "hidden5"};

/// The definition of a row op. Override members of the result where needed.
template <class Body>
constexpr OpDef define_rowwise(const char* name, const char* doc, std::span<const Arg> args,
                               const PerIsa<RowwiseTiles>& tiles,
                               void (*samples)(Samples&) = nullptr) {
  constexpr RowSpec q = Body::spec;
  static_assert(offsetof(typename Body::Attrs, axis) == 0, "attributes of row ops begin with axis");
  static_assert(q.rows + q.out_rows <= kRowNumbers && q.scalars + q.anchored <= kRowNumbers &&
                q.sums <= kRowNumbers && q.coefs <= kRowNumbers &&
                q.out_scalars + q.hidden() <= kRowNumbers);
  constexpr int kVisible = q.out_rows + q.out_scalars;
  return {.name = name,
          .doc = doc,
          .args = args,
          .outputs = std::span(kRowOutputs).first(size_t{kVisible} + size_t{q.hidden()}),
          .visible = kVisible,
          .attrs = &record_of<typename Body::Attrs>,
          .local = Locality::row,
          .family = {.row = q, .rowwise = tiles},
          .infer = rowwise_infer,
          .kernels = on_every_device(rowwise_kernel),
          .compose = rowwise_compose<Body>,
          .vjp_first = rowwise_vjp_first,
          .saves_in = ~uint64_t{0},
          .saves_out = ((uint64_t{1} << q.hidden()) - 1) << kVisible,
          .batch = batch_rowwise,
          .samples = samples};
}

}  // namespace gyre
