#include "gyre/kernel/pointwise.h"

#include <algorithm>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/pointwise_plan.h"
#include "gyre/op/apply.h"
#include "gyre/op/literals.h"

namespace gyre {
namespace {

bool mask_first(const OpDef& op) {
  return op.family.pointwise_spec.kind == PointwiseSpec::selection;
}

// Operand k is a contiguous array of T.
template <class T>
T* array_of(const StridedLoop& loop, int k, Compute compute) {
  bool plain = loop.rank == 1 && loop.strides[k][0] == 1 && loop.dtype[k] == dtype_of(compute);
  return plain ? reinterpret_cast<T*>(loop.data[k]) : nullptr;
}

template <class T>
void run_range(const StridedLoop& loop, int inputs, Tile<T> tile, Compute compute, bool stream,
               int64_t begin, int64_t end) {
  alignas(64) T buffers[kMaxOperands][kTile];
  SmallVector<Reader, 6> readers;
  SmallVector<Writer, 4> writers;
  bool by_rows = false;
  for (int k = 0; k < inputs; ++k) {
    readers.emplace_back(loop, k, compute);
    by_rows |= readers.back().likes_rows();
  }
  for (int k = inputs; k < loop.operands; ++k) writers.emplace_back(loop, k, compute);
  int64_t row = loop.dims[loop.rank - 1];
  for (int64_t i = begin; i < end;) {
    int64_t n = end - i < kTile ? end - i : kTile;
    if (by_rows && row - i % row < n) n = row - i % row;
    const T* in[kMaxOperands];
    T* out[kMaxOperands];
    for (int k = 0; k < inputs; ++k) {
      in[k] = static_cast<const T*>(readers[static_cast<size_t>(k)].read(i, n, buffers[k]));
    }
    for (int k = inputs; k < loop.operands; ++k) {
      auto& writer = writers[static_cast<size_t>(k - inputs)];
      out[k - inputs] = !loop.data[k] ? nullptr : static_cast<T*>(writer.target(i, buffers[k]));
    }
    tile(in, out, n, stream);
    for (int k = inputs; k < loop.operands; ++k) {
      if (loop.data[k]) writers[static_cast<size_t>(k - inputs)].commit(i, n, buffers[k]);
    }
    i += n;
  }
}

// All operands are contiguous: no buffers needed.
template <class T>
bool run_arrays(const StridedLoop& loop, int inputs, Tile<T> tile, Compute compute, bool stream,
                int64_t begin, int64_t end) {
  const T* in[kMaxOperands];
  T* out[kMaxOperands];
  for (int k = 0; k < loop.operands; ++k) {
    T* array = array_of<T>(loop, k, compute);
    if (!array && (k < inputs || loop.data[k])) return false;
    if (k < inputs) {
      in[k] = array + begin;
    } else {
      out[k - inputs] = array ? array + begin : nullptr;
    }
  }
  tile(in, out, end - begin, stream);
  return true;
}

bool can_stream(const StridedLoop& loop, int inputs, Compute compute) {
  int64_t bytes = loop.size() * static_cast<int64_t>(size_of(compute));
  if (bytes < kStreamBytes) return false;
  for (int k = inputs; k < loop.operands; ++k) {
    if (!loop.data[k]) continue;
    if (!Writer(loop, k, compute).in_place()) return false;
    if (reinterpret_cast<uintptr_t>(loop.data[k]) % 64) return false;
    for (int j = 0; j < inputs; ++j) {
      if (loop.data[j] == loop.data[k]) return false;
    }
  }
  // tiles must stay on 64-byte boundaries: rows read in place would cut them
  for (int k = 0; k < inputs; ++k) {
    if (Reader(loop, k, compute).likes_rows() && loop.dims[loop.rank - 1] % kTile) return false;
  }
  return true;
}

// Results in place and in one chunk: the fast path of small tensors. Other operands are gathered if
// one tile holds them.
template <class T>
bool run_directly(const StridedLoop& loop, int inputs, Tile<T> tile, Compute compute) {
  int64_t n = loop.size();
  if (n > kGrain) return false;
  alignas(64) T buffers[kMaxOperands][kTile];
  const T* in[kMaxOperands];
  T* out[kMaxOperands];
  for (int k = 0; k < loop.operands; ++k) {
    const T* array = array_of<T>(loop, k, compute);
    if (k < inputs) {
      if (!array && n > kTile) return false;
      in[k] =
          array ? array : static_cast<const T*>(Reader(loop, k, compute).read(0, n, buffers[k]));
    } else {
      if (loop.data[k] && !array && !Writer(loop, k, compute).in_place()) return false;
      out[k - inputs] = reinterpret_cast<T*>(loop.data[k]);
    }
  }
  tile(in, out, n, false);
  return true;
}

template <class T>
void run_with_numbers(const PointwisePlan& p, Tile<T> tile, T* const* out) {
  alignas(64) T filled[kMaxOperands][kTile];
  const T* in[kMaxOperands];
  for (int k = 0; k < p.inputs; ++k) {
    in[k] = reinterpret_cast<const T*>(p.data[k]);
    if (!(p.numbers >> k & 1)) continue;
    load_of(p.dtype[k], p.compute)(p.data[k], filled[k], 1);
    std::fill_n(filled[k] + 1, p.alike - 1, filled[k][0]);
    in[k] = filled[k];
  }
  tile(in, out, p.alike, false);
}

template <class T>
Status run_tile(const PointwisePlan& p, Tile<T> tile) {
  if (p.alike == 0) return {};
  if (p.alike > 0) {
    T* const* out = reinterpret_cast<T* const*>(p.data) + p.inputs;
    if (p.numbers) {
      run_with_numbers(p, tile, out);
    } else {
      tile(reinterpret_cast<const T* const*>(p.data), out, p.alike, false);
    }
    return {};
  }
  const StridedLoop& loop = p.loop;
  if (loop.size() == 0) return {};
  if (run_directly(loop, p.inputs, tile, p.compute)) return {};
  bool stream = can_stream(loop, p.inputs, p.compute);
  parallel_for(loop.size(), kGrain, [&](int64_t begin, int64_t end) {
    if (!run_arrays(loop, p.inputs, tile, p.compute, stream, begin, end)) {
      run_range(loop, p.inputs, tile, p.compute, stream, begin, end);
    }
    if (stream) convert_tiles().fence();
  });
  return {};
}

const Meta& typed(const Tensor& t) { return t.impl()->meta; }
const View& typed(const View& v) { return v; }

// The compute dtype for these tensors or views, before PointwiseSpec's kind is applied.
template <class T>
DType promoted(const OpDef& op, std::span<const T> in) {
  Promotion p;
  for (size_t i = mask_first(op) ? 1 : 0; i < in.size(); ++i) {
    p.meet(typed(in[i]).dtype, typed(in[i]).weak);
  }
  return p.result();
}

}  // namespace

void PointwisePlan::loop_over(const Shape& space, const KernelArgs& args) {
  const View* views[kMaxOperands];
  size_t count = 0;
  for (const View& v : args.in) views[count++] = &v;
  for (const View& v : args.out) views[count++] = &v;
  new (&loop) StridedLoop(space, {views, count});
}

Status run_pointwise(const PointwisePlan& p) noexcept {
  const PointwiseTiles& t = *p.op->family.pointwise[isa()];
  const bool gradient = p.pass == Pass::gradient;
  switch (p.compute) {
    case Compute::f32:
      return run_tile(p, gradient ? t.f32.grad : t.f32.forward);
    case Compute::f64:
      return run_tile(p, gradient ? t.f64.grad : t.f64.forward);
    case Compute::i32:
      return run_tile(p, t.i32);
    case Compute::u64:
      if (t.u64) return run_tile(p, t.u64);
      [[fallthrough]];  // the same bits
    case Compute::i64:
      break;
  }
  return run_tile(p, t.i64);
}

// Whether no operand is cast.
static bool all_of_dtype(Inputs in, DType dtype) {
  for (const Tensor& x : in) {
    if (x.impl()->meta.dtype != dtype || x.impl()->meta.weak) return false;
  }
  return true;
}

void pointwise_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  Meta& m = out[0];
  m.shape = in[0].shape();
  for (size_t i = 1; i < in.size(); ++i) {
    if (!(in[i].shape() == m.shape)) m.shape = broadcast(m.shape, in[i].shape(), op.name);
  }
  m.weak = true;
  for (size_t i = mask_first(op) ? 1 : 0; i < in.size(); ++i) m.weak &= in[i].meta().weak;
  if (mask_first(op) && in[0].dtype() != DType::boolean) {
    throw mismatch(Code::dtype, op.name, "condition must be boolean", "boolean", in[0].dtype());
  }
  DType d = in[0].dtype();
  if (!all_of_dtype(in, d)) {
    d = promoted(op, in);
    for (const Tensor& x : in) require_fit(x, d, op.name);
  }
  switch (op.family.pointwise_spec.kind) {
    case PointwiseSpec::floating:
      d = is_floating(d) ? d : DType::f32;
      break;
    case PointwiseSpec::comparison:
      d = DType::boolean;
      break;
    case PointwiseSpec::bits:
      if (is_floating(d)) throw mismatch(Code::dtype, op.name, "expected integers", "integers", d);
      break;
    case PointwiseSpec::arithmetic:
    case PointwiseSpec::selection:
      break;
  }
  m.dtype = d;
}

Status pointwise_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  Compute compute = compute_of(args.out[0].dtype);
  if (op.family.pointwise_spec.kind == PointwiseSpec::comparison) {
    compute = compute_of(promoted(op, args.in));
  }
  const PointwisePlan plan(op, Pass::forward, compute, args.out[0].shape, args);
  return launch<run_pointwise>(op, args, plan);
}

namespace {

// The cotangent and the inputs to the gradients of the inputs.
Status pointwise_gradient_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& g = args.in[0];
  const PointwisePlan plan(op, Pass::gradient, compute_of(g.dtype), g.shape, args);
  return launch<run_pointwise>(op, args, plan, Pass::gradient);
}

}  // namespace

Tensors pointwise_vjp_first(const VjpArgs& a) {
  const Tensor& g = a.grad[0];
  Tensors partials(a.in.size()), in{g};
  if (!g.defined()) return partials;
  for (size_t i = 0; i < a.in.size(); ++i) {
    in.push_back(a.in[i]);
    if (a.wanted[i]) partials[i] = empty(g.shape(), g.dtype(), g.device());
  }
  check(a.op, try_kernel(a.op, pointwise_gradient_kernel, in, partials, a.attrs, g.device()));
  return partials;
}

}  // namespace gyre
