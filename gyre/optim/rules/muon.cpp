#include "gyre/optim/rules/muon.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/optim_ops.h"
#include "gyre/optim/rules/whole_step.h"

namespace gyre {
namespace {

constexpr double kMomentumRise = 0.1;

const MuonOptions& options_of(const ParameterStep& s) { return attrs_as<MuonOptions>(s.options); }

// What a step changes.
struct Change {
  const ParameterStep* step;
  Tensor momentum, update;
};

double momentum_of(const MuonOptions& o, int64_t step) {
  if (o.momentum_warmup == 0) return o.momentum;
  const double risen =
      std::min(1.0, static_cast<double>(step) / static_cast<double>(o.momentum_warmup));
  return std::max(0.0, o.momentum - kMomentumRise * (1 - risen));
}

// The momentum after the step, and the update before orthogonalisation.
Change change_of(const ParameterStep& s) {
  const MuonOptions& o = options_of(s);
  const Tensor& old = s.state[0];
  const Tensor g = incoming(to(s.gradient, old.dtype()), s.numbers);
  const Tensor momentum(momentum_of(o, s.steps));
  Tensor m = lerp(g, old, momentum);
  Tensor update = o.nesterov ? lerp(g, m, momentum) : clone(m);
  return {&s, m, update};
}

// A matrix among those of all parameters.
struct Part {
  Change* change;
  int64_t begin, rows;  // of the parameter's matrix
};

Tensor as_matrix(const Tensor& t) { return reshape(t, {t.size(0), -1}); }

std::vector<Part> parts_of(Change& change) {
  const MuonOptions& o = options_of(*change.step);
  const int64_t rows = change.update.size(0);
  if (o.parts.rank == 0) return {{&change, 0, rows}};
  std::vector<Part> parts;
  int64_t begin = 0;
  for (int i = 0; i < o.parts.rank && o.parts[i] <= rows - begin; ++i) {
    parts.push_back({&change, begin, o.parts[i]});
    begin += o.parts[i];
  }
  if (begin == rows && parts.size() == static_cast<size_t>(o.parts.rank)) return parts;
  throw mismatch(Code::shape, "muon",
                 {"expected `parts` that sum to the ", rows, " rows of a parameter"}, rows,
                 o.parts);
}

double adjustment(const MuonOptions& o, int64_t rows, int64_t columns) {
  const auto r = static_cast<double>(rows), c = static_cast<double>(columns);
  return o.adjust_lr == LrAdjustment::original ? std::sqrt(std::max(1.0, r / c))
                                               : 0.2 * std::sqrt(std::max(r, c));
}

// Orthogonalises matrices of one shape and group together, and writes them over the updates, which
// are contiguous: as_matrix gives views.
void orthogonalize(std::span<const Part> parts) {
  const MuonOptions& o = options_of(*parts[0].change->step);
  Tensors matrices;
  for (const Part& p : parts) {
    const Tensor update = as_matrix(p.change->update);
    matrices.push_back(slice(update, {0, p.begin, p.begin + p.rows, 1}));
  }
  const Tensor all = stack(matrices, 0);
  const DType dtype = all.dtype() == DType::f64 ? DType::f64 : o.ns_dtype;
  const Tensor made =
      to(orthogonalized(to(all, dtype), o), all.dtype()) * adjustment(o, all.size(1), all.size(2));
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    copy_(matrices[i], reshape(slice(made, {0, at, at + 1, 1}), matrices[i].shape()));
  }
}

void step_matrices(const Optimizer&, std::span<const ParameterStep> steps, const Tensor&) {
  std::vector<Change> changes;
  for (const ParameterStep& s : steps) changes.push_back(change_of(s));
  using Key = std::tuple<int64_t, int64_t, DType, const void*>;
  std::map<Key, std::vector<Part>> alike;
  for (Change& change : changes) {
    for (const Part& p : parts_of(change)) {
      const int64_t columns = as_matrix(change.update).size(1);
      alike[{p.rows, columns, change.update.dtype(), change.step->options}].push_back(p);
    }
  }
  for (const auto& [key, parts] : alike) orthogonalize(parts);
  Tensors values;
  for (const Change& c : changes) {
    const MuonOptions& o = options_of(*c.step);
    values.push_back(weights_of(*c.step) * (1 - o.lr * o.weight_decay) - c.update * o.lr);
  }
  for (size_t i = 0; i < changes.size(); ++i) {
    finish_step(*changes[i].step, values[i], {&changes[i].momentum, 1});
  }
}

constexpr StepRoute kMuonRoutes[] = {{[](const Tensor& parameter, const void* options) {
                                        return MuonRule::takes(parameter,
                                                               attrs_as<MuonOptions>(options));
                                      },
                                      step_matrices},
                                     kChunks};

}  // namespace

Tensor orthogonalized(const Tensor& matrices, const MuonOptions& o) {
  const bool tall = matrices.size(1) > matrices.size(2);
  Tensor x = tall ? transpose(matrices, 1, 2) : matrices;
  const Tensor norm = sqrt(sum(x * x, ReduceAttrs{{1, 2}, true}));
  x = x / maximum(norm, Tensor(o.eps));
  const Tensor a(o.ns_a), b(o.ns_b), c(o.ns_c);
  for (int64_t i = 0; i < o.ns_steps; ++i) {
    const Tensor gram = matmul(x, transpose(x, 1, 2));
    // gram is symmetric; as a product with its transpose half of it is computed (f32, f64)
    const Tensor factor = affine(matmul(gram, transpose(gram, 1, 2)), c, gram * b);
    x = affine(x, a, matmul(factor, x));
  }
  return tall ? transpose(x, 1, 2) : x;
}

constinit const OptimizerDef muon_optimizer{
    .name = "muon",
    .class_name = "Muon",
    .doc =
        "Muon: momentum orthogonalised by Newton-Schulz iterations for matrices, AdamW for other "
        "parameters and groups with use_muon = false (Jordan et al. 2024)",
    .options = &record_of<MuonOptions>,
    .step = &adam_step_def,
    .make = Muon::make,
    .routes = kMuonRoutes};

void MuonRule::check(const MuonOptions& o) {
  if (o.ns_dtype != DType::f32 && o.ns_dtype != DType::bf16 && o.ns_dtype != DType::f64) {
    throw Error(Code::value, def.name, {"`ns_dtype` must be f32, bf16 or f64, got ", o.ns_dtype},
                "f32, bf16 or f64", o.ns_dtype);
  }
  for (int64_t rows : o.parts) {
    if (rows < 1)
      throw Error(Code::value, def.name, {"`parts` must be 1 or more, got ", o.parts}, "1 or more",
                  o.parts);
  }
}

bool MuonRule::takes(const Tensor& parameter, const MuonOptions& o) {
  return o.use_muon && parameter.rank() > 1 && parameter.numel() > 0 &&
         has_free_elements(parameter);
}

AdamNumbers MuonRule::numbers(const MuonOptions& o, const Optimizer::StepInfo& info) {
  return AdamRule<AdamWOptions>::numbers({.lr = o.lr * o.adamw_lr_ratio,
                                          .beta1 = o.beta1,
                                          .beta2 = o.beta2,
                                          .eps = o.adamw_eps,
                                          .weight_decay = o.weight_decay},
                                         info);
}

template class OptimizerOf<MuonRule>;

}  // namespace gyre
