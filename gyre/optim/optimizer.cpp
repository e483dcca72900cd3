#include "gyre/optim/optimizer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "gyre/base/error.h"
#include "gyre/io/record_json.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/optimizer_def.h"
#include "gyre/optim/rules/optim_ops.h"
#include "gyre/optim/state_dict.h"
#include "gyre/tensor/kind.h"
#include "gyre/tensor/replaced.h"

namespace gyre {
namespace {

bool is_16_bit(DType dtype) { return size_of(dtype) == 2; }

// The route of parameter t, which has this number, after checks; `before` are others.
const StepRoute* route_of(const OptimizerDef& def, const Tensor& t, const void* options,
                          size_t number, std::span<const Tensor> before) {
  std::string name = "parameter " + std::to_string(number);
  auto refuse = [&](const Message& why, Code code = Code::value) {
    throw Error(code, def.name, {name, " ", why});
  };
  if (!t.defined()) refuse("is empty");
  if (node_of(t)) refuse("is not a leaf but the result of an op; pass leaf tensors or x.detach()");
  const auto route = std::ranges::find_if(def.routes, [&](auto& r) { return r.takes(t, options); });
  if (route == def.routes.end()) {
    const bool other = !t.plain() && t.kind() != TensorKind::packed;
    Code code = other ? Code::unsupported : is_16_bit(t.dtype()) ? Code::dtype : Code::value;
    refuse(why_not_free(t, def.class_name), code);
  }
  if (!is_floating(t.dtype())) refuse({"has dtype ", t.dtype(), "; expected a floating dtype"});
  if (!t.is_contiguous() && !t.impl()->storage->borrowed)
    refuse("is not contiguous; pass contiguous(x)");
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i].impl() == t.impl()) refuse({"is the same as parameter ", i});
  }
  return &*route;
}

// Gives a strided parameter, such as a transposed weight in a mapped file, contiguous memory.
void make_contiguous(const Tensor& t) {
  if (t.is_contiguous()) return;
  const Tensor copy = clone(t.detach());
  TensorImpl& own = *t.impl();
  own.storage = copy.impl()->storage;
  own.strides = copy.strides();
  own.offset = 0;
}

[[noreturn]] void refuse_gradient(const OptimizerDef& def, const Tensor& value, const Tensor& g) {
  throw Error(Code::dtype, def.name,
              {"a parameter has dtype ", value.dtype(), ", but its gradient has ", g.dtype()},
              value.dtype(), g.dtype());
}

// Which of n parameters a saved state has tensors of, or steps.
std::vector<bool> with_state(std::span<const NamedTensor> state, size_t n) {
  std::vector<bool> has(n);
  for (const NamedTensor& t : state) {
    if (t.name == "steps") {
      std::vector<int64_t> steps = to_vector<int64_t>(t.tensor);
      for (size_t i = 0; i < std::min(n, steps.size()); ++i) has[i] = has[i] || steps[i] > 0;
    }
    size_t dot = t.name.rfind('.'), i = n;
    const char* end = t.name.data() + t.name.size();
    if (dot == t.name.npos) continue;
    if (std::from_chars(t.name.data() + dot + 1, end, i).ptr == end && i < n) has[i] = true;
  }
  return has;
}

// Names of the state tensors of a parameter, of which it has the first.
std::span<const char* const> state_names(const OptimizerDef& def) {
  return def.states.empty() ? def.step->outputs.subspan(kBeforeState) : def.states;
}

const Field& rate_of(const OptimizerDef& def) { return *find_field(*def.options, "lr"); }

}  // namespace

Tensor incoming(const Tensor& gradient, const GradientNumbers& numbers) {
  const bool zero = numbers.finite_only != 0;
  Tensor finite = zero ? where(isfinite(gradient), gradient, zeros_like(gradient)) : gradient;
  return numbers.scale == 1 ? finite : finite * numbers.scale;
}

Optimizer::Optimizer(const OptimizerDef& def) : def_(def) {}
Optimizer::~Optimizer() = default;

