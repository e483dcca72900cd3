// topk.
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/order/rows.h"
#include "gyre/ops/order/sort_entries.h"

namespace gyre {

extern const OpDef topk_def;

namespace {

constexpr const char* kTopkOutputs[] = {"values", "indices"};

// True if sorting the whole row is faster.
bool sorts_all(int64_t k, int64_t n) { return n >= kLeastCounted && k > n / 16; }

// Candidates buffered before all but the best k are dropped: many, so that dropping, which is
// linear in them, is rare.
int64_t candidates(int64_t k, int64_t n) {
  int64_t most = k < 256 ? 1024 : k < n / 4 ? 4 * k : n;
  return most < n ? most : n;
}

int64_t room_entries(int64_t k, int64_t n) { return sorts_all(k, n) ? 2 * n : candidates(k, n); }

// The k best entries of a row of n, unordered at the front of `room`.
template <class E, class Read>
void choose(E* room, int64_t k, int64_t n, Read read) {
  int64_t most = candidates(k, n), kept = 0;
  bool full = false;
  E worst;
  for (int64_t i = 0; i < n; ++i) {
    E e = read(i);
    if (full && !(e < worst)) continue;
    if (kept == most) {
      std::nth_element(room, room + k - 1, room + kept);
      worst = room[k - 1];
      kept = k;
      full = true;
      if (!(e < worst)) continue;
    }
    room[kept++] = e;
  }
  if (kept > k) std::nth_element(room, room + k - 1, room + kept);
}

// The same, sorted with the best first.
void choose_in_order(auto* room, int64_t k, int64_t n, auto read) {
  if (sorts_all(k, n)) {
    for (int64_t i = 0; i < n; ++i) room[i] = read(i);
    sort_by_digits(room, room + n, n);
  } else {
    choose(room, k, n, read);
    std::sort(room, room + k);
  }
}

template <class T, class E>
void topk_rows(const TopkPlan& p) {
  const OrderRows& rows = p.rows;
  const TopkAttrs& a = p.attrs;
  auto one = [&](int64_t row, E* room) {
    OuterAxes<3> at(rows.lines, rows.lines.rank, row);
    auto* x = reinterpret_cast<const T*>(rows.lines.data[0]) + at.offset[0];
    auto* values = reinterpret_cast<T*>(rows.lines.data[1]) + at.offset[1];
    auto* indices = reinterpret_cast<int64_t*>(rows.lines.data[2]) + at.offset[2];
    choose_in_order(room, a.k, rows.length, [&](int64_t i) {
      auto key = key_of(x[i * rows.step[0]]);
      return E(a.largest ? ~key : key, i);
    });
    if (!a.sorted) {
      std::sort(room, room + a.k, [](const E& x, const E& y) { return x.place() < y.place(); });
    }
    for (int64_t i = 0; i < a.k; ++i) {
      indices[i * rows.step[2]] = room[i].place();
      values[i * rows.step[1]] = x[room[i].place() * rows.step[0]];
    }
  };
  size_t bytes = static_cast<size_t>(room_entries(a.k, rows.length)) * sizeof(E);
  if (bytes > kThreadRoom) {
    for (int64_t row = 0; row < rows.lines.size(); ++row) one(row, reinterpret_cast<E*>(p.scratch));
    return;
  }
  parallel_for(rows.lines.size(), kGrain / 2 / rows.length, [&](int64_t begin, int64_t end) {
    E* room = reinterpret_cast<E*>(thread_scratch(bytes));
    for (int64_t row = begin; row < end; ++row) one(row, room);
  });
}

template <class T>
void topk_as(const TopkPlan& p) {
  if (is_wide<T>(p.rows.length)) {
    topk_rows<T, Entry<uint64_t>>(p);
  } else {
    topk_rows<T, Entry<uint32_t>>(p);
  }
}

Status run_topk(const TopkPlan& p) noexcept {
  return run_or_report([&] { visit_dtype(p.dtype, [&](auto t) { topk_as<decltype(t)>(p); }); });
}

Status topk_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<TopkAttrs>(args.attrs);
  const View &x = args.in[0], &values = args.out[0];
  if (numel(values.shape) == 0) return {};
  const TopkPlan plan{order_rows(x, values, args.out[1], a.axis), a, x.dtype, args.scratch};
  return launch<run_topk>(op, args, plan);
}

int64_t line_length(const TopkAttrs& a, const Shape& shape, const char* op) {
  int axis = normalize_axis(a.axis, shape.rank, op);
  return shape.rank ? shape[axis] : 1;
}

size_t topk_scratch(const void* attrs, Inputs in) {
  const auto& a = attrs_as<TopkAttrs>(attrs);
  int64_t n = line_length(a, in[0].shape(), topk_def.name);
  size_t bytes = static_cast<size_t>(room_entries(a.k, n)) * entry_bytes(in[0].dtype(), n);
  return bytes <= kThreadRoom ? 0 : bytes;
}

void topk_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<TopkAttrs>(attrs);
  const Shape& shape = in[0].shape();
  int64_t n = line_length(a, shape, op.name);
  if (a.k < 0 || a.k > n) {
    throw mismatch(Code::value, op.name, {"k must be from 0 to the size of the axis, ", n},
                   {"0..", n}, a.k);
  }
  for (Meta& m : out) {
    m.shape = shape;
    if (shape.rank) m.shape[normalize_axis(a.axis, shape.rank, op.name)] = a.k;
    if (shape.rank == 0 && a.k == 0) m.shape = Shape{0};
  }
  out[0].dtype = in[0].dtype();
  out[1].dtype = DType::i64;
}

Tensors topk_back(const VjpArgs& a) {
  const Meta& m = a.in_meta[0];
  if (!a.grad[0].defined() || a.grad[0].numel() == 0) return Tensors(1);
  Tensor none = constant(m.shape, 0, {m.dtype, m.device});
  return {scatter_add(none, attrs_as<TopkAttrs>(a.attrs).axis, a.out[1], a.grad[0])};
}

void topk_samples(Samples& s) {
  s.add({s.uniform({3, 5})}, box(TopkAttrs{2, -1, true, true}));
  s.add({s.uniform({4, 3, 2})}, box(TopkAttrs{3, 0, false, true}));
  s.add({s.uniform({2, 40})}, box(TopkAttrs{7, 1, true, false}));
  s.add({s.uniform({})});
  s.add({s.uniform({2, 3})}, box(TopkAttrs{0, 1, true, true}));
  s.add({s.integers({30}, 0, 5)}, box(TopkAttrs{9, 0, true, true}));
  s.extreme({s.values({2, __builtin_nan(""), 5, __builtin_inf()})}, box(TopkAttrs{2, 0}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(TopkAttrs{4, 1}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(TopkAttrs{-1, 1}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(TopkAttrs{1, 2}));
}

}  // namespace

extern constinit const OpDef topk_def{
    .name = "topk",
    .doc = "the k largest or smallest elements along an axis and their indices",
    .outputs = kTopkOutputs,
    .visible = 2,
    .attrs = &record_of<TopkAttrs>,
    .local = Locality::row,
    .infer = topk_infer,
    .kernels = on_every_device(topk_kernel),
    .scratch = topk_scratch,
    .vjp = topk_back,
    .saves_out = 1 << 1,
    .samples = topk_samples};
SortResult topk(const Tensor& x, const TopkAttrs& attrs) {
  Tensors r = apply(topk_def, Inputs(&x, 1), box(attrs));
  return {r[0], r[1]};
}

}  // namespace gyre
