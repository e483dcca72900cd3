#include "gyre/nn/module.h"

#include <algorithm>
#include <unordered_map>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

// Calls f(name, tensor, is_parameter) for every tensor of a module and its children.
template <class F>
class Walk final : public Visitor {
 public:
  explicit Walk(F f) : f_(std::move(f)) {}
  void parameter(std::string_view name, Tensor& value) override { see(name, value, true); }
  void buffer(std::string_view name, Tensor& value) override { see(name, value, false); }
  void module(std::string_view name, Module& child) override {
    size_t before = prefix_.size();
    prefix_.append(name).push_back('.');
    child.visit(*this);
    prefix_.resize(before);
  }

 private:
  void see(std::string_view name, Tensor& value, bool is_parameter) {
    if (value.defined()) f_(prefix_ + std::string(name), value, is_parameter);
  }
  F f_;
  std::string prefix_;
};

template <class F>
void for_each_tensor(Module& module, F f) {
  Walk<F> walk(std::move(f));
  module.visit(walk);
}

std::vector<NamedTensor> collect(Module& module, bool parameters, bool buffers) {
  std::vector<NamedTensor> found;
  for_each_tensor(module, [&](std::string name, Tensor& value, bool is_parameter) {
    if (!(is_parameter ? parameters : buffers)) return;
    auto same = [&](const NamedTensor& t) { return t.tensor.impl() == value.impl(); };
    if (std::any_of(found.begin(), found.end(), same)) return;
    auto named = [&](const NamedTensor& t) { return t.name == name; };
    if (std::any_of(found.begin(), found.end(), named)) {
      throw Error(Code::value, "module", "two tensors are called " + name, {}, name);
    }
    found.push_back({std::move(name), value});
  });
  return found;
}

class ModeSetter final : public Visitor {
 public:
  explicit ModeSetter(bool training) : training_(training) {}
  void parameter(std::string_view, Tensor&) override {}
  void buffer(std::string_view, Tensor&) override {}
  void module(std::string_view, Module& child) override { child.train(training_); }

 private:
  bool training_;
};

std::string joined(const std::vector<std::string>& names) {
  constexpr size_t kShown = 5;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kShown; ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

}  // namespace

Tensors Module::forward(Inputs) const {
  throw Error(Code::unsupported, "forward", "this module is not called on tensors");
}

std::vector<NamedTensor> Module::named_parameters() { return collect(*this, true, false); }
std::vector<NamedTensor> Module::named_buffers() { return collect(*this, false, true); }
std::vector<NamedTensor> Module::state_dict() { return collect(*this, true, true); }

std::vector<Tensor> Module::parameters() {
  std::vector<Tensor> tensors;
  for (NamedTensor& t : named_parameters()) tensors.push_back(std::move(t.tensor));
  return tensors;
}

int64_t Module::parameter_count() {
  int64_t count = 0;
  for (const Tensor& t : parameters()) count += t.numel();
  return count;
}

void Module::load_state_dict(std::span<const NamedTensor> state, Strict strict) {
  std::unordered_map<std::string_view, const Tensor*> given;
  for (const NamedTensor& t : state) given.emplace(t.name, &t.tensor);
  std::vector<std::string> missing, unknown;
  std::vector<NamedTensor> own = state_dict();
  for (const NamedTensor& t : own) {
    auto found = given.find(t.name);
    if (found == given.end()) {
      missing.push_back(t.name);
    } else if (!(found->second->shape() == t.tensor.shape())) {
      throw Error(Code::shape, "load_state_dict",
                  t.name + " is " + to_string(t.tensor.shape()) + " here and " +
                      to_string(found->second->shape()) + " in what is loaded",
                  to_string(t.tensor.shape()), to_string(found->second->shape()));
    }
  }
  for (const NamedTensor& t : state) {
    auto same = [&](const NamedTensor& o) { return o.name == t.name; };
    if (std::none_of(own.begin(), own.end(), same)) unknown.push_back(t.name);
  }
  if (!missing.empty()) {
    throw Error(Code::value, "load_state_dict", "missing: " + joined(missing), joined(missing));
  }
  if (strict == Strict::yes && !unknown.empty()) {
    throw Error(Code::value, "load_state_dict", "unknown: " + joined(unknown), {}, joined(unknown));
  }
  for (const NamedTensor& t : own) assign(t.tensor, *given.at(t.name), t.name);
}

void Module::load_state_dict(const SafetensorsFile& file, Strict strict) {
  std::vector<NamedTensor> state;
  for (const SafetensorsEntry& entry : file.entries()) {
    state.push_back({entry.name, file.load(entry)});
  }
  load_state_dict(state, strict);
}

void Module::train(bool training) {
  training_ = training;
  ModeSetter setter(training);
  visit(setter);
}

void Module::zero_grad() {
  for (const Tensor& t : parameters()) t.impl()->grad = {};
}

void Module::set_requires_grad(bool wanted) {
  for (Tensor& t : parameters()) t.set_requires_grad(wanted);
}

void Module::to(DType wanted) {
  NoGrad scope;
  std::vector<std::pair<Tensor, Tensor>> cast;  // before and after: shared tensors stay shared
  for_each_tensor(*this, [&](const std::string&, Tensor& value, bool is_parameter) {
    DType dtype = is_parameter || wanted == DType::f64 ? wanted : DType::f32;
    if (!is_floating(value.dtype()) || value.dtype() == dtype) return;
    auto done = std::find_if(cast.begin(), cast.end(),
                             [&](const auto& c) { return c.first.impl() == value.impl(); });
    if (done == cast.end()) {
      Tensor now = gyre::to(value, dtype);
      now.set_requires_grad(value.requires_grad());
      cast.emplace_back(value, now);
      done = cast.end() - 1;
    }
    value = done->second;
  });
}

void assign(const Tensor& target, const Tensor& value, std::string_view name) {
  if (!(target.shape() == value.shape())) {
    throw Error(Code::shape, name,
                "is " + to_string(target.shape()) + ", the new value " + to_string(value.shape()),
                to_string(target.shape()), to_string(value.shape()));
  }
  NoGrad scope;
  copy_(target, value);
}

}  // namespace gyre::nn
