#include "gyre/nn/module.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "gyre/base/error.h"
#include "gyre/nn/init.h"
#include "gyre/nn/layer_stack.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/kind.h"
#include "gyre/tensor/points.h"
#include "gyre/tensor/replaced.h"

namespace gyre::nn {
namespace {

std::vector<NamedTensor> collect(Module& module, bool parameters, bool buffers) {
  std::vector<NamedTensor> found;
  for_each_tensor(module, [&](std::string name, Tensor& value, bool is_parameter) {
    if (!(is_parameter ? parameters : buffers)) return;
    auto same = [&](const NamedTensor& t) { return t.tensor.impl() == value.impl(); };
    if (std::any_of(found.begin(), found.end(), same)) return;
    auto named = [&](const NamedTensor& t) { return t.name == name; };
    if (std::any_of(found.begin(), found.end(), named)) {
      throw Error(Code::value, "module", "two tensors have the name " + name, {}, name);
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

class StackFinder final : public Visitor {
 public:
  void parameter(std::string_view, Tensor&) override {}
  void buffer(std::string_view, Tensor&) override {}
  void module(std::string_view, Module& child) override { child.visit(*this); }
  void stack(LayerStack& stack) override { stacks.push_back(&stack); }

  std::vector<LayerStack*> stacks;
};

using StateByName = std::unordered_map<std::string_view, const Tensor*>;

// Throws one Error that lists every mismatch of `given`.
UnmatchedNames check_state(const std::vector<NamedTensor>& own, const StateByName& given,
                           Strict strict) {
  UnmatchedNames unmatched;
  auto& [missing, unknown] = unmatched;
  std::vector<std::string> unfilled, other;
  std::string wanted, actual;
  std::unordered_set<std::string_view> names;
  for (const NamedTensor& t : own) {
    names.insert(t.name);
    auto found = given.find(t.name);
    if (found == given.end()) {
      missing.push_back(t.name);
      if (is_unfilled(t.tensor)) unfilled.push_back(t.name);
    } else if (const Shape& here = t.tensor.shape(), &there = found->second->shape();
               !(here == there)) {
      if (other.empty()) wanted = to_string(here), actual = to_string(there);
      other.push_back(t.name + " is " + to_string(here) + " in the module but " + to_string(there) +
                      " in the state");
    }
  }
  for (const auto& [name, tensor] : given) {
    if (!names.contains(name)) unknown.emplace_back(name);
  }
  std::sort(unknown.begin(), unknown.end());
  std::string text;
  auto tell = [&](const char* what, const std::vector<std::string>& which) {
    if (!which.empty()) text += (text.empty() ? "" : "; ") + std::string(what) + joined(which);
  };
  if (strict == Strict::yes) {
    tell("missing: ", missing);
    tell("unknown: ", unknown);
    if (!text.empty()) wanted = joined(missing), actual = joined(unknown);
  } else {
    tell("missing, and the module was made without values: ", unfilled);
  }
  const Code code = text.empty() ? Code::shape : Code::value;
  tell("", other);
  if (text.empty()) return unmatched;
  throw Error(code, "load_state_dict", text, wanted, actual);
}

using Replacements = std::unordered_map<const TensorImpl*, Tensor>;

// Shared tensors stay shared, and points on their manifold.
void replace(Module& module, const Replacements& plain) {
  if (plain.empty()) return;
  Replacements points;
  auto in = [](const Replacements& now, const Tensor& t) {
    auto found = now.find(t.impl());
    return found == now.end() ? t : found->second;
  };
  for_each_tensor(module, [&](const std::string&, Tensor& value, bool) {
    const Space* space = space_of(value);
    if (!space) return;
    bool other_space = false;
    Ref<const Space> now = space->with([&](const Tensor& t) {
      other_space |= plain.contains(t.impl());
      return in(plain, t);
    });
    if (!other_space) now = Ref<const Space>(space);
    if (!other_space && !plain.contains(value.impl())) return;
    points.emplace(value.impl(), points_of(std::move(now), in(plain, value)));
  });
  for_each_tensor(module, [&](const std::string&, Tensor& value, bool) {
    const Tensor now = in(space_of(value) ? points : plain, value);
    if (now.impl() != value.impl()) note_replaced(value, now);
    value = now;
  });
}

}  // namespace

Tensors Module::forward(Inputs) const {
  throw Error(Code::unsupported, "forward",
              "this module has no generic forward(); call its own methods");
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

UnmatchedNames Module::take_state(std::span<const NamedTensor> state, Strict strict, bool lend) {
  std::unordered_map<std::string_view, const Tensor*> given;
  for (const NamedTensor& t : state) given.emplace(t.name, &t.tensor);
  std::vector<NamedTensor> own = state_dict();
  UnmatchedNames unmatched = check_state(own, given, strict);
  std::erase_if(own, [&](const NamedTensor& t) { return !given.contains(t.name); });
  const auto is_lent = [&](const NamedTensor& t) {
    const Tensor& value = *given.at(t.name);
    const bool same_dtype = value.dtype() == t.tensor.dtype() || has_kind_values(value);
    return lend && same_dtype && value.device() == t.tensor.device();
  };
  const auto is_anew = [&](const NamedTensor& t) { return lend || is_unfilled(t.tensor); };
  const auto require = [&](const NamedTensor& t, const Tensor& value) {
    if (!is_lent(t)) {
      if (has_kind_values(value) && t.tensor.plain()) return;
      if (has_kind_values(value) && t.tensor.kind() == value.kind())
        return kind_storage(t.tensor).require_same_layout(kind_storage(value));
      if (!t.tensor.plain() && value.plain()) {
        throw Error(Code::unsupported, t.name,
                    {"is ", describe_kind(t.tensor), " in the module and plain in the state"},
                    describe_kind(t.tensor), "a plain tensor");
      }
      require_plain(t.tensor, t.name.c_str());
      require_plain(value, t.name.c_str());
    } else if (!has_kind_values(value)) {
      require_plain(value, t.name.c_str());
      check_in_place(value, false, t.name.c_str());
    }
    if (!is_anew(t)) check_in_place(t.tensor, false, t.name.c_str());
  };
  NoGrad scope;
  for (const NamedTensor& t : own) {  // nothing is assigned unless all can be
    require(t, *given.at(t.name));
  }
  Replacements now;
  for (const NamedTensor& t : own) {
    const Tensor& value = *given.at(t.name);
    const bool lent = is_lent(t), anew = is_anew(t);
    if (!lent && has_kind_values(value)) {
      if (t.tensor.kind() == value.kind())
        kind_storage(t.tensor).assign(kind_storage(value));
      else
        now.emplace(t.tensor.impl(),
                    copy_of_kind(value).set_requires_grad(t.tensor.requires_grad()));
      continue;
    }
    Tensor target = lent ? value.detach() : anew ? empty_like(t.tensor) : t.tensor;
    if (!lent) assign(target, value, t.name);
    if (anew) now.emplace(t.tensor.impl(), target.set_requires_grad(t.tensor.requires_grad()));
  }
  replace(*this, now);
  return unmatched;
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

void Module::convert(FunctionRef<Tensor(const Tensor&, bool is_parameter)> converted) {
  NoGrad scope;
  Replacements made;
  for_each_tensor(*this, [&](const std::string&, Tensor& value, bool is_parameter) {
    if (made.contains(value.impl())) return;
    // one element in memory stays one
    bool one = is_unfilled(value);
    Tensor from = one ? make_view(value, {}, {}, value.impl()->offset) : value;
    Tensor now = converted(from, is_parameter);
    if (now.impl() == from.impl()) return;
    if (one) now = expand(now, value.shape());
    made.emplace(value.impl(), now.set_requires_grad(value.requires_grad()));
  });
  replace(*this, made);
}

void Module::to(DType wanted) {
  convert([&](const Tensor& t, bool is_parameter) {
    if (has_kind_values(t)) return t;
    DType dtype = is_parameter || wanted == DType::f64 ? wanted : DType::f32;
    return is_floating(t.dtype()) ? gyre::to(t, dtype) : t;
  });
}

void Module::to(Device device) {
  require_available(device, "to");
  convert([&](const Tensor& t, bool) { return on_device(t, device); });
}

Device Module::device() {
  std::optional<Device> first;
  for_each_tensor(*this, [&](const std::string&, Tensor& t, bool) {
    if (!first) first = t.device();
  });
  return first.value_or(default_device());
}

void Module::set_gradient_checkpointing(int64_t every) {
  constexpr const char* kOp = "set_gradient_checkpointing";
  if (every < 0) throw Error(Code::value, kOp, "expected 0 or more layers", "0 or more", every);
  StackFinder finder;
  visit(finder);
  if (finder.stacks.empty())
    throw Error(Code::unsupported, kOp, "the module has no stack of layers, such as a transformer");
  for (LayerStack* stack : finder.stacks) stack->checkpoint_every = every;
}

void assign(const Tensor& target, const Tensor& value, std::string_view name) {
  if (!(target.shape() == value.shape())) {
    throw mismatch(Code::shape, name, {"expected shape ", target.shape()}, target.shape(),
                   value.shape());
  }
  NoGrad scope;
  copy_(target, value);
}

}  // namespace gyre::nn
