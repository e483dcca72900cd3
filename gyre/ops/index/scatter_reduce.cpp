#include <limits>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/along_index.h"
#include "gyre/ops/index/sums.h"
#include "gyre/ops/reduce/scan.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// rank, for the gradient of products: the number of earlier elements of src at the same target.
constexpr const char* kReduceOutputs[] = {"result", "rank"};

void scatter_reduce_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<ScatterReduceAttrs>(attrs);
  check_summands(op, in[0], in[2]);
  if (a.reduce == ScatterFold::mean && !is_floating(in[0].dtype())) {
    throw mismatch(Code::dtype, op.name, "reduce mean requires a floating dtype",
                   "a floating dtype", in[0].dtype());
  }
  check_scattered(op, a.axis, in);
  infer_like_first(op, attrs, in, out);
  out[1].shape = a.reduce == ScatterFold::prod ? in[1].shape() : Shape{0};
  out[1].dtype = DType::i64;
}

// Layout of scratch: results and src in the compute dtype, unless they already have it, and the
// count of src elements per target.
struct ReduceRoom {
  size_t results = 0, source = 0, counts = 0;

  ReduceRoom(const ScatterReduceAttrs& a, DType dtype, const Shape& x, const Shape& index) {
    size_t width = size_of(compute_of(dtype));
    auto places = static_cast<size_t>(numel(x)), taken = static_cast<size_t>(numel(index));
    bool counted = a.reduce == ScatterFold::mean || a.reduce == ScatterFold::prod;
    if (!a.include_self || counted) counts = places * sizeof(int64_t);
    if (dtype == dtype_of(compute_of(dtype))) return;
    results = (places * width + 7) / 8 * 8;
    source = (taken * width + 7) / 8 * 8;
  }
  size_t total() const { return results + source + counts; }
};

size_t scatter_reduce_scratch(const void* attrs, Inputs in) {
  return ReduceRoom(attrs_as<ScatterReduceAttrs>(attrs), in[0].dtype(), in[0].shape(),
                    in[1].shape())
      .total();
}

template <class T>
T product_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    return a * b;
  }
}
// NaN wins; false for two NaN.
template <class T>
bool comes_before(T a, T b, bool largest) {
  if (a != a) return false;
  return b != b || (largest ? b > a : b < a);
}

/// What a fold starts from where x is not one of its elements.
template <class T>
T start_of(ScatterFold fold) {
  constexpr T kLargest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                              : std::numeric_limits<T>::max();
  constexpr T kLeast =
      std::numeric_limits<T>::has_infinity ? -kLargest : std::numeric_limits<T>::lowest();
  switch (fold) {
    case ScatterFold::prod:
      return 1;
    case ScatterFold::amax:
      return kLeast;
    case ScatterFold::amin:
      return kLargest;
    default:
      return 0;
  }
}

template <class T>
struct ScatterReduce {
  const ScatterReducePlan& plan;

  T* result() const { return reinterpret_cast<T*>(plan.values.lines.data[0]); }

  /// f(place) for every place of the results.
  void every(auto f) const {
    parallel_for(plan.places, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) f(i);
    });
  }
  void fold_in(auto f) const {
    T* to = result();
    auto* from = reinterpret_cast<const T*>(plan.values.lines.data[1]);
    for_along(plan.values, [=](int64_t t, int64_t s) { to[t] = f(to[t], from[s]); });
  }

  // Counts of src per target, and of earlier elements for each.
  void count() const {
    int64_t* n = plan.counts;
    every([=](int64_t i) { n[i] = 0; });
    if (plan.ranked) {
      auto* r = reinterpret_cast<int64_t*>(plan.counted.lines.data[1]);
      for_along(plan.counted, [=](int64_t t, int64_t s) { r[s] = n[t]++; });
    } else {
      for_along(plan.counted, [=](int64_t t, int64_t) { ++n[t]; });
    }
  }

  void run() const {
    T* to = result();
    int64_t* n = plan.counts;
    if (n) count();
    if (!plan.attrs.include_self) {
      T start = start_of<T>(plan.attrs.reduce);
      every([=](int64_t i) { to[i] = n[i] ? start : to[i]; });
    }
    switch (plan.attrs.reduce) {
      case ScatterFold::sum:
      case ScatterFold::mean:
        fold_in([](T a, T b) { return sum_of(a, b); });
        break;
      case ScatterFold::prod:
        fold_in([](T a, T b) { return product_of(a, b); });
        break;
      case ScatterFold::amax:
        fold_in([](T a, T b) { return comes_before(a, b, true) ? b : a; });
        break;
      case ScatterFold::amin:
        fold_in([](T a, T b) { return comes_before(a, b, false) ? b : a; });
    }
    if (plan.attrs.reduce != ScatterFold::mean) return;
    int64_t self = plan.attrs.include_self;
    every([=](int64_t i) {
      if (n[i]) to[i] /= static_cast<T>(n[i] + self);
    });
  }
};

