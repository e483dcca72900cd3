#include "gyre/autograd/transform.h"

#include <unordered_set>

#include "gyre/autograd/accumulate.h"
#include "gyre/autograd/backward.h"
#include "gyre/autograd/vmap.h"
#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/kind.h"

namespace gyre {
namespace {

// x as a separate tensor to differentiate with respect to: a view with a node if the result must
// depend on x, else a leaf.
Tensor fresh(const Tensor& given, bool linked) {
  Tensor x = in_running_batch(given);
  if (linked && x.tracked()) return reshape(x, x.shape());
  x = alias_of(x);
  x.impl()->meta.weak = false;  // a variable has its dtype
  return x.set_requires_grad();
}

// Whether `from` depends on a leaf other than `own`.
bool reaches_others(Inputs from, Inputs own) {
  std::unordered_set<const void*> seen;
  SmallVector<const Node*, 16> open;
  bool others = false;
  const auto follow = [&](const Node* node, const TensorImpl* leaf) {
    if (leaf) {
      bool is_own = false;
      for (const Tensor& t : own) is_own |= t.impl() == leaf;
      others |= !is_own;
    } else if (node && seen.insert(node).second) {
      open.push_back(node);
    }
  };
  for (const Tensor& t : from) {
    if (t.tracked()) follow(node_of(t), node_of(t) ? nullptr : t.impl());
  }
  while (!open.empty() && !others) {
    const Node* node = open.back();
    open.pop_back();
    for (const Edge& e : node->inputs) follow(e.node.get(), e.leaf.get());
  }
  return others;
}

void check_like(const char* op, Inputs x, Inputs v) {
  if (v.size() != x.size()) {
    throw mismatch(Code::value, op, {"expected a vector for each of ", x.size(), " tensors"},
                   x.size(), v.size());
  }
  for (size_t i = 0; i < x.size(); ++i) {
    if (!v[i].defined()) throw Error(Code::value, op, {"vector ", i, " is an empty Tensor"});
    if (v[i].shape() == x[i].shape()) continue;
    throw mismatch(Code::shape, op, {"expected a vector of x's shape ", x[i].shape()}, x[i].shape(),
                   v[i].shape());
  }
}

// One run of f.
class Run {
 public:
  // `along`: cotangents or tangents
  Run(const char* op, TensorsFunction f, Inputs given, Inputs along = {}) : op_(op) {
    bool linked = grad_enabled();
    GradMode recording(true);
    for (const Tensor& t : given) {
      if (!t.defined()) throw Error(Code::value, op, "an input is an empty Tensor");
      x.push_back(fresh(t, linked));
    }
    y = f(x);
    for (const Tensor& t : y) {
      if (!t.defined()) throw Error(Code::value, op, "the function returned an empty Tensor");
      if (!is_floating(t.dtype())) {
        throw mismatch(Code::dtype, op, "the function must return floating tensors",
                       "a floating dtype", t.dtype());
      }
    }
    others_ = reaches_others(y, x);
    for (const Tensor& t : along) others_ |= t.tracked();
    recorded_ = others_;
    for (Inputs list : {Inputs(y), along}) {
      for (const Tensor& t : list) recorded_ |= is_tracked_inside(t);
    }
    others_ &= linked;
    recorded_ &= linked;
  }

  const Tensor& only_output() const {
    if (y.size() != 1) {
      throw mismatch(Code::value, op_, "the function must return one tensor", "1", y.size());
    }
    return y[0];
  }
  // Whether the derivative itself is recorded.
  bool recorded() const { return recorded_; }

  // Gradients; zeros where there is no dependence.
  static Tensors pull(Inputs of, Inputs by, Inputs cotangents, bool record, bool retain = false) {
    bool any = false;
    for (const Tensor& t : of) any |= t.tracked();
    Tensors g(by.size());
    if (any) {
      g = gyre::grad(of, by, cotangents,
                     {.create_graph = record, .retain_graph = retain, .allow_unused = true});
    }
    for (size_t i = 0; i < g.size(); ++i) {
      if (!g[i].defined()) g[i] = filled(by[i].meta(), 0);
    }
    return g;
  }
  // Results for the caller, without the part of the history that leads only to `x`.
  Tensors handed_out(const Tensors& own) const {
    Tensors r;
    for (const Tensor& t : own) r.push_back(others_ || !t.tracked() ? t : alias_of(t));
    return r;
  }

  Tensors x, y;

