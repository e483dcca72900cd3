#include "gyre/optim/sgd.h"

#include <fmt/core.h>

#include "gyre/base/error.h"

namespace gyre {
namespace {

void check(const SgdOptions& o) {
  auto refuse = [](const char* name, double value) {
    throw Error(Code::value, "sgd",
                std::string(name) + " must be 0 or more, is " + fmt::format("{}", value), ">= 0",
                fmt::format("{}", value));
  };
  if (!(o.lr >= 0)) refuse("lr", o.lr);
  if (!(o.momentum >= 0)) refuse("momentum", o.momentum);
  if (!(o.weight_decay >= 0)) refuse("weight_decay", o.weight_decay);
  if (o.nesterov && (o.momentum == 0 || o.dampening != 0)) {
    throw Error(Code::value, "sgd", "nesterov needs a momentum and no dampening");
  }
}

}  // namespace

Sgd::Sgd(std::span<const Tensor> parameters, const SgdOptions& options) : Optimizer("sgd") {
  add_group(parameters, options);
}

void Sgd::add_group(std::span<const Tensor> parameters, const SgdOptions& options) {
  check(options);
  add_parameters(parameters, options.lr);
  options_.push_back(options);
  numbers_.resize(this->parameters().size());
}

std::span<const char* const> Sgd::state_kinds() const {
  static constexpr const char* kKinds[] = {"v"};
  return kKinds;
}

void Sgd::prepare(size_t parameter, size_t group, const Turn& turn) {
  const SgdOptions& o = options_[group];
  double undamped = turn.step == 1 ? 1 : 1 - o.dampening;
  numbers_[parameter] = {turn.scale, turn.lr, o.momentum, undamped, o.weight_decay, o.nesterov};
}

void Sgd::update(const ParameterWalk::Chunk& c, const Tensor& gradient) {
  const SgdNumbers& n = numbers_[c.parameter];
  const Tensor &value = parameter(c.parameter), &velocity = state(c.parameter, 0);
  auto run = [&]<class T>(const OptimTile<T>& tile) {
    T* v = n.momentum > 0 ? velocity.data<T>() + c.begin : nullptr;
    tile.sgd(n, gradient.data<T>() + c.begin, value.data<T>() + c.begin, v, c.count);
  };
  if (value.dtype() == DType::f32) {
    run(optim_tiles().f32);
  } else {
    run(optim_tiles().f64);
  }
}

}  // namespace gyre
