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
inline Tensor positions(int64_t n, Device device) {
  return arange(0, static_cast<double>(n), 1, {DType::f64, device});
}

// What a body flushes to 0 has derivatives that are not 0.
inline Tensor keep(const Tensor& m, const Tensor& x) { return where(m, x, x - x.detach()); }

template <class F, size_t... I, size_t... J>
auto call_with(F f, const Tensors& a, std::index_sequence<I...>, const Tensors& b,
               std::index_sequence<J...>) {
  return f(a[I]..., b[J]...);
}

template <class Body>
struct RowOnTensors {
  static constexpr RowSpec q = Body::spec;
  static constexpr size_t A = q.anchored, P = q.scalars + A, I = q.rows, M = q.sums, K = q.coefs,
                          O = q.out_rows, R = q.out_scalars, X = I + (q.indexed ? 1 : 0);
  template <size_t n>
  using Count = std::make_index_sequence<n>;

  const typename Body::Attrs& attrs;
  int axis;
  Shape space;
  DType given_dtype = DType::f32;  // an exact body is computed in f64
  Tensors rows, numbers;           // numbers: anchor, then per-row inputs with the axis as size 1

  RowOnTensors(const void* a, Inputs in)
      : attrs(attrs_as<typename Body::Attrs>(a)), space(in[0].shape()) {
    for (size_t i = 1; i < I; ++i) {
      if (in[i].defined()) space = broadcast(space, in[i].shape(), "row op");
    }
    axis = normalize_axis(attrs.axis, space.rank, "row op");
    for (size_t i = 0; i < I; ++i) rows.push_back(expand(given(in, i), space));
    if (q.indexed) rows.push_back(row_positions());
    if constexpr (q.exact) {
      given_dtype = rows[0].dtype();
      for (const Tensor& t : rows) given_dtype = promote(given_dtype, t.dtype());
      if (!is_floating(given_dtype)) given_dtype = DType::f32;
      for (Tensor& t : rows) t = to(t, DType::f64);
    }
    if constexpr (A) {
      Tensors still;
      for (const Tensor& t : rows) still.push_back(t.detach());
      Tensor v = call_with([](const auto&... x) { return Tensor(Body::anchor(x...)); }, still,
                           Count<X>{}, still, Count<0>{});
      numbers.push_back(max(v, {{axis}, true}));
    }
    const Shape outer = space.without(axis);
    for (size_t i = I; i < in.size(); ++i) {
      Tensor number = q.exact ? to(given(in, i), DType::f64) : given(in, i);
      numbers.push_back(space.rank ? unsqueeze(expand(number, outer), axis) : number);
    }
  }

  static Tensor given(Inputs in, size_t i) {
    if (in[i].defined()) return in[i];
    return constant({}, q.absent_ones >> i & 1 ? 1 : 0, {in[0].dtype(), in[0].device()});
  }

  Tensor row_positions() const {
    Shape s;
    for (int i = 0; i < space.rank; ++i) s.push_back(i == axis ? space[i] : 1);
    DType d = is_floating(rows[0].dtype()) ? rows[0].dtype() : DType::f32;
    return reshape(to(positions(numel(s), rows[0].device()), d), s);
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
    for (size_t i = 0; i < R; ++i) result.push_back(number_result(coefs[i]));
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

  Tensor number_result(const Tensor& t) const {
    if constexpr (requires { attrs.keepdim; }) {
      if (attrs.keepdim) return t;
    }
    return space.rank ? squeeze(t, {axis}) : t;
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
