#include "tests/conformance/counted_kind.h"

#include <atomic>

#include "gyre/op/apply.h"

namespace gyre::conformance {
namespace {

std::atomic<int64_t> calls{0};

Tensors call_counted(const KindCall& call) {
  return run_as_recorded(call, [&](std::span<const Meta>) {
    ++calls;
    Tensors in, out;
    for (const Tensor& t : call.in) in.push_back(uncounted(t));
    for (const Tensor& t : apply_keeping(call.op, in, call.attrs)) out.push_back(counted(t));
    return out;
  });
}

}  // namespace

int64_t counted_calls() { return calls; }

Tensor counted(const Tensor& t) {
  set_kind_handler(kCounted, call_counted);
  return make_of_kind(kCounted, t.meta(), make_ref<CountedStorage>(t));
}

Tensor uncounted(const Tensor& t) {
  if (!t.defined() || t.kind() != kCounted) return t;
  return static_cast<CountedStorage&>(kind_storage(t)).held;
}

}  // namespace gyre::conformance
