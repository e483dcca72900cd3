#include "gyre/optim/gradient_norm.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/autograd/accumulate.h"
#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/optim_ops.h"

namespace gyre {
namespace {

// The gradient of a parameter, in memory with no other owner.
Tensor own_gradient(const Tensor& p) {
  Tensor g = p.grad();
  if (g.defined() && !is_sole_owner(g, 2)) {  // the parameter's handle and this one
    g = clone(g);
    p.impl()->grad = g.ref();
  }
  return g;
}

}  // namespace

Tensor total_norm(std::span<const Tensor> gradients, bool finite_only) {
  Tensors given;
  for (const Tensor& g : gradients) {
    if (g.defined()) given.push_back(contiguous(g));
  }
  return apply_one(total_norm_def, given, box(TotalNormAttrs{finite_only}));
}

void refuse_non_finite(const char* op, std::span<const Tensor> gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    double norm = total_norm(gradients.subspan(i, 1)).item();
    if (std::isfinite(norm)) continue;
    throw Error(Code::numeric, op,
                fmt::format("expected finite gradients, got norm {} for parameter {}", norm, i),
                "a finite number", norm);
  }
  throw Error(Code::numeric, op, "expected a finite total gradient norm, got overflow",
              "a finite number");
}

// As in PyTorch: the small constant avoids division by 0.
double clip_factor(double norm, double clip) {
  return clip > 0 ? std::min(1.0, clip / (norm + 1e-6)) : 1.0;
}

double clip_grad_norm(std::span<const Tensor> parameters, double max_norm, NonFinite non_finite) {
  if (!(max_norm > 0)) {
    throw mismatch(Code::value, "clip_grad_norm", "max_norm must be above 0", "> 0", max_norm);
  }
  NoGrad scope;
  std::vector<Tensor> gradients;
  for (const Tensor& p : parameters) gradients.push_back(p.grad());
  const bool finite_only = non_finite == NonFinite::zero;
  double norm = total_norm(gradients, finite_only).item(), factor = clip_factor(norm, max_norm);
  if (!std::isfinite(norm)) {
    if (non_finite == NonFinite::raise) refuse_non_finite("clip_grad_norm", gradients);
    return norm;
  }
  if (factor == 1 && !finite_only) return norm;
  gradients.clear();  // their handles would count as owners
  Tensors in{Tensor()}, out;
  for (const Tensor& p : parameters) {
    Tensor g = own_gradient(p);
    if (!g.defined()) continue;
    in.push_back(g);
    out.push_back(g);
  }
  if (out.empty()) return norm;
  in[0] = tensor({factor, static_cast<double>(finite_only)}, {DType::f64, out[0].device()});
  write(scale_gradients_def, in, out);
  return norm;
}

}  // namespace gyre