void Optimizer::add_group(const Json& options, std::span<const Tensor> parameters) {
  auto box = make_ref<OpenAttrs>(*def_.options);
  record_from_json(*def_.options, box->memory, options);
  add(parameters, std::move(box));
}

void Optimizer::add(std::span<const Tensor> parameters, Ref<OpenAttrs> options) {
  const size_t outputs = def_.step ? def_.step->outputs.size() : 0;
  const size_t named = outputs < kBeforeState ? 0 : state_names(def_).size();
  for (const Tensor& t : parameters) {
    const size_t wanted = t.defined() ? states(options->memory, t) : 0;
    if (outputs < kBeforeState || named < wanted || outputs > kBeforeState + StepArrays::kStates)
      throw Error(Code::internal, def_.name, "its step op does not have its state as outputs");
  }
  check_all(options->memory);
  if (parameters.empty())
    throw Error(Code::value, def_.name, "no parameters to optimise; pass at least one tensor");
  std::vector<Tensor> all = parameters_;
  std::vector<Slot> slots = slots_;
  for (const Tensor& t : parameters) {
    slots.push_back({groups(), route_of(def_, t, options->memory, all.size(), all), t.dtype()});
    all.push_back(t);
  }
  for (const Tensor& t : parameters) make_contiguous(t);
  options_.push_back(std::move(options));  // nothing below fails
  slots_ = std::move(slots);
  parameters_ = std::move(all);
}

void Optimizer::fit_state(Slot& slot, size_t i, const void* options) const {
  NoGrad scope;
  const Tensor& value = parameters_[i];
  if (slot.dtype != value.dtype()) choose_route(slot, i, options);
  make_contiguous(value);
  size_t wanted = states(options, value);
  DType dtype = is_16_bit(value.dtype()) ? DType::f32 : value.dtype();
  const auto own_dtype = [&](size_t kind) {
    return slot.route->state_dtype ? slot.route->state_dtype(kind, value) : dtype;
  };
  const auto fit = [&](Tensor& t, DType as) {
    if (t.dtype() != as || t.device() != value.device()) t = on_device(to(t, as), value.device());
  };
  while (slot.state.size() > wanted) slot.state.pop_back();
  for (size_t k = 0; k < slot.state.size(); ++k) fit(slot.state[k], own_dtype(k));
  while (slot.state.size() < wanted) {
    auto shape = slot.route->state_shape;
    const size_t k = slot.state.size();
    slot.state.push_back(
        zeros(shape ? shape(k, value) : value.shape(), {own_dtype(k), value.device()}));
  }
  if (dtype == value.dtype())
    slot.master = {};
  else if (slot.master.defined())
    fit(slot.master, dtype);
  else
    slot.master = to(value.detach(), dtype);
}

// The gradient as steps take it; an empty one stays empty.
Tensor Optimizer::checked(const Tensor& g, size_t parameter) const {
  const Tensor& value = parameters_[parameter];
  if (!g.defined()) return g;
  const StepRoute& route = *slots_[parameter].route;
  const bool own = !g.plain() && kind_storage(g).is_gradient_of(value.kind());
  if (!own) require_plain(g, def_.name);
  if (!(g.shape() == value.shape())) {
    throw mismatch(Code::shape, def_.name,
                   {"expected a gradient of shape ", value.shape(), " for parameter ", parameter},
                   value.shape(), g.shape());
  }
  bool fits = g.dtype() == value.dtype() || (is_16_bit(value.dtype()) && g.dtype() == DType::f32);
  if (!fits) refuse_gradient(def_, value, g);
  return contiguous(route.gradient ? route.gradient(g) : g);
}

void Optimizer::fit_state(size_t i) { fit_state(slots_[i], i, options_[slots_[i].group]->memory); }

// Of a parameter whose options or dtype have changed.
void Optimizer::choose_route(Slot& slot, size_t i, const void* options) const {
  const Tensor& value = parameters_[i];
  const StepRoute* before = std::exchange(slot.route, route_of(def_, value, options, i, {}));
  slot.dtype = value.dtype();
  if (slot.route == before) return;
  slot.state.clear();  // it means something else: as at the first step
  slot.steps = 0;
}