 private:
  const char* op_;
  bool others_ = false;    // the results depend on tensors that require grad outside
  bool recorded_ = false;  // or the batch behind them does
};

void check_scalar(const char* op, const Tensor& y) {
  if (y.numel() == 1) return;
  throw Error(Code::value, op, {"the function must return one element, got shape ", y.shape()},
              "one element", y.shape());
}

// One-hot.
Tensor unit_vector(const Meta& meta, int64_t at) {
  NoGrad off;
  Tensor u = filled(meta, 0);
  Tensor flat = reshape(u, {u.numel()});
  Tensor one = filled({{1}, meta.dtype, meta.device}, 1);
  return reshape(slice_embed(one, {0, at, 1, flat.numel()}), meta.shape);
}

// The rows of the Jacobian of the one output: take(i, gradients with respect to each x).
void walk_rows(const Run& run, auto take) {
  const Tensor& y = run.only_output();
  for (int64_t i = 0, n = y.numel(); i < n; ++i) {
    Tensor u = unit_vector(y.meta(), i);
    take(i, run.handed_out(Run::pull(run.y, run.x, Inputs(&u, 1), run.recorded(), i + 1 < n)));
  }
}

// The gradient of a scalar f as a function.
auto gradient_of(const char* op, TensorsFunction f) {
  return [op, f](Inputs in) -> Tensors {
    Run run(op, f, in);
    check_scalar(op, run.only_output());
    return run.handed_out(Run::pull(run.y, run.x, {}, run.recorded()));
  };
}

}  // namespace

ValueAndGrads value_and_grad(TensorsFunction f, Inputs x) {
  Run run("grad", f, x);
  check_scalar("grad", run.only_output());
  Tensors g = Run::pull(run.y, run.x, {}, run.recorded());
  return {run.handed_out(run.y)[0], run.handed_out(g)};
}

OutputsAndGrads vjp(TensorsFunction f, Inputs x, Inputs cotangents) {
  Run run("vjp", f, x, cotangents);
  check_like("vjp", run.y, cotangents);
  Tensors g = Run::pull(run.y, run.x, cotangents, run.recorded());
  return {run.handed_out(run.y), run.handed_out(g)};
}

OutputsAndTangents jvp(TensorsFunction f, Inputs x, Inputs tangents) {
  check_like("jvp", x, tangents);
  Run run("jvp", f, x, tangents);
  Tensors u;
  for (const Tensor& t : run.y) u.push_back(fresh(filled(t.meta(), 0), false));
  Tensors g = Run::pull(run.y, run.x, u, true);
  Tensors d = Run::pull(g, u, tangents, run.recorded());
  return {run.handed_out(run.y), run.handed_out(d)};
}

Tensors jacobian(TensorsFunction f, Inputs x) {
  Run run("jacobian", f, x);
  SmallVector<Tensors, 2> rows(x.size());
  walk_rows(run, [&](int64_t, const Tensors& g) {
    for (size_t k = 0; k < g.size(); ++k) rows[k].push_back(g[k]);
  });
  Tensors result;
  for (size_t k = 0; k < x.size(); ++k) {
    Meta meta = run.x[k].meta();
    meta.shape = concat(run.only_output().shape(), meta.shape);
    result.push_back(rows[k].empty() ? filled(meta, 0) : reshape(stack(rows[k], 0), meta.shape));
  }
  return result;
}

Tensors hvp(TensorsFunction f, Inputs x, Inputs v) {
  check_like("hvp", x, v);
  return vjp(gradient_of("hvp", f), x, v).grads;
}

namespace transforms {

Tensor hessian(TensorsFunction f, const Tensor& x) {
  return std::move(gyre::jacobian(gradient_of("hessian", f), one(x))[0]);
}

Tensor hessian_diag(TensorsFunction f, const Tensor& x) {
  auto gradient = gradient_of("hessian_diag", f);
  Run run("hessian_diag", gradient, one(x));
  Tensors diagonal;
  walk_rows(run, [&](int64_t i, const Tensors& g) {
    Tensor element = slice(reshape(g[0], {g[0].numel()}), {0, i, i + 1, 1});
    diagonal.push_back(clone(element));  // not a view, which would keep the row
  });
  return diagonal.empty() ? filled(x.meta(), 0) : reshape(cat(diagonal, 0), x.shape());
}

Tensor grad2(TensorsFunction f, const Tensor& x) {
  auto of_sum = [f](Inputs in) -> Tensors {
    Tensors y = f(in);
    return {sum(y[0])};
  };
  Tensor ones = filled(x.meta(), 1);
  return std::move(vjp(gradient_of("grad2", of_sum), one(x), one(ones)).grads[0]);
}

}  // namespace transforms
}  // namespace gyre
