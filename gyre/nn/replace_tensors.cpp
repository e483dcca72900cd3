#include "gyre/nn/replace_tensors.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/text/nearest.h"
#include "gyre/nn/tensor_walk.h"

namespace gyre::nn {
namespace {

struct Replaced {
  std::string name;
  Tensor own, now;
};

using ByName = std::unordered_map<std::string_view, const Tensor*>;

void require_known(const std::vector<Replaced>& own, std::span<const NamedTensor> tensors) {
  ByName known;
  for (const Replaced& t : own) known.emplace(t.name, &t.own);
  for (const NamedTensor& t : tensors) {
    if (!t.tensor.defined()) throw Error(Code::value, "replace_tensors", t.name + " is empty");
    if (known.contains(t.name)) continue;
    std::vector<std::string> names;
    for (const Replaced& o : own) names.push_back(o.name);
    throw Error(Code::value, "replace_tensors",
                "unknown tensor " + t.name + suggestion(t.name, names), {}, t.name);
  }
}

// For each name in order of the visit: the module's tensor and its replacement.
std::vector<Replaced> planned(Module& module, std::span<const NamedTensor> tensors) {
  std::vector<Replaced> all;
  for_each_tensor(module, [&](std::string name, Tensor& value, bool) {
    all.push_back({std::move(name), value, value});
  });
  require_known(all, tensors);
  ByName given;
  for (const NamedTensor& t : tensors) given.emplace(t.name, &t.tensor);
  std::unordered_map<const TensorImpl*, const Tensor*> shared;
  for (const Replaced& r : all) {
    if (auto found = given.find(r.name); found != given.end()) {
      shared.emplace(r.own.impl(), found->second);
    }
  }
  for (Replaced& r : all) {
    if (auto named = given.find(r.name); named != given.end()) {
      r.now = *named->second;
    } else if (auto tied = shared.find(r.own.impl()); tied != shared.end()) {
      r.now = *tied->second;
    }
  }
  return all;
}

void put(Module& module, const std::vector<Replaced>& all) {
  size_t i = 0;
  for_each_tensor(module, [&](const std::string&, Tensor& value, bool) { value = all[i++].now; });
}

void put_back(Module& module, const std::vector<Replaced>& all) {
  std::unordered_map<std::string_view, const Replaced*> by_name;
  for (const Replaced& r : all) by_name.emplace(r.name, &r);
  for_each_tensor(module, [&](const std::string& name, Tensor& value, bool) {
    auto found = by_name.find(name);
    if (found != by_name.end() && value.impl() == found->second->now.impl()) {
      value = found->second->own;
    }
  });
}

}  // namespace

void replace_tensors(Module& module, std::span<const NamedTensor> tensors) {
  put(module, planned(module, tensors));
}

void with_tensors(Module& module, std::span<const NamedTensor> tensors, FunctionRef<void()> call) {
  std::vector<Replaced> all = planned(module, tensors);
  put(module, all);
  try {
    call();
  } catch (...) {
    put_back(module, all);
    throw;
  }
  put_back(module, all);
}

}  // namespace gyre::nn