ParameterStep Optimizer::step_of(size_t i, const Tensor& gradient, const GradientNumbers& numbers) {
  Slot& slot = slots_[i];
  void* options = options_[slot.group]->memory;
  GradientNumbers own = numbers;
  const Field* maximize = find_field(*def_.options, "maximize");
  if (maximize && field_value<bool>(options, *maximize)) own.scale = -own.scale;
  return {parameters_[i], options, slot.state, slot.master, slot.steps, gradient, own};
}

void Optimizer::step_chunks(const Optimizer& optimizer, std::span<const ParameterStep> steps,
                            const Tensor&) {
  const OpDef& op = *optimizer.def_.step;
  std::vector<double> numbers;
  Tensors in{Tensor()}, out;
  for (const ParameterStep& s : steps) {
    optimizer.add_numbers(s.options, {s.steps + 1, s.numbers}, numbers);
    out.push_back(s.parameter);
    out.push_back(s.master);
    for (const Tensor& t : s.state) out.push_back(t);
    out.resize(in.size() * op.outputs.size());
    in.push_back(s.gradient);
  }
  auto count = static_cast<int64_t>(steps.size()), all = static_cast<int64_t>(numbers.size());
  in[0] = on_device(tensor(numbers, {count, all / count}), in[1].device());
  const std::atomic<uint32_t>& version = out[0].impl()->storage->version;
  const uint32_t before = version;
  auto raise_counts = [&] {
    for (const ParameterStep& s : steps) ++s.steps;
  };
  try {
    write(op, in, out);
  } catch (...) {
    if (version != before) raise_counts();  // an observer threw after the step
    throw;
  }
  raise_counts();
}

GradientNumbers Optimizer::gradient_numbers(std::span<const Tensor> gradients,
                                            const StepOptions& options, StepResult& result) const {
  const bool zero = options.non_finite == NonFinite::zero;
  GradientNumbers numbers{options.scale, static_cast<double>(zero)};
  bool raise = options.non_finite == NonFinite::raise;
  bool looks = raise || options.non_finite == NonFinite::skip;
  if (!looks && !zero && !options.norm && !(options.clip > 0)) return numbers;
  result.gradient_norm = total_norm(gradients, zero);
  if (options.scale != 1) result.gradient_norm = result.gradient_norm * std::abs(options.scale);
  if (!looks && !(options.clip > 0)) return numbers;
  const double norm = result.gradient_norm.item();
  if (std::isfinite(norm)) {
    numbers.scale *= clip_factor(norm, options.clip);
  } else {
    if (raise) refuse_non_finite(def_.name, gradients);
    result.applied = options.non_finite == NonFinite::apply;
  }
  return numbers;
}

bool Optimizer::follow() {
  bool any = false;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Tensor& p = parameters_[i];
    const Tensor now = newest(p);
    if (!p.grad().defined() && now.grad().defined()) {
      if (now.kind() != p.kind()) {
        throw Error(Code::value, def_.name,
                    {"parameter ", i, " has become ", describe_kind(now),
                     " since the optimiser was made; make another one"},
                    describe_kind(p), describe_kind(now));
      }
      p = now;
    }
    any |= p.grad().defined();
  }
  return any;
}

std::vector<Tensor> Optimizer::parameters(size_t group) const {
  check_group(group);
  std::vector<Tensor> own;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (slots_[i].group == group) own.push_back(parameters_[i]);
  }
  return own;
}

StepResult Optimizer::step(const StepOptions& options) {
  follow();
  std::vector<Tensor> gradients;
  for (const Tensor& p : parameters_) gradients.push_back(p.grad());
  return step(std::move(gradients), options);
}

