#include "gyre/optim/adam.h"

#include <fmt/core.h>

#include <cmath>

#include "gyre/base/error.h"

namespace gyre {
namespace {

void check(const char* op, const AdamOptions& o) {
  auto refuse = [&](const char* name, double value, const char* wanted) {
    throw Error(Code::value, op,
                std::string(name) + " must be " + wanted + ", is " + fmt::format("{}", value),
                wanted, fmt::format("{}", value));
  };
  if (!(o.lr >= 0)) refuse("lr", o.lr, "0 or more");
  if (!(o.beta1 >= 0 && o.beta1 < 1)) refuse("beta1", o.beta1, "from 0 to below 1");
  if (!(o.beta2 >= 0 && o.beta2 < 1)) refuse("beta2", o.beta2, "from 0 to below 1");
  if (!(o.eps >= 0)) refuse("eps", o.eps, "0 or more");
  if (!(o.weight_decay >= 0)) refuse("weight_decay", o.weight_decay, "0 or more");
}

AdamOptions plain(const AdamWOptions& o) { return {o.lr, o.beta1, o.beta2, o.eps, o.weight_decay}; }

template <class T>
void update_with(const OptimTile<T>& tile, const AdamNumbers& numbers,
                 const ParameterWalk::Chunk& c, const Tensor& gradient, const Tensor& value,
                 const Tensor& first, const Tensor& second) {
  tile.adam(numbers, gradient.data<T>() + c.begin, value.data<T>() + c.begin,
            first.data<T>() + c.begin, second.data<T>() + c.begin, c.count);
}

}  // namespace

Adam::Adam(std::span<const Tensor> parameters, const AdamOptions& options) : Adam("adam", false) {
  add(parameters, options);
}

void Adam::add_group(std::span<const Tensor> parameters, const AdamOptions& options) {
  add(parameters, options);
}

void Adam::add(std::span<const Tensor> parameters, const AdamOptions& options) {
  check(decoupled_ ? "adamw" : "adam", options);
  add_parameters(parameters, options.lr);
  options_.push_back(options);
  numbers_.resize(this->parameters().size());
}

std::span<const char* const> Adam::state_kinds() const {
  static constexpr const char* kKinds[] = {"m", "v"};
  return kKinds;
}

void Adam::prepare(size_t parameter, size_t group, const Turn& turn) {
  const AdamOptions& o = options_[group];
  auto t = static_cast<double>(turn.step);
  AdamNumbers& n = numbers_[parameter];
  n.scale = turn.scale;
  n.beta1 = o.beta1;
  n.beta2 = o.beta2;
  n.rate = turn.lr / (1 - std::pow(o.beta1, t));
  n.root_correction = 1 / std::sqrt(1 - std::pow(o.beta2, t));
  n.eps = o.eps;
  n.keep = decoupled_ ? 1 - turn.lr * o.weight_decay : 1;
  n.l2 = decoupled_ ? 0 : o.weight_decay;
}

void Adam::update(const ParameterWalk::Chunk& c, const Tensor& gradient) {
  const AdamNumbers& n = numbers_[c.parameter];
  const Tensor& value = parameter(c.parameter);
  const Tensor &first = state(c.parameter, 0), &second = state(c.parameter, 1);
  if (value.dtype() == DType::f32) {
    update_with<float>(optim_tiles().f32, n, c, gradient, value, first, second);
  } else {
    update_with<double>(optim_tiles().f64, n, c, gradient, value, first, second);
  }
}

AdamW::AdamW(std::span<const Tensor> parameters, const AdamWOptions& options)
    : Adam("adamw", true) {
  add(parameters, plain(options));
}

void AdamW::add_group(std::span<const Tensor> parameters, const AdamWOptions& options) {
  add(parameters, plain(options));
}

}  // namespace gyre