// Room in `memory` for a tensor of that shape in the compute type of v.
View in_compute(const View& v, const Shape& shape, std::byte* memory) {
  return {memory, shape, contiguous_strides(shape), dtype_of(compute_of(v.dtype)), v.device};
}

Status run_scatter_reduce(const ScatterReducePlan& p) noexcept {
  if (Status s = check_indices(p.index); s.failed) return s;
  visit_compute(compute_of(p.values.lines.dtype[0]),
                [&](auto t) { ScatterReduce<decltype(t)>{p}.run(); });
  return {};
}

Status scatter_reduce_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<ScatterReduceAttrs>(args.attrs);
  const View &x = args.in[0], &index = args.in[1], &src = args.in[2], &out = args.out[0];
  int axis = static_cast<int>(a.axis < 0 && x.shape.rank ? a.axis + x.shape.rank : a.axis);
  if (numel(index.shape) == 0) return copy_elements(x, out);
  ReduceRoom room(a, x.dtype, x.shape, index.shape);
  View results = out, source = src;
  if (room.results) {
    View taken = src;
    taken.shape = index.shape;
    results = in_compute(x, x.shape, args.scratch);
    source = in_compute(src, index.shape, args.scratch + room.results);
    if (Status s = copy_elements(taken, source); s.failed) return s;
  }
  if (Status s = copy_elements(x, results); s.failed) return s;
  View rank;
  if (a.reduce == ScatterFold::prod && args.out.size() > 1) rank = args.out[1];
  int64_t* counts = nullptr;
  if (rank.data || !a.include_self || a.reduce == ScatterFold::mean) {
    counts = reinterpret_cast<int64_t*>(args.scratch + room.results + room.source);
  }
  const bool ranked = rank.data;
  const ScatterReducePlan plan{{index, x.shape.rank ? x.shape[axis] : 1},
                               a,
                               numel(x.shape),
                               counts,
                               ranked,
                               along_index(results, source, index, axis),
                               along_index(results, ranked ? rank : source, index, axis)};
  Status s = launch<run_scatter_reduce>(op, args, plan);
  return s.failed || !room.results ? s : copy_elements(results, out);
}

// Gradients. `from` is src restricted to the shape of the index; `counts` holds the count per
// target.
struct ReduceBack {
  const ScatterReduceAttrs& a;
  Tensor x, index, from, out, g, counts, untouched;

  explicit ReduceBack(const VjpArgs& v)
      : a(attrs_as<ScatterReduceAttrs>(v.attrs)),
        x(v.in[0]),
        index(v.in[1]),
        from(v.in[2]),
        out(v.out[0]),
        g(v.grad[0]) {
    for (int i = 0; i < index.rank(); ++i) from = slice(from, {i, 0, index.shape()[i], 1});
    Tensor none = constant(x.shape(), 0, {DType::i64, x.device()});
    Tensor ones = constant(index.shape(), 1, {DType::i64, x.device()});
    counts = scatter_add(none, a.axis, index, ones);
    untouched = eq(counts, none);
  }

