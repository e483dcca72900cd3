#include "gyre/ops/reduce/scan.h"

#include <type_traits>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elements.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/plans.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kRecurrenceArgs[] = {{"a"}, {"b"}};

// ---- kernels ----
// Every scan step is an affine map y -> A y + B, and so is a piece of a row. Pieces run in
// parallel: first A and B of each, then their initial values in order, then all elements.

template <class S>
struct Affine {
  S a, b;
};

struct Sum {
  static constexpr int kStart = 0;
  template <class S>
  static Affine<S> step(const S* x) {
    return {S(1), x[0]};
  }
  template <class S>
  static S past(Affine<S> piece, S y) {
    return y + piece.b;
  }
  template <class S>
  static S next(S y, const S* x) {
    return y + x[0];
  }
};
struct Product {
  static constexpr int kStart = 1;
  template <class S>
  static Affine<S> step(const S* x) {
    return {x[0], S(0)};
  }
  // b is 0, or NaN once a factor is not finite: the image of 0
  template <class S>
  static S past(Affine<S> piece, S y) {
    return y == S(0) ? piece.b : piece.a * y;
  }
  template <class S>
  static S next(S y, const S* x) {
    return y * x[0];
  }
};
struct Recurrence {
  static constexpr int kStart = 0;
  template <class S>
  static Affine<S> step(const S* x) {
    return {x[0], x[1]};
  }
  template <class S>
  static S past(Affine<S> piece, S y) {
    return y == S(0) ? piece.b : piece.a * y + piece.b;  // a may have overflowed where y is 0
  }
  template <class S>
  static S next(S y, const S* x) {
    return x[0] * y + x[1];
  }
};

template <class T, class S, class Rule, int N>
struct Scan {
  const T* in[N];
  T* out;
  ScanCut cut;
  bool reverse;

  int64_t place(int64_t k) const { return reverse ? cut.length - 1 - k : k; }
  void read(int64_t at, S (&x)[N]) const {
    for (int i = 0; i < N; ++i) x[i] = static_cast<S>(value_of(in[i][at]));
  }

  // Elements [from, to) of a contiguous row, in the direction of the scan.
  void run(int64_t row, int64_t from, int64_t to, S y) const {
    S x[N];
    for (int64_t k = from; k < to; ++k) {
      int64_t at = row * cut.length + place(k);
      read(at, x);
      y = Rule::next(y, x);
      out[at] = stored<T>(y);
    }
  }
  Affine<S> total(int64_t row, int64_t from, int64_t to) const {
    Affine<S> all{S(1), S(0)};
    S x[N];
    for (int64_t k = from; k < to; ++k) {
      read(row * cut.length + place(k), x);
      Affine<S> one = Rule::step(x);
      all = {one.a * all.a, Rule::next(all.b, x)};
    }
    return all;
  }

  void rows() const {
    int64_t grain = kGrain / cut.length;
    parallel_for(cut.outer, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) run(row, 0, cut.length, S(Rule::kStart));
    });
  }

  void long_rows(Affine<S>* totals) const {
    int64_t pieces = cut.pieces(), last = pieces - 1;
    auto each = [&](auto f) {
      parallel_for(cut.outer * pieces, 1, [&](int64_t unit, int64_t) {
        int64_t p = unit % pieces, from = p * kGrain;
        f(unit, unit / pieces, from, p == last ? cut.length : from + kGrain);
      });
    };
    each([&](int64_t unit, int64_t row, int64_t from, int64_t to) {
      if (unit % pieces != last) totals[unit] = total(row, from, to);
    });
    for (int64_t row = 0; row < cut.outer; ++row) {
      S y = S(Rule::kStart);
      for (int64_t p = 0; p < pieces; ++p) {
        Affine<S>& t = totals[row * pieces + p];
        S start = y;
        if (p != last) y = Rule::past(t, y);
        t.b = start;
      }
    }
    each([&](int64_t unit, int64_t row, int64_t from, int64_t to) {
      run(row, from, to, totals[unit].b);
    });
  }

  void columns() const {
    int64_t blocks = (cut.inner + kTile - 1) / kTile;
    int64_t block = cut.inner < kTile ? cut.inner : kTile;
    int64_t grain = kGrain / (cut.length * block);
    parallel_for(cut.outer * blocks, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        int64_t first = unit % blocks * kTile;
        int64_t n = cut.inner - first < kTile ? cut.inner - first : kTile;
        S y[kTile], x[N];
        for (int64_t c = 0; c < n; ++c) y[c] = S(Rule::kStart);
        for (int64_t k = 0; k < cut.length; ++k) {
          int64_t at = (unit / blocks * cut.length + place(k)) * cut.inner + first;
          for (int64_t c = 0; c < n; ++c) {
            read(at + c, x);
            y[c] = Rule::next(y[c], x);
            out[at + c] = stored<T>(y[c]);
          }
        }
      }
    });
  }

  void all(std::byte* scratch) const {
    if (cut.inner > 1) {
      columns();
    } else if (cut.pieces() > 1) {
      long_rows(reinterpret_cast<Affine<S>*>(scratch));
    } else {
      rows();
    }
  }
};

