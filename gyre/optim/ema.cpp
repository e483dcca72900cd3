#include "gyre/optim/ema.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/optim_ops.h"
#include "gyre/optim/state_dict.h"
#include "gyre/tensor/kind.h"
#include "gyre/tensor/points.h"
#include "gyre/tensor/replaced.h"

namespace gyre {
namespace {

constexpr const char* kEma = "ema";
constexpr const char* kUpdates = "updates";

[[noreturn]] void refuse(const Message& why) { throw Error(Code::value, kEma, why); }

DType average_dtype(const Tensor& t) {
  return is_floating(t.dtype()) && t.dtype() != DType::f64 ? DType::f32 : t.dtype();
}

// A new tensor for the average of t.
Tensor first_average(const Tensor& t) {
  const DType dtype = average_dtype(t);
  return t.dtype() == dtype ? clone(t.detach()) : to(t.detach(), dtype);
}

uint32_t version_of(const Tensor& t) { return t.impl()->storage->version; }

}  // namespace

Ema::Ema(std::span<const NamedTensor> tensors, const EmaOptions& options) : options_(options) {
  check_record(kEma, options);
  NoGrad scope;
  std::vector<std::string> names{kUpdates};
  for (const NamedTensor& t : tensors) {
    if (!t.tensor.defined()) refuse(t.name + " is empty");
    require_plain(t.tensor, kEma);
    names.push_back(t.name);
    tensors_.push_back(t);
    versions_.push_back(version_of(t.tensor));
    averages_.push_back(first_average(t.tensor));
  }
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) refuse("two tensors have the name " + *twice);
}

void Ema::refuse_swapped(const char* what) const {
  if (swapped()) refuse({"the averages are in the model: ", what});
}

// Switches to the new tensors of a module that was cast, once they have been modified.
void Ema::follow() {
  for (size_t i = 0; i < tensors_.size(); ++i) {
    Tensor& t = tensors_[i].tensor;
    if (const Tensor now = newest(t);
        now.impl() != t.impl() && version_of(t) == versions_[i] && version_of(now) > 0) {
      t = now;
      averages_[i] = on_device(to(averages_[i], average_dtype(t)), t.device());
    }
    versions_[i] = version_of(t);
  }
}

void Ema::update() {
  refuse_swapped("swap() back before update()");
  NoGrad scope;
  follow();
  auto n = static_cast<double>(updates_);
  double decay = options_.warmup ? std::min(options_.decay, (1 + n) / (10 + n)) : options_.decay;
  Tensors in{Tensor()}, out;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    Tensor value = contiguous(tensors_[i].tensor.detach());
    if (!is_floating(value.dtype())) {
      copy_(averages_[i], value);
      continue;
    }
    in.push_back(std::move(value));
    out.push_back(averages_[i]);
  }
  if (!out.empty()) {
    in[0] = tensor({1 - decay}, {DType::f64, out[0].device()});
    write(ema_update_def, in, out);
  }
  ++updates_;
}

void Ema::swap() {
  NoGrad scope;
  if (swapped()) {
    for (size_t i = 0; i < tensors_.size(); ++i) copy_(tensors_[i].tensor, kept_[i]);
    return kept_.clear();
  }
  std::vector<Tensor> kept;
  for (const NamedTensor& t : tensors_) kept.push_back(clone(t.tensor.detach()));
  for (size_t i = 0; i < tensors_.size(); ++i) copy_(tensors_[i].tensor, averages_[i]);
  for (size_t i = 0; i < tensors_.size(); ++i) {  // after the curvatures have been swapped in
    const Tensor& points = tensors_[i].tensor;
    const Space* space = space_of(points);
    if (!space) continue;
    Tensor average = points.detach(), moved = any(average != kept[i], -1, true);
    copy_(points, where(moved, space->project(average), average));
  }
  kept_ = std::move(kept);
}

std::vector<NamedTensor> Ema::state_dict() const {
  std::vector<NamedTensor> dict{{kUpdates, tensor(std::vector<int64_t>{updates_}, {})}};
  for (size_t i = 0; i < tensors_.size(); ++i) dict.push_back({tensors_[i].name, averages_[i]});
  return dict;
}

void Ema::load_state_dict(std::span<const NamedTensor> state) {
  refuse_swapped("swap() back first");
  std::vector<Tensor> from = matching_state(kEma, state_dict(), state);
  int64_t updates = to_vector<int64_t>(from[0])[0];
  if (updates < 0) {
    throw Error(Code::value, kEma, "expected `updates` of 0 or more in the state", "0 or more",
                updates);
  }
  NoGrad scope;
  updates_ = updates;
  for (size_t i = 0; i < averages_.size(); ++i) copy_(averages_[i], from[i + 1]);
}

EmaScope::EmaScope(Ema& ema) : ema_(ema) {
  if (ema.swapped()) refuse("the averages are already in the model");
  ema.swap();
}

EmaScope::~EmaScope() { ema_.swap(); }

}  // namespace gyre