StepResult Optimizer::apply_gradients(std::span<const NamedTensor> gradients,
                                      std::span<const NamedTensor> parameters,
                                      const StepOptions& options) {
  std::vector<Tensor> chosen(parameters_.size());
  for (const NamedTensor& g : gradients) {
    const auto named = std::ranges::find(parameters, g.name, &NamedTensor::name);
    if (named == parameters.end())
      throw Error(Code::value, def_.name, "no parameter has the name of the gradient " + g.name);
    const auto own = std::ranges::find_if(parameters_, [&](const Tensor& p) {
      return p.impl() == named->tensor.impl() || newest(p).impl() == named->tensor.impl();
    });
    if (own == parameters_.end())
      throw Error(Code::value, def_.name, g.name + " is not a parameter of this optimiser");
    *own = named->tensor;
    chosen[static_cast<size_t>(own - parameters_.begin())] = g.tensor;
  }
  return step(std::move(chosen), options);
}

StepResult Optimizer::step(std::vector<Tensor> gradients, const StepOptions& options) {
  check_record(def_.name, options);
  NoGrad scope;
  for (size_t i = 0; i < parameters_.size(); ++i) gradients[i] = checked(gradients[i], i);
  StepResult result;
  GradientNumbers numbers = gradient_numbers(gradients, options, result);
  if (!result.applied) return result;
  for (size_t i = 0; i < parameters_.size(); ++i) {  // all memory before the first change
    if (gradients[i].defined()) fit_state(i);
  }
  for (const StepRoute& route : def_.routes) {
    std::vector<ParameterStep> steps;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (gradients[i].defined() && slots_[i].route == &route)
        steps.push_back(step_of(i, gradients[i], numbers));
    }
    if (!steps.empty()) route.step(*this, steps, {});
  }
  return result;
}

void Optimizer::check_index(size_t i) const {
  if (i < parameters_.size()) return;
  throw Error(Code::index, def_.name, {"invalid parameter index ", i},
              {"below ", parameters_.size()}, i);
}

void Optimizer::step_parameter(size_t i, double scale) {
  check_index(i);
  NoGrad scope;
  const Tensor g = checked(parameters_[i].grad(), i);
  if (!g.defined()) return;
  fit_state(i);
  const GradientNumbers numbers{scale};
  const ParameterStep step = step_of(i, g, numbers);
  slots_[i].route->step(*this, {&step, 1}, {});
}

void Optimizer::step_rows(size_t i, const Tensor& rows, const Tensor& gradient, double scale) {
  check_index(i);
  NoGrad scope;
  const Tensor& parameter = parameters_[i];
  const StepRoute& route = *slots_[i].route;
  if (!route.by_rows || parameter.rank() != 2) {
    throw Error(Code::unsupported, def_.name,
                "step_rows() expects a parameter [rows, d] whose rows are updated as wholes");
  }
  if (gradient.dtype() != parameter.dtype()) refuse_gradient(def_, parameter, gradient);
  UniqueResult distinct = unique(rows);
  Tensor before = index_select(parameter, 0, distinct.values);
  Tensor total = index_add(zeros_like(before), 0, distinct.inverse, gradient);
  fit_state(i);
  const GradientNumbers numbers{scale};
  const ParameterStep step = step_of(i, total, numbers);
  route.step(*this, {&step, 1}, distinct.values);
}

void Optimizer::zero_grad() {
  for (const Tensor& t : parameters_) {
    t.impl()->grad = {};
    newest(t).impl()->grad = {};
  }
}

void Optimizer::check_group(size_t group) const {
  if (group < groups()) return;
  throw Error(Code::index, def_.name, {"invalid group index ", group}, {"below ", groups()}, group);
}

void Optimizer::check_all(void* options) const {
  check_record(def_.name, *def_.options, options);
  check(options);
}

Json Optimizer::options(size_t group) const {
  check_group(group);
  return record_to_json(*def_.options, options_[group]->memory);
}

// For groups [first, end).
void Optimizer::set_options(const Json& options, size_t first, size_t end) {
  std::vector<Ref<OpenAttrs>> changed;
  for (size_t g = first; g < end; ++g) {
    changed.push_back(make_ref<OpenAttrs>(*def_.options));
    void* memory = changed.back()->memory;
    record_from_json(*def_.options, memory, this->options(g));
    record_from_json(*def_.options, memory, options);
    check_all(memory);
  }
  std::vector<Slot> slots = slots_;
  for (size_t i = 0; i < slots.size(); ++i) {
    size_t group = slots[i].group;
    if (group < first || group >= end) continue;
    const void* memory = changed[group - first]->memory;
    choose_route(slots[i], i, memory);
    if (slots[i].begun()) fit_state(slots[i], i, memory);
  }
  slots_ = std::move(slots);
  std::move(changed.begin(), changed.end(), options_.begin() + static_cast<ptrdiff_t>(first));
}

