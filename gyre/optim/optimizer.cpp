#include "gyre/optim/optimizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gyre/autograd/accumulate.h"
#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// As PyTorch: the small number keeps the quotient finite.
double clip_factor(double norm, double clip) {
  return clip > 0 ? std::min(1.0, clip / (norm + 1e-6)) : 1.0;
}

// Parameter t follows those before it.
void check_parameter(const char* op, const Tensor& t, std::span<const Tensor> before) {
  std::string name = "parameter " + std::to_string(before.size());
  auto refuse = [&](const char* why) { throw Error(Code::value, op, name + " " + why); };
  if (!t.defined()) refuse("is empty");
  if (t.impl()->node) refuse("is no leaf but the result of an op");
  if (!t.requires_grad()) refuse("does not require a gradient");
  if (!t.is_contiguous()) refuse("is not contiguous");
  if (t.dtype() != DType::f32 && t.dtype() != DType::f64) {
    throw Error(Code::dtype, op, name + " must be f32 or f64, is " + name_of(t.dtype()),
                "f32 or f64", name_of(t.dtype()));
  }
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i].impl() == t.impl()) {
      refuse(("is the same as parameter " + std::to_string(i)).c_str());
    }
  }
}

}  // namespace

Optimizer::~Optimizer() = default;

void Optimizer::add_parameters(std::span<const Tensor> parameters, double lr) {
  if (parameters.empty()) throw Error(Code::value, name_, "there are no parameters to change");
  std::vector<Tensor> all = parameters_;
  for (const Tensor& t : parameters) {
    check_parameter(name_, t, all);
    all.push_back(t);
  }
  NoGrad scope;
  kinds_ = state_kinds().size();
  for (const Tensor& t : parameters) {
    parameters_.push_back(t);
    group_of_.push_back(groups());
    steps_.push_back(0);
    walk_.add(t.numel());
    for (size_t k = 0; k < kinds_; ++k) state_.push_back(zeros(t.shape(), {.dtype = t.dtype()}));
  }
  gradients_.resize(parameters_.size());
  rates_.push_back(lr);
}

Tensor Optimizer::gradient_of(size_t parameter) const {
  const Tensor& value = parameters_[parameter];
  Tensor g = value.grad();
  if (!g.defined()) return g;
  if (g.dtype() != value.dtype()) {
    throw Error(Code::dtype, name_,
                std::string("a parameter is ") + name_of(value.dtype()) + ", its gradient " +
                    name_of(g.dtype()),
                name_of(value.dtype()), name_of(g.dtype()));
  }
  return contiguous(g);
}

StepResult Optimizer::step(const StepOptions& options) {
  NoGrad scope;
  for (size_t i = 0; i < parameters_.size(); ++i) gradients_[i] = gradient_of(i);
  StepResult result;
  double scale = options.scale;
  if (options.clip > 0 || options.norm) {
    result.gradient_norm = gradient_norm(walk_, gradients_) * std::abs(scale);
    result.applied = std::isfinite(result.gradient_norm);
    scale *= clip_factor(result.gradient_norm, options.clip);
  }
  if (result.applied) {
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (gradients_[i].defined())
        prepare(i, group_of_[i], {++steps_[i], rates_[group_of_[i]], scale});
    }
    walk_.run([&](const ParameterWalk::Chunk& chunk, int64_t) {
      const Tensor& g = gradients_[chunk.parameter];
      if (g.defined()) update(chunk, g);
    });
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (gradients_[i].defined()) bump_version(parameters_[i]);
    }
  }
  for (Tensor& g : gradients_) g = {};
  return result;
}

void Optimizer::step_parameter(size_t i, double scale) {
  if (i >= parameters_.size()) {
    throw Error(Code::index, name_, "there is no parameter " + std::to_string(i),
                "below " + std::to_string(parameters_.size()), std::to_string(i));
  }
  NoGrad scope;
  Tensor g = gradient_of(i);
  if (!g.defined()) return;
  prepare(i, group_of_[i], {++steps_[i], rates_[group_of_[i]], scale});
  walk_.run(i, [&](const ParameterWalk::Chunk& chunk) { update(chunk, g); });
  bump_version(parameters_[i]);
}

