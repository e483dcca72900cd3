#include "gyre/autograd/vmap.h"

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/op/batching.h"
#include "gyre/op/kind_handler.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/batched.h"

namespace gyre {
namespace {

constinit std::atomic<uint64_t> last_level{0};
constinit std::atomic<int64_t> sliced{0};

struct Running;
constinit thread_local const Running* innermost = nullptr;

// A vmap in progress on this thread.
struct Running {
  explicit Running(int64_t size) : size(size) { innermost = this; }
  ~Running() { innermost = outer; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  const uint64_t level = last_level.fetch_add(1);
  const int64_t size;
  const Running* const outer = innermost;
};

Tensor repeated(const Tensor& x, int64_t size) { return expand(x, concat({size}, x.shape())); }

// Results of a batch without slices.
Tensors empty_results(const BatchedCall& call) {
  Tensors whole;
  for (Meta meta : call.out) {
    meta.shape = concat({0}, meta.shape);
    whole.push_back(empty(meta));
  }
  return whole;
}

Tensors slice_by_slice(const BatchedCall& call) {
  sliced.fetch_add(1, std::memory_order_relaxed);
  if (call.size == 0) return empty_results(call);
  SmallVector<Tensors, 2> slices;
  for (int64_t n = 0; n < call.size; ++n) {
    Tensors in;
    for (size_t i = 0; i < call.in.size(); ++i) {
      in.push_back(call.batched[i] ? select(call.in[i], {0, n}) : call.in[i]);
    }
    Tensors out = apply_keeping(call.op, in, call.attrs);
    if (slices.size() < out.size()) slices.resize(out.size());
    for (size_t k = 0; k < out.size(); ++k) slices[k].push_back(std::move(out[k]));
  }
  Tensors whole;
  for (const Tensors& results : slices) whole.push_back(stack(results, 0));
  return whole;
}

// The whole batch behind a result of a function of slices, or the result for each of them.
Tensor whole_of(const Tensor& t, uint64_t level, int64_t size) {
  if (!is_batched(t)) require_plain(t, "vmap");  // it may hold slices
  bool own = is_batched(t) && batched_storage(t).level == level;
  return own ? batched_storage(t).physical : repeated(t, size);
}

// A composition by its parts, which infer the results even without slices.
Tensors part_by_part(const BatchedCall& call, Inputs slices, uint64_t level) {
  Tensors whole;
  for (const Tensor& t :
       call.op.compose(call.op, call.attrs ? call.attrs->value : nullptr, slices)) {
    whole.push_back(whole_of(t, level, call.size));
  }
  return whole;
}

// Runs the call on the innermost batch of its operands.
Tensors call_on_whole(const KindCall& slices, std::span<const Meta> out) {
  const OpDef& op = slices.op;
  const BatchedStorage* batch = nullptr;
  for (const Tensor& t : slices.in) {
    if (!is_batched(t)) continue;
    if (!batch || batched_storage(t).level > batch->level) batch = &batched_storage(t);
  }
  Tensors in;
  SmallVector<bool, 8> batched;
  for (const Tensor& t : slices.in) {
    batched.push_back(is_batched(t) && batched_storage(t).level == batch->level);
    in.push_back(batched.back() ? batched_storage(t).physical : t);
  }
  BatchedCall call{op, slices.attrs, in, {batched.data(), batched.size()}, batch->physical.size(0),
                   out};
  Tensors whole;
  if (op.batch) whole = op.batch(call);
  if (whole.empty()) {
    bool told = call.size > 0 || !out.empty();
    whole = told ? slice_by_slice(call) : part_by_part(call, slices.in, batch->level);
  }
  Tensors results;
  for (Tensor& t : whole) results.push_back(make_batched(std::move(t), batch->level));
  return results;
}

// Recorded as a call on one slice, and run on the whole batch.
Tensors call_batched(const KindCall& call) {
  return run_as_recorded(call, [&](std::span<const Meta> out) { return call_on_whole(call, out); });
}

int64_t axis_at(const SmallVector<int64_t, 4>& axes, size_t i, size_t count, const char* what) {
  if (axes.size() > 1 && axes.size() != count) {
    throw mismatch(Code::value, "vmap", {"expected ", count, " axes for the ", what}, count,
                   axes.size());
  }
  return axes.empty() ? 0 : axes[axes.size() == 1 ? 0 : i];
}

Tensor moved(const Tensor& x, int from, int to) {
  Shape axes;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != from) axes.push_back(i);
  }
  Shape order;
  for (int i = 0, k = 0; i < x.rank(); ++i) order.push_back(i == to ? from : axes[k++]);
  return from == to ? x : permute(x, order);
}

// The inputs with the batch as axis 0, and which of them are batched.
struct Batch {
  Tensors in;
  SmallVector<bool, 8> batched;
  int64_t size = -1;

  Batch(Inputs given, const VmapAxes& axes) {
    for (size_t i = 0; i < given.size(); ++i) {
      int64_t axis = axis_at(axes.in, i, given.size(), "inputs");
      batched.push_back(axis != kSameForAll && given[i].defined());
      in.push_back(batched.back()
                       ? moved(given[i], normalize_axis(axis, given[i].rank(), "vmap"), 0)
                       : given[i]);
      if (batched.back()) add_size(in.back());
    }
    if (size < 0) throw Error(Code::value, "vmap", "expected an input with a batch axis");
  }

 private:
  void add_size(const Tensor& x) {
    if (x.rank() == 0) throw Error(Code::index, "vmap", "expected a batch axis, got a 0-d tensor");
    int64_t n = x.size(0);
    if (size >= 0 && n != size) {
      throw Error(Code::shape, "vmap", {"inputs have different batch sizes: ", size, " and ", n},
                  size, n);
    }
    size = n;
  }
};

}  // namespace

Tensors vmap(TensorsFunction f, Inputs given, const VmapAxes& axes) {
  set_kind_handler(TensorKind::batched, call_batched);
  Batch batch(given, axes);
  Tensors out, whole;
  Running running(batch.size);
  Tensors slices;
  for (size_t i = 0; i < batch.in.size(); ++i) {
    slices.push_back(batch.batched[i] ? make_batched(batch.in[i], running.level) : batch.in[i]);
  }
  out = f(slices);
  for (size_t k = 0; k < out.size(); ++k) {
    const Tensor& t = out[k];
    if (!t.defined()) throw Error(Code::value, "vmap", "the function returned an empty tensor");
    Tensor y = whole_of(t, running.level, batch.size);
    int64_t axis = axis_at(axes.out, k, out.size(), "outputs");
    whole.push_back(moved(y, 0, normalize_axis(axis, y.rank(), "vmap")));
  }
  return whole;
}

int64_t sliced_calls() noexcept { return sliced.load(std::memory_order_relaxed); }

Tensor in_running_batch(const Tensor& x) {
  if (!innermost || (is_batched(x) && batched_storage(x).level == innermost->level)) return x;
  return make_batched(repeated(x, innermost->size), innermost->level);
}

}  // namespace gyre