void Optimizer::set_options(const Json& options) { set_options(options, 0, groups()); }

void Optimizer::set_options(const Json& options, size_t group) {
  check_group(group);
  set_options(options, group, group + 1);
}

double Optimizer::lr(size_t group) const {
  check_group(group);
  return field_value<double>(options_[group]->memory, rate_of(def_));
}

void Optimizer::set_lr(double lr) {
  for (size_t g = 0; g < groups(); ++g) set_lr(lr, g);
}

void Optimizer::set_lr(double lr, size_t group) {
  check_group(group);
  check_number(def_.name, rate_of(def_), lr);
  field_value<double>(options_[group]->memory, rate_of(def_)) = lr;
}

std::vector<NamedTensor> Optimizer::state_dict() { return state_dict(slots_); }

std::vector<NamedTensor> Optimizer::state_dict(std::span<const Slot> slots) const {
  std::vector<int64_t> steps;
  for (const Slot& slot : slots) steps.push_back(slot.steps);
  std::vector<NamedTensor> dict;
  dict.push_back({"steps", tensor(steps, {static_cast<int64_t>(steps.size())})});
  for (size_t i = 0; i < slots.size(); ++i) {
    const std::span<const char* const> kinds = state_names(def_);
    std::string number = "." + std::to_string(i);
    for (size_t k = 0; k < slots[i].state.size(); ++k) {
      dict.push_back({kinds[k] + number, slots[i].state[k]});
    }
    if (slots[i].master.defined()) dict.push_back({"master" + number, slots[i].master});
  }
  return dict;
}

void Optimizer::load_state_dict(std::span<const NamedTensor> given) {
  NoGrad scope;
  std::vector<Slot> slots = slots_;
  std::vector<bool> has_state = with_state(given, slots.size());
  auto lacks = [&](const std::string& name) {
    return std::ranges::find(given, name, &NamedTensor::name) == given.end();
  };
  for (size_t i = 0; i < slots.size(); ++i) {
    if (has_state[i]) {
      if (lacks("master." + std::to_string(i))) slots[i].master = {};  // made anew from the value
      fit_state(slots[i], i, options_[slots[i].group]->memory);
    } else {
      slots[i] = {slots[i].group, slots[i].route, slots[i].dtype};
    }
  }
  std::vector<NamedTensor> own = state_dict(slots);
  std::erase_if(
      own, [&](const NamedTensor& t) { return t.name.starts_with("master.") && lacks(t.name); });
  std::vector<Tensor> from = matching_state(def_.name, own, given);
  std::vector<int64_t> steps = to_vector<int64_t>(from[0]);
  for (int64_t count : steps) {
    if (count < 0) {
      throw Error(Code::value, def_.name, "expected step counts of 0 or more in the state",
                  "0 or more", count);
    }
  }
  slots_ = std::move(slots);
  for (size_t i = 0; i < steps.size(); ++i) slots_[i].steps = steps[i];
  for (size_t i = 1; i < own.size(); ++i) copy_(own[i].tensor, from[i]);
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].route->loaded && slots_[i].begun())
      slots_[i].route->loaded(parameters_[i], slots_[i].state);
  }
}

void Optimizer::settle() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (!slot.route->settle || !slot.begun() || slot.settled == slot.steps) continue;
    slot.route->settle(parameters_[i], options_[slot.group]->memory, slot.state, slot.steps);
    slot.settled = slot.steps;
  }
}

int64_t Optimizer::cycle() const {
  int64_t steps = 1;
  for (const Slot& slot : slots_) {
    if (slot.route->cycle) steps = std::lcm(steps, slot.route->cycle(options_[slot.group]->memory));
  }
  return steps;
}

}  // namespace gyre
