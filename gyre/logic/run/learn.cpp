#include "gyre/logic/run/learn.h"

#include <algorithm>

#include "gyre/autograd/backward.h"
#include "gyre/io/record_json.h"
#include "gyre/optim/schedule.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

Json options_of(const std::vector<Attribute>& attributes) {
  Json options = Json::object();
  for (const Attribute& a : attributes) {
    options[a.name] = std::visit([](const auto& value) { return Json(value); }, a.value);
  }
  return options;
}

ScheduleOptions schedule_of(const Learn& learn, double lr) {
  ScheduleOptions schedule{.kind = Schedule::constant, .lr = lr, .steps = learn.epochs};
  if (learn.scheduler.empty()) return schedule;
  Json options = options_of(learn.scheduler_options);
  options["kind"] = learn.scheduler;
  record_from_json(schedule, options);
  check_record("scheduler", schedule);
  (void)learning_rate(schedule, 0);
  return schedule;
}

}  // namespace

ReadyLearn prepare(const Learn& learn, Place place, Store& store,
                   const OptimizerTable& optimizers) {
  Names& names = store.names();
  const std::set<int> none;
  const Expr& objective = *learn.objective;
  const Entity* bare = objective.kind == Expr::reference && !objective.bracketed
                           ? names.find(objective.name)
                           : nullptr;
  if (bare && bare->ranked && bare->rank() > 0) {
    refuse(E0501, objective.place,
           {"the objective is one number, '", bare->name, "' has ", bare->rank(), " indices"});
  }
  ReadyLearn ready{&learn,
                   place,
                   lower_value(objective, {}, objective.place, store.context(none)),
                   {},
                   options_of(learn.optimizer_options)};
  const std::vector<int> below = store.learnable_below(ready.objective.reads);
  for (const std::string& name : learn.params) {
    const auto it = names.entity_of.find(name);
    if (it == names.entity_of.end()) refuse(E0101, place, {"'", name, "' is not defined"});
    if (std::find(below.begin(), below.end(), it->second) == below.end()) {
      refuse(E0501, place, {"the objective does not depend on a learnable tensor '", name, "'"});
    }
    ready.params.push_back(it->second);
  }
  if (learn.params.empty()) ready.params = below;
  if (ready.params.empty()) {
    refuse(E0501, objective.place, "the objective does not depend on a learnable tensor", "",
           "declare it: tensor W[3] learnable");
  }
  store.warn_of_discrete(ready.objective.reads);
  try {
    const OptimizerDef& def = optimizers.of(learn.optimizer);
    OpenAttrs options(*def.options);
    record_from_json(*def.options, options.memory, ready.optimizer_options);
    check_record(def.name, *def.options, options.memory);
  } catch (const Error& e) {
    refuse(E0502, learn.optimizer_place, {learn.optimizer, ": ", e.message()});
  }
  try {
    schedule_of(learn, 1e-3);
  } catch (const Error& e) {
    refuse(E0502, learn.scheduler_place, {learn.scheduler, ": ", e.message()});
  }
  return ready;
}

std::vector<double> run(const ReadyLearn& learn, Store& store, const OptimizerTable& optimizers) {
  std::vector<Tensor> parameters;
  for (const int e : learn.params) {
    (void)store.tensor(e);  // makes the leaf; the value may have equations besides
    parameters.push_back(store.leaf(e));
  }
  std::unique_ptr<Optimizer> optimizer;
  try {
    optimizer =
        make_optimizer(optimizers, learn.source->optimizer, learn.optimizer_options, parameters);
  } catch (const Error& e) {
    refuse(E0502, learn.source->optimizer_place, e.what());
  }
  const ScheduleOptions schedule = schedule_of(*learn.source, optimizer->lr());
  std::vector<double> losses;
  for (int64_t epoch = 0; epoch < learn.source->epochs; ++epoch) {
    store.check_time(learn.place);
    const Tensor loss = store.answer(learn.objective).tensor;
    if (loss.numel() != 1 || !loss.tracked()) {
      refuse(E0501, learn.source->objective->place,
             "the objective does not depend on its parameters by functions with a gradient");
    }
    losses.push_back(loss.item());
    backward(Inputs(&loss, 1));
    optimizer->set_lr(learning_rate(schedule, epoch));
    optimizer->step();
    for (Tensor& p : parameters) p.zero_grad();
    store.leaves_changed(learn.params);
  }
  return losses;
}

}  // namespace gyre::logic