int axis_of(const ScanAttrs& a, int rank) {
  return static_cast<int>(a.axis < 0 && rank ? a.axis + rank : a.axis);
}

size_t totals_bytes(const ScanAttrs& a, const Shape& shape) {
  ScanCut cut(shape, axis_of(a, shape.rank));
  int64_t pieces = cut.pieces();
  return pieces > 1 ? static_cast<size_t>(cut.outer * pieces) * sizeof(Affine<double>) : 0;
}

template <class T, class S, class Rule>
void scan_as(const ScanPlan& p) {
  auto *first = reinterpret_cast<const T*>(p.in[0]), *second = reinterpret_cast<const T*>(p.in[1]);
  auto* out = reinterpret_cast<T*>(p.out);
  if constexpr (std::is_same_v<Rule, Recurrence>) {
    Scan<T, S, Rule, 2>{{first, second}, out, p.cut, p.reverse}.all(p.scratch);
  } else {
    Scan<T, S, Rule, 1>{{first}, out, p.cut, p.reverse}.all(p.scratch);
  }
}

template <class Rule>
Status run_scan(const ScanPlan& p) noexcept {
  if (is_floating(p.dtype)) {
    visit_floating(p.dtype, [&](auto t) { scan_as<decltype(t), double, Rule>(p); });
  } else {  // infer gives i64 or u64, which wrap alike
    scan_as<int64_t, uint64_t, Rule>(p);
  }
  return {};
}

template <class Rule>
Status scan_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const auto& a = attrs_as<ScanAttrs>(args.attrs);
  ScanPlan plan{
      {},       out.data, args.scratch, out.dtype, ScanCut(out.shape, axis_of(a, out.shape.rank)),
      a.reverse};
  // a copy of the last operand takes the place of the result
  std::byte *result = out.data, *scratch = args.scratch + totals_bytes(a, out.shape);
  for (size_t i = 0; i < args.in.size(); ++i) {
    View x = args.in[i];
    Status s = make_dense(x, out.dtype, i + 1 == args.in.size() ? result : scratch);
    if (s.failed) return s;
    plan.in[i] = x.data;
  }
  return launch<run_scan<Rule>>(op, args, plan);
}

// ---- definitions ----

void scan_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  normalize_axis(attrs_as<ScanAttrs>(attrs).axis, in[0].rank(), op.name);
  out[0].shape = in[0].shape();
  out[0].dtype = sum_dtype(in[0].dtype());
}

size_t scan_scratch(const void* attrs, Inputs in) {
  return totals_bytes(attrs_as<ScanAttrs>(attrs), in[0].shape());
}

ScanAttrs other_way(const ScanAttrs& a) { return {a.axis, !a.reverse}; }

Tensors cumsum_vjp(const VjpArgs& a) {
  return {cumsum(a.grad[0], other_way(attrs_as<ScanAttrs>(a.attrs)))};
}

// y_j holds x_k times what came before k and what comes between k and j. The sum over j of the
// latter times the gradients is a recurrence, s_k = g_k + x_(k+1) s_(k+1).
Tensors cumprod_vjp(const VjpArgs& a) {
  const auto& s = attrs_as<ScanAttrs>(a.attrs);
  int by = s.reverse ? -1 : 1;
  Tensor after = linear_recurrence(shifted(a.in[0], s.axis, -by, 0), a.grad[0], other_way(s));
  return {shifted(a.out[0], s.axis, by, 1) * after};
}

void recurrence_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Shape &a = in[0].shape(), &b = in[1].shape();
  if (!(a == b)) {
    refuse(Code::shape, op, {"a and b must have the same shape, got ", a, " and ", b}, a, b);
  }
  normalize_axis(attrs_as<ScanAttrs>(attrs).axis, a.rank, op.name);
  out[0].shape = a;
  out[0].dtype = promote(in[0].dtype(), in[1].dtype());
  if (!is_floating(out[0].dtype)) out[0].dtype = DType::f32;
}

