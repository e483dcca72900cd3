// searchsorted.
#include "gyre/kernel/outer_axes.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/literals.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elements.h"
#include "gyre/ops/order/plans.h"

namespace gyre {
namespace {

constexpr Arg kSearchArgs[] = {{.name = "sorted", .differentiable = false},
                               {.name = "values", .differentiable = false}};

void search_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  const Shape &sorted = in[0].shape(), &values = in[1].shape();
  bool fits = sorted.rank == 1 || (sorted.rank > 1 && sorted.rank == values.rank);
  for (int i = 0; fits && i + 1 < sorted.rank; ++i) fits = sorted[i] == values[i];
  if (!fits) {
    refuse(Code::shape, op,
           {"sorted ", sorted, " must be [n] or have the leading axes of values ", values}, values,
           sorted);
  }
  if (in[1].meta().weak && numel(values) == 1 &&
      promote_weak(in[0].dtype(), in[1].dtype()) == in[0].dtype()) {
    require_fit(in[1], in[0].dtype(), op.name);
  } else if (in[0].dtype() != in[1].dtype()) {
    refuse(
        Code::dtype, op,
        {"sorted and values must have the same dtype, got ", in[0].dtype(), " and ", in[1].dtype()},
        in[0].dtype(), in[1].dtype());
  }
  out[0].shape = values;
  out[0].dtype = DType::i64;
}

// Binary search: number of leading elements of a row for which f is true. Branch-free, since
// branches would be unpredictable.
int64_t count_while(const auto* row, int64_t stride, int64_t n, auto f) {
  int64_t low = 0;
  while (n > 0) {
    int64_t half = n / 2;
    bool before = f(value_of(row[(low + half) * stride]));
    low = before ? low + half + 1 : low;
    n = before ? n - half - 1 : half;
  }
  return low;
}

// Number of elements of a row below x, with `right` also equal ones; NaN is above all numbers.
template <class T, class V>
int64_t place_of(const T* row, int64_t stride, int64_t n, V x, bool right) {
  if (x != x) return right ? n : count_while(row, stride, n, [](V y) { return y == y; });
  if (right) return count_while(row, stride, n, [x](V y) { return y <= x; });
  return count_while(row, stride, n, [x](V y) { return y < x; });
}

template <class T>
void search(const SearchPlan& p) {
  alignas(8) std::byte wide[8], number[8];
  const bool casts = p.value_dtype != p.dtype;
  if (casts) {
    load_of(p.value_dtype, compute_of(p.dtype))(p.lines.data[1], wide, 1);
    store_of(compute_of(p.dtype), p.dtype)(wide, number, 1);
  }
  constexpr int64_t kPiece = kGrain / 16;  // a search is about that many elements' work
  int64_t pieces = (p.in_row + kPiece - 1) / kPiece;
  int64_t grain = p.in_row < kPiece ? kPiece / p.in_row : 1;
  parallel_for(outer_count(p.lines, p.lines.rank) * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      OuterAxes<3> at(p.lines, p.lines.rank, unit / pieces);
      auto* out = reinterpret_cast<int64_t*>(p.lines.data[0]) + at.offset[0];
      auto* values = casts ? reinterpret_cast<const T*>(number)
                           : reinterpret_cast<const T*>(p.lines.data[1]) + at.offset[1];
      auto* row = reinterpret_cast<const T*>(p.lines.data[2]) + at.offset[2];
      int64_t first = unit % pieces * kPiece;
      int64_t last = p.in_row - first < kPiece ? p.in_row : first + kPiece;
      for (int64_t i = first; i < last; ++i) {
        out[i * p.out_step] =
            place_of(row, p.sorted_step, p.length, value_of(values[i * p.value_step]), p.right);
      }
    }
  });
}

Status run_search(const SearchPlan& p) noexcept {
  visit_dtype(p.dtype, [&](auto t) { search<decltype(t)>(p); });
  return {};
}

Status search_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  View sorted = args.in[0], values = args.in[1], out = args.out[0];
  if (numel(out.shape) == 0) return {};
  int last = out.shape.rank - 1;
  int64_t in_row = last < 0 ? 1 : out.shape[last], length = sorted.shape.back();
  int64_t steps[] = {last < 0 ? 1 : out.strides[last], last < 0 ? 1 : values.strides[last],
                     sorted.strides.back()};
  if (last >= 0) out.shape[last] = values.shape[last] = 1;
  if (sorted.shape.rank == 1) {  // one row for all
    sorted.shape = out.shape;
    sorted.strides = Shape();
    for (int i = 0; i <= last; ++i) sorted.strides.push_back(0);
  } else {
    sorted.shape[last] = 1;
  }
  const View* views[] = {&out, &values, &sorted};
  const SearchPlan plan{StridedLoop(out.shape, views),
                        length,
                        in_row,
                        steps[0],
                        steps[1],
                        steps[2],
                        attrs_as<SearchAttrs>(args.attrs).right,
                        sorted.dtype,
                        values.dtype};
  return launch<run_search>(op, args, plan);
}

void search_samples(Samples& s) {
  Tensor sorted = s.values({-0.5, 0, 0.25, 0.25, 0.75});
  s.add({sorted, s.uniform({7})});
  s.add({sorted, s.values({0.25, -1, 1, 0, -0.0})}, box(SearchAttrs{true}));
  s.add({sorted, s.uniform({2, 3, 4})});
  s.add({sorted, s.uniform({})}, box(SearchAttrs{true}));
  s.add({s.integers({3, 1}, 0, 5), s.integers({3, 4}, 0, 5)});
  s.add({s.uniform({2, 3, 1}), s.uniform({2, 3, 9})}, box(SearchAttrs{true}));
  s.add({s.uniform({0}), s.uniform({3})});
  s.extreme({s.values({1, __builtin_inf(), __builtin_nan("")}),
             s.values({__builtin_nan(""), __builtin_inf(), -__builtin_inf()})});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({3, 3})});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({3})});
  s.refuse(Code::shape, {s.uniform({}), s.uniform({})});
  s.refuse(Code::dtype, {s.uniform({2}), s.integers({2}, 0, 1)});
}

}  // namespace

extern constinit const OpDef searchsorted_def{
    .name = "searchsorted",
    .doc = "indices at which values would be inserted into sorted rows",
    .args = kSearchArgs,
    .attrs = &record_of<SearchAttrs>,
    .infer = search_infer,
    .kernels = on_every_device(search_kernel),
    .samples = search_samples,
    .is_discrete = true};
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right) {
  return apply_one(searchsorted_def, {sorted, values}, box(SearchAttrs{right}));
}

}  // namespace gyre