  DType wide() const { return x.dtype() == DType::f64 ? DType::f64 : DType::f32; }
  Tensor at(const Tensor& t) const { return gather(t, a.axis, index); }
  Tensor zeros_of(const Tensor& t) const { return constant(t.shape(), 0, {t.dtype(), t.device()}); }
  /// t where x counts as it is, zero elsewhere.
  Tensor where_kept(const Tensor& t) const {
    return a.include_self ? t : where(untouched, t, zeros_of(t));
  }

  Tensors linear() const { return {where_kept(g), {}, at(g)}; }
  Tensors mean() const {
    Tensor n = counts + constant({}, a.include_self ? 1 : 0, {DType::i64, x.device()});
    Tensor share = g / to(maximum(n, ones_like(n)), wide());
    return {a.include_self ? share : where_kept(g), {}, at(share)};
  }
  Tensors extremum() const {
    Tensor top = out.detach();
    auto hits = [](const Tensor& t, const Tensor& best) {
      return where(ne(best, best), ne(t, t), eq(t, best));
    };
    Tensor own = a.include_self ? hits(x.detach(), top) : untouched;
    Tensor theirs = hits(from.detach(), at(top));
    Tensor number = scatter_add(to(own, DType::i64), a.axis, index, to(theirs, DType::i64));
    Tensor share = g / to(maximum(number, ones_like(number)), wide());
    Tensor brought = at(share);
    return {where(own, share, zeros_of(share)), {}, where(theirs, brought, zeros_of(brought))};
  }
  // The cofactor of each element: the product of the elements at the same target before it times
  // those after it. Uses no division, so zeros need no special case. Lines are sorted by target for
  // that. In f64, since a partial product may overflow where the whole does not.
  Tensors product(const Tensor& rank) const {
    Tensor starts = shifted(cumsum(counts, a.axis), a.axis, 1, 0), place = at(starts) + rank;
    auto sorted = [&](const Tensor& t) { return scatter(zeros_of(t), a.axis, place, t); };
    Tensor t = sorted(to(from, DType::f64)), none = zeros_of(t), one = ones_like(t);
    Tensor own =
        a.include_self ? to(x, DType::f64) : constant(x.shape(), 1, {DType::f64, x.device()});
    Tensor first = eq(sorted(rank), zeros_of(rank));
    Tensor last = ne(shifted(to(first, DType::i64), a.axis, -1, 1), zeros_of(rank));
    Tensor before = linear_recurrence(where(first, none, shifted(t, a.axis, 1, 1)),
                                      where(first, sorted(at(own)), none), {a.axis, false});
    Tensor after = linear_recurrence(where(last, none, shifted(t, a.axis, -1, 1)),
                                     where(last, one, none), {a.axis, true});
    Tensor gfrom = at(g) * gather(before * after, a.axis, place);
    if (!a.include_self) return {where_kept(g), {}, gfrom};
    Tensor all = where(first, t * after, none);
    Tensor theirs =
        scatter_add(to(untouched, DType::f64), a.axis, index, gather(all, a.axis, place));
    return {g * theirs, {}, gfrom};
  }
  // The same by division, not differentiable where elements are zero: the product of the nonzero
  // elements, divided by the element itself if no other is zero. In f64 as well.
  Tensors product_first() const {
    auto nonzero = [](const Tensor& t, const Tensor& is_zero) {
      return where(is_zero, ones_like(t), t);
    };
    Tensor no_x = eq(x.detach(), zeros_of(x)), no_from = eq(from.detach(), zeros_of(from));
    Tensor xs = nonzero(to(x, DType::f64), no_x), froms = nonzero(to(from, DType::f64), no_from);
    Tensor all = scatter_reduce(xs, index, froms, a);
    Tensor self = a.include_self ? to(no_x, DType::i64) : zeros_of(counts);
    Tensor zeros = scatter_add(self, a.axis, index, to(no_from, DType::i64));
    auto others = [&](const Tensor& t, const Tensor& is_zero, const Tensor& product,
                      const Tensor& n) {
      Tensor other_zeros = n - to(is_zero, DType::i64);
      Tensor rest = product / t;
      return where(eq(other_zeros, zeros_of(n)), rest, zeros_of(rest));
    };
    Tensor gx = a.include_self ? g * others(xs, no_x, all, zeros) : where_kept(g);
    return {gx, {}, at(g) * others(froms, no_from, at(all), at(zeros))};
  }
};

