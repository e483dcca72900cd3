// sort and argsort.
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/order/rows.h"
#include "gyre/ops/order/sort_entries.h"

namespace gyre {
namespace {

constexpr const char* kSortOutputs[] = {"values", "indices"};

template <class T, class E>
struct SortRows {
  const SortPlan& p;
  const OrderRows& rows = p.rows;

  struct Line {
    const T* x;
    T* values;
    int64_t* indices;
  };
  Line line(int64_t row) const {
    OuterAxes<3> at(rows.lines, rows.lines.rank, row);
    auto* const* data = rows.lines.data;
    return {reinterpret_cast<const T*>(data[0]) + at.offset[0],
            p.with_values ? reinterpret_cast<T*>(data[1]) + at.offset[1] : nullptr,
            reinterpret_cast<int64_t*>(data[2]) + at.offset[2]};
  }
  void fill(const Line& l, E* entries, int64_t begin, int64_t end) const {
    for (int64_t i = begin; i < end; ++i) {
      auto key = key_of(l.x[i * rows.step[0]]);
      entries[i] = E(p.descending ? ~key : key, i);
    }
  }
  void write(const Line& l, const E* entries, int64_t begin, int64_t end) const {
    for (int64_t i = begin; i < end; ++i) {
      int64_t place = entries[i].place();
      l.indices[i * rows.step[2]] = place;
      if (p.with_values) l.values[i * rows.step[1]] = l.x[place * rows.step[0]];
    }
  }

  void side_by_side() const {
    int64_t n = rows.length;
    parallel_for(rows.lines.size(), kGrain / 4 / n, [&](int64_t begin, int64_t end) {
      E* room = reinterpret_cast<E*>(thread_scratch(2 * static_cast<size_t>(n) * sizeof(E)));
      for (int64_t row = begin; row < end; ++row) {
        Line l = line(row);
        fill(l, room, 0, n);
        sort_short(room, room + n, n);
        write(l, room, 0, n);
      }
    });
  }
  void one_by_one(E* room) const {
    int64_t n = rows.length;
    for (int64_t row = 0; row < rows.lines.size(); ++row) {
      Line l = line(row);
      parallel_for(n, kGrain, [&](int64_t i, int64_t end) { fill(l, room, i, end); });
      const E* sorted = sort_long(room, room + n, n);
      parallel_for(n, kGrain, [&](int64_t i, int64_t end) { write(l, sorted, i, end); });
    }
  }
  void run() const {
    if (2 * static_cast<size_t>(rows.length) * sizeof(E) <= kThreadRoom) {
      side_by_side();
    } else {
      one_by_one(reinterpret_cast<E*>(p.scratch));
    }
  }
};

template <class T>
void sort_as(const SortPlan& p) {
  if (is_wide<T>(p.rows.length)) {
    SortRows<T, Entry<uint64_t>>{p}.run();
  } else {
    SortRows<T, Entry<uint32_t>>{p}.run();
  }
}

Status run_sort(const SortPlan& p) noexcept {
  return run_or_report([&] { visit_dtype(p.dtype, [&](auto t) { sort_as<decltype(t)>(p); }); });
}

Status sort_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<SortAttrs>(args.attrs);
  const View &x = args.in[0], &indices = args.out.back();
  if (numel(x.shape) == 0) return {};
  bool with_values = args.out.size() == 2;
  const SortPlan plan{order_rows(x, with_values ? args.out[0] : View(), indices, a.axis), x.dtype,
                      a.descending, with_values, args.scratch};
  return launch<run_sort>(op, args, plan);
}

size_t sort_scratch(const void* attrs, Inputs in) {
  const Tensor& x = in[0];
  int64_t n = x.rank() ? x.size(attrs_as<SortAttrs>(attrs).axis) : 1;
  size_t bytes = 2 * static_cast<size_t>(n) * entry_bytes(x.dtype(), n);
  return bytes <= kThreadRoom ? 0 : bytes;
}

void sort_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  normalize_axis(attrs_as<SortAttrs>(attrs).axis, in[0].rank(), op.name);
  for (Meta& m : out) {
    m.shape = in[0].shape();
    m.dtype = DType::i64;
  }
  if (out.size() == 2) out[0].dtype = in[0].dtype();
}

// Gradients are scattered back to the original positions.
Tensors sort_back(const VjpArgs& a) {
  if (!a.grad[0].defined()) return Tensors(1);
  const Meta& m = a.in_meta[0];
  Tensor none = constant(m.shape, 0, {m.dtype, m.device});
  return {scatter_add(none, attrs_as<SortAttrs>(a.attrs).axis, a.out[1], a.grad[0])};
}

void sort_samples(Samples& s) {
  s.add({s.uniform({3, 5})});
  s.add({s.uniform({4, 3, 2})}, box(SortAttrs{0, true}));
  s.add({s.uniform({2, 40, 3})}, box(SortAttrs{1, false}));
  s.add({s.uniform({})});
  s.add({s.uniform({2, 0})});
  s.add({s.integers({30}, 0, 5)}, box(SortAttrs{0, true}));
  s.add({s.mask({3, 8})});
  s.extreme({s.values({2, __builtin_nan(""), -0.0, __builtin_inf(), 0, -__builtin_inf(), 2})});
  s.refuse(Code::index, {s.uniform({2, 3})}, box(SortAttrs{2, false}));
}

constexpr OpDef define_sort(const char* name, const char* doc, std::span<const Arg> args) {
  return {.name = name,
          .doc = doc,
          .args = args,
          .attrs = &record_of<SortAttrs>,
          .local = Locality::row,
          .infer = sort_infer,
          .kernels = on_every_device(sort_kernel),
          .scratch = sort_scratch,
          .samples = sort_samples};
}

}  // namespace

extern constinit const OpDef sort_def = [] {
  OpDef d = define_sort("sort", "sorted values along an axis and their indices", kOneArg);
  d.outputs = kSortOutputs;
  d.visible = 2;
  d.vjp = sort_back;
  d.saves_out = 1 << 1;
  return d;
}();
extern constinit const OpDef argsort_def = [] {
  OpDef d = define_sort("argsort", "indices that sort along an axis", kDiscreteArgs);
  d.is_discrete = true;
  return d;
}();

SortResult sort(const Tensor& x, const SortAttrs& attrs) {
  Tensors r = apply(sort_def, Inputs(&x, 1), box(attrs));
  return {r[0], r[1]};
}
GYRE_FUNCTION_1(argsort, SortAttrs)

}  // namespace gyre
