#include "gyre/autograd/accumulate.h"

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/kind.h"

namespace gyre {

extern const OpDef add_def;

namespace {

// to = a + b, where `to` is one of the two.
void add_onto(const Tensor& a, const Tensor& b, const Tensor& to) {
  const Tensor in[] = {a, b};
  write(add_def, in, {&to, 1});
}

}  // namespace

bool is_sole_owner(const Tensor& t, uint32_t handles) {
  const TensorImpl& impl = *t.impl();
  const Storage& storage = *impl.storage;
  return impl.kind == TensorKind::plain && impl.refs.load(std::memory_order_acquire) == handles &&
         impl.storage.unique() && !storage.borrowed && t.is_contiguous() &&
         storage.bytes == static_cast<size_t>(t.numel()) * size_of(t.dtype());
}

Tensor conform(Tensor g, const Meta& value) {
  bool cast = g.dtype() != value.dtype;
  bool widen = cast && size_of(g.dtype()) < size_of(value.dtype);
  if (widen) g = to(g, value.dtype);
  if (!(g.shape() == value.shape)) g = sum_to(g, value.shape);
  if (cast && !widen) g = to(g, value.dtype);
  return g;
}

void add_cotangent(Tensor& sum, Tensor g) {
  if (!sum.defined()) {
    sum = std::move(g);
  } else if (grad_enabled()) {
    sum = add(sum, g);
  } else if (g.plain() && is_sole_owner(sum)) {
    add_onto(sum, g, sum);
  } else if (sum.plain() && is_sole_owner(g)) {
    add_onto(sum, g, g);
    sum = std::move(g);
  } else {
    sum = add(sum, g);
  }
}

void add_to_leaf(TensorImpl& leaf, Tensor g) {
  if (!g.plain() && g.kind() != leaf.kind && !kind_storage(g).is_gradient_of(leaf.kind)) {
    std::string kind = describe_kind(g);
    throw Error(Code::unsupported, "backward",
                "expected a plain gradient for a plain leaf, got " + kind +
                    "; inside vmap() use grad(f, x), or call backward outside of it",
                "a plain tensor", kind);
  }
  if (!leaf.grad) {
    // What later passes write to must not be shared with other leaves, nor with the caller's seeds.
    const bool own = is_sole_owner(g) && !g.tracked(), history = grad_enabled() && g.tracked();
    leaf.grad = own || history ? g.ref() : clone(g).ref();
    return;
  }
  Tensor before(leaf.grad);
  const bool plain =
      g.plain() && before.plain() && before.is_contiguous() && !before.impl()->storage->borrowed;
  // A hook on another thread may be reading what it was given.
  const bool alone = !leaf.hooks || is_sole_owner(before, 2);
  if (plain && alone && !grad_enabled() && !before.tracked()) {
    add_onto(before, g, before);
  } else {
    leaf.grad = add(before, g).ref();
  }
}

Tensor filled(const Meta& meta, double value) {
  return full(meta.shape, value, {meta.dtype, meta.device});
}

}  // namespace gyre