Tensors reduce_back(const VjpArgs& a, bool once) {
  ReduceBack back(a);
  Tensors r;
  switch (back.a.reduce) {
    case ScatterFold::sum:
      r = back.linear();
      break;
    case ScatterFold::mean:
      r = back.mean();
      break;
    case ScatterFold::prod:
      r = once ? back.product_first() : back.product(a.out[1]);
      break;
    default:
      r = back.extremum();
  }
  if (a.wanted[2]) r[2] = filled_up(r[2], a.in_meta[2].shape);
  return r;
}
Tensors scatter_reduce_back(const VjpArgs& a) { return reduce_back(a, false); }
Tensors scatter_reduce_back_first(const VjpArgs& a) { return reduce_back(a, true); }

void scatter_reduce_samples(Samples& s) {
  using A = ScatterReduceAttrs;
  using enum ScatterFold;
  for (ScatterFold fold : {sum, prod, mean, amax, amin}) {
    for (bool self : {true, false}) {
      s.add({s.uniform({3, 4}), s.integers({3, 6}, 0, 4), s.uniform({3, 6})},
            box(A{self ? -1 : 1, fold, self}));
    }
    s.add({s.uniform({3, 4, 2}), s.integers({5, 2, 2}, 0, 3), s.uniform({5, 4, 2})},
          box(A{0, fold, true}));
  }
  s.add({s.uniform({}), s.integers({}, 0, 1), s.uniform({})}, box(A{0, prod, true}));
  s.add({s.uniform({3}), s.integers({0}, 0, 1), s.uniform({2})}, box(A{0, amax, false}));
  s.extreme({s.values({0, 2, 3}), s.indices({0, 0, 1, 1, 2}), s.values({2, 3, 0, 4, 5})},
            box(A{0, prod, true}));
  for (bool self : {true, false}) {
    s.add({s.values({2, 0, 3}), s.indices({0, 1, 0, 2, 0, 1}), s.values({0, 3, 2, 0, 0, 5})},
          box(A{0, prod, self}));
  }
  s.extreme({s.values({1, 2, 3}), s.indices({0, 0, 1, 1}), s.values({1, 1, 2, 3})},
            box(A{0, amax, true}));
  s.refuse(Code::index, {s.uniform({4}), s.indices({0, 4}), s.uniform({2})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({-1}), s.uniform({1})});
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({1}), s.uniform({1})});
  s.refuse(Code::dtype, {s.mask({4}), s.indices({1}), s.mask({1})});
  s.refuse(Code::dtype, {s.indices({4}), s.indices({0}), s.indices({1})}, box(A{0, mean, true}));
  s.refuse(Code::shape, {s.uniform({4}), s.indices({1, 2}), s.uniform({1})});
}

}  // namespace

extern constinit const OpDef scatter_reduce_def{
    .name = "scatter_reduce",
    .doc = "reduce src into a copy of x at index along an axis",
    .args = kWriteArgs,
    .outputs = kReduceOutputs,
    .attrs = &record_of<ScatterReduceAttrs>,
    .infer = scatter_reduce_infer,
    .kernels = on_every_device(scatter_reduce_kernel),
    .scratch = scatter_reduce_scratch,
    .vjp = scatter_reduce_back,
    .vjp_first = scatter_reduce_back_first,
    .saves_in = 7,
    .saves_out = 3,
    .samples = scatter_reduce_samples};
GYRE_FUNCTION_3(scatter_reduce, ScatterReduceAttrs)

}  // namespace gyre
