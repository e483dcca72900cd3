#pragma once
#include <string>
#include <string_view>

#include "gyre/nn/module.h"

namespace gyre::nn {

/// See for_each_tensor().
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

/// Calls f(name, tensor, is_parameter) for every tensor of a module and its children, in the order
/// of the visit, under each of its names; skips absent ones. f may replace the tensor.
template <class F>
void for_each_tensor(Module& module, F f) {
  Walk<F> walk(std::move(f));
  module.visit(walk);
}

}  // namespace gyre::nn
