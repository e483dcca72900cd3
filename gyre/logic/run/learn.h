#pragma once
#include "gyre/logic/run/store.h"
#include "gyre/optim/optimizer_def.h"

namespace gyre::logic {

/// A `learn` that is ready to run.
struct ReadyLearn {
  const Learn* source;
  Place place;
  Lowered objective;
  std::vector<int> params;
  Json optimizer_options;
};

/// Checks objective, parameters, optimiser and scheduler. E0501, E0502.
ReadyLearn prepare(const Learn& learn, Place place, Store& store, const OptimizerTable& optimizers);

/// Minimises the objective; returns its value before the step of each epoch.
std::vector<double> run(const ReadyLearn& learn, Store& store, const OptimizerTable& optimizers);

}  // namespace gyre::logic