// The widest element for the copy of a that another layout or dtype needs.
size_t recurrence_scratch(const void* attrs, Inputs in) {
  return totals_bytes(attrs_as<ScanAttrs>(attrs), in[0].shape()) +
         static_cast<size_t>(in[0].numel()) * sizeof(double);
}

// The gradient of y_k is g_k plus a_(k+1) times the gradient of y_(k+1).
Tensors recurrence_vjp(const VjpArgs& v) {
  const auto& s = attrs_as<ScanAttrs>(v.attrs);
  int by = s.reverse ? -1 : 1;
  Tensor gb = linear_recurrence(shifted(v.in[0], s.axis, -by, 0), v.grad[0], other_way(s));
  return {v.wanted[0] ? gb * shifted(v.out[0], s.axis, by, 0) : Tensor(), gb};
}

void scan_samples(Samples& s) {
  s.add({s.uniform({3, 5})});
  s.add({s.uniform({4, 3, 2})}, box(ScanAttrs{0, false}));
  s.add({s.uniform({2, 3, 4})}, box(ScanAttrs{1, true}));
  s.add({s.uniform({9})}, box(ScanAttrs{-1, true}));
  s.add({s.uniform({})}, box(ScanAttrs{0, false}));
  s.add({s.uniform({2, 0})}, box(ScanAttrs{1, false}));
  s.add({s.values({2, 0, -3, 0, 5})});
  s.refuse(Code::index, {s.uniform({2, 3})}, box(ScanAttrs{2, false}));
}

void recurrence_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({3, 5})});
  s.add({s.uniform({4, 3, 2}), s.uniform({4, 3, 2})}, box(ScanAttrs{0, false}));
  s.add({s.uniform({2, 3, 4}), s.uniform({2, 3, 4})}, box(ScanAttrs{1, true}));
  s.add({s.uniform({}), s.uniform({})});
  s.add({s.uniform({2, 0}), s.uniform({2, 0})});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({3})});
  s.refuse(Code::index, {s.uniform({2}), s.uniform({2})}, box(ScanAttrs{1, false}));
}

constexpr OpDef define_scan(const char* name, const char* doc, Kernel kernel, Vjp vjp) {
  return {.name = name,
          .doc = doc,
          .attrs = &record_of<ScanAttrs>,
          .local = Locality::row,
          .infer = scan_infer,
          .kernels = on_every_device(kernel),
          .scratch = scan_scratch,
          .vjp = vjp,
          .samples = scan_samples};
}

}  // namespace

extern constinit const OpDef cumsum_def =
    define_scan("cumsum", "cumulative sum along an axis", scan_kernel<Sum>, cumsum_vjp);
extern constinit const OpDef cumprod_def = [] {
  OpDef d =
      define_scan("cumprod", "cumulative product along an axis", scan_kernel<Product>, cumprod_vjp);
  d.saves_in = d.saves_out = 1;
  return d;
}();
extern constinit const OpDef linear_recurrence_def{
    .name = "linear_recurrence",
    .doc = "first-order linear recurrence along an axis: y_k = a_k y_(k-1) + b_k, y_(-1) = 0",
    .args = kRecurrenceArgs,
    .attrs = &record_of<ScanAttrs>,
    .local = Locality::row,
    .infer = recurrence_infer,
    .kernels = on_every_device(scan_kernel<Recurrence>),
    .scratch = recurrence_scratch,
    .vjp = recurrence_vjp,
    .saves_in = 1,
    .saves_out = 1,
    .samples = recurrence_samples};

GYRE_FUNCTION_1(cumsum, ScanAttrs)
GYRE_FUNCTION_1(cumprod, ScanAttrs)
GYRE_FUNCTION_2(linear_recurrence, ScanAttrs)

Tensor shifted(const Tensor& x, int64_t axis, int by, double fill) {
  if (x.rank() == 0) return reshape(shifted(reshape(x, {1}), 0, by, fill), {});
  int k = normalize_axis(axis, x.rank(), "shifted");
  int64_t n = x.shape()[k];
  if (n == 0) return x;
  Tensor part = by > 0 ? slice(x, {k, 0, n - 1, 1}) : slice(x, {k, 1, n, 1});
  if (fill == 0) return slice_embed(part, {k, by > 0 ? 1 : 0, 1, n});
  Shape edge = x.shape();
  edge[k] = 1;
  Tensor filled = constant(edge, fill, {x.dtype(), x.device()});
  return by > 0 ? cat({filled, part}, k) : cat({part, filled}, k);
}

}  // namespace gyre