void Optimizer::zero_grad() {
  for (const Tensor& t : parameters_) t.impl()->grad = {};
}

void Optimizer::check_group(size_t group) const {
  if (group < groups()) return;
  throw Error(Code::index, name_, "there is no group " + std::to_string(group),
              "below " + std::to_string(groups()), std::to_string(group));
}

double Optimizer::lr(size_t group) const {
  check_group(group);
  return rates_[group];
}

void Optimizer::set_lr(double lr) { std::fill(rates_.begin(), rates_.end(), lr); }

void Optimizer::set_lr(double lr, size_t group) {
  check_group(group);
  rates_[group] = lr;
}

std::vector<NamedTensor> Optimizer::state_dict() {
  std::vector<NamedTensor> dict;
  dict.push_back({"steps", tensor(steps_, {static_cast<int64_t>(steps_.size())})});
  for (size_t i = 0; i < parameters_.size(); ++i) {
    for (size_t k = 0; k < kinds_; ++k) {
      dict.push_back({std::string(state_kinds()[k]) + "." + std::to_string(i), state(i, k)});
    }
  }
  return dict;
}

void Optimizer::load_state_dict(std::span<const NamedTensor> given) {
  std::vector<NamedTensor> own = state_dict();
  std::vector<const Tensor*> from;
  for (const NamedTensor& t : own) {
    auto found = std::find_if(given.begin(), given.end(),
                              [&](const NamedTensor& g) { return g.name == t.name; });
    if (found == given.end()) throw Error(Code::value, name_, "the state lacks " + t.name, t.name);
    if (!(found->tensor.shape() == t.tensor.shape())) {
      throw Error(Code::shape, name_,
                  "state " + t.name + " is " + to_string(found->tensor.shape()) + ", not " +
                      to_string(t.tensor.shape()),
                  to_string(t.tensor.shape()), to_string(found->tensor.shape()));
    }
    from.push_back(&found->tensor);
  }
  if (given.size() != own.size()) {
    throw Error(Code::value, name_,
                "the state has " + std::to_string(given.size()) + " tensors, not " +
                    std::to_string(own.size()),
                std::to_string(own.size()), std::to_string(given.size()));
  }
  NoGrad scope;
  steps_ = to_vector<int64_t>(*from[0]);
  for (size_t i = 1; i < own.size(); ++i) copy_(own[i].tensor, *from[i]);
}

double clip_grad_norm(std::span<const Tensor> parameters, double max_norm) {
  if (!(max_norm > 0)) {
    throw Error(Code::value, "clip_grad_norm",
                "max_norm must be above 0, is " + fmt::format("{}", max_norm), "> 0",
                fmt::format("{}", max_norm));
  }
  NoGrad scope;
  std::vector<Tensor> gradients;
  ParameterWalk walk;
  for (const Tensor& p : parameters) {
    Tensor g = p.grad();
    if (g.defined() && !is_sole_owner(g, 2)) {  // the parameter's handle and this one
      g = clone(g);
      p.impl()->grad = g.ref();
    }
    walk.add(g.defined() ? g.numel() : 0);
    gradients.push_back(std::move(g));
  }
  double norm = gradient_norm(walk, gradients), factor = clip_factor(norm, max_norm);
  if (!std::isfinite(norm) || factor == 1) return norm;
  const OptimTiles& tiles = optim_tiles();
  walk.run([&](const ParameterWalk::Chunk& c, int64_t) {
    const Tensor& g = gradients[c.parameter];
    if (g.dtype() == DType::f32) {
      tiles.f32.scale(g.data<float>() + c.begin, factor, c.count);
    } else {
      tiles.f64.scale(g.data<double>() + c.begin, factor, c.count);
    }
  });
  for (const Tensor& g : gradients) {
    if (g.defined()) bump_version(g);
  }
  return norm;
}

}  // namespace gyre
