#include "gyre/packed/calibrate/watched.h"

#include <string_view>

#include "gyre/autograd/hooks.h"
#include "gyre/op/apply.h"
#include "gyre/op/kind_handler.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

struct WatchedStorage final : KindStorage {
  WatchedStorage(Tensor weight, WeightWitness& witness)
      : KindStorage(nullptr, 0, weight.device()), weight(std::move(weight)), witness(&witness) {}
  const char* description() const noexcept override { return "a watched weight"; }
  Ref<Storage> detached() override { return Ref<Storage>(this); }
  const Tensor weight;
  WeightWitness* const witness;
};

bool is_watched(const Tensor& t) { return t.defined() && t.kind() == TensorKind::watched; }
const WatchedStorage& storage_of(const Tensor& t) {
  return static_cast<const WatchedStorage&>(kind_storage(t));
}

// Tells the witness of y's gradient. y becomes a leaf if nothing that it depends on has a gradient.
Tensor told(Tensor y, WeightWitness& witness, FactoredTerm::Sort sort, const Tensor& of) {
  if (!grad_enabled()) return y;
  if (!y.tracked()) y.set_requires_grad(true);
  on_gradient(y, [&witness, sort, of = of.detach()](const Tensor& g) {
    NoGrad off;
    const Tensor rows = reshape(g.detach(), {-1, g.size(g.rank() - 1)});
    if (sort == FactoredTerm::rows) {
      witness.gradient({.sort = sort, .left = of, .right = rows});
    } else {
      witness.gradient({.sort = sort, .left = rows, .right = of});
    }
  });
  return y;
}

Tensor linear_of(const KindCall& call) {
  const WatchedStorage& w = storage_of(call.in[1]);
  const Tensor& x = call.in[0];
  const Tensor rows = reshape(x.detach(), {-1, w.weight.size(1)});
  w.witness->inputs(rows);
  const Tensor y = told(linear(x, w.weight), *w.witness, FactoredTerm::product, rows);
  return call.in.size() > 2 && call.in[2].defined() ? y + call.in[2] : y;
}

Tensor rows_of(const KindCall& call) {
  const WatchedStorage& w = storage_of(call.in[0]);
  return told(embedding(w.weight, call.in[1]), *w.witness, FactoredTerm::rows,
              reshape(call.in[1], {-1}));
}

Tensors call_watched(const KindCall& call) {
  const std::string_view op = call.op.name;
  const auto alone = [&](size_t i) {
    for (size_t k = 0; k < call.in.size(); ++k) {
      if (is_watched(call.in[k]) != (k == i)) return false;
    }
    return !call.keep_hidden;
  };
  if (op == "linear" && alone(1)) return {linear_of(call)};
  if (op == "linear_act" && alone(1)) {
    return call.op.compose(call.op, call.attrs ? call.attrs->value : nullptr, call.in);
  }
  if (op == "embedding" && alone(0)) return {rows_of(call)};
  Tensors in;
  for (const Tensor& t : call.in) in.push_back(is_watched(t) ? storage_of(t).weight : t);
  return call.keep_hidden ? apply_keeping(call.op, in, call.attrs) : apply(call.op, in, call.attrs);
}

}  // namespace

Tensor watched(const Tensor& w, WeightWitness& witness) {
  require_plain(w, "watched");
  set_kind_handler(TensorKind::watched, call_watched);
  return make_of_kind(TensorKind::watched, w.meta(), make_ref<WatchedStorage>(w.detach(), witness));
}

}  // namespace gyre
