#pragma once
#include "python/core/errors.h"

// The parts of the module _gyre.

namespace gyre::python {

void add_creation(nb::module_& m);
/// backward, grad, no_grad and what else differentiates.
void add_autograd(nb::module_& m);
/// Transforms of functions, custom functions, gradcheck.
void add_functional(nb::module_& m);
/// checkpoint, CheckpointBudget.
void add_checkpoint(nb::module_& m);
void add_einsum_path(nb::module_& m);
void add_tokenizer(nb::module_& m);
/// What gyre.torch is made of.
void add_torch(nb::module_ m);

// Each of these has a module of its own, for the file of that name in gyre/.

/// Modules, the layers of the table and their beginnings.
void add_nn(nb::module_ m);
/// The optimisers of the table, schedules, clipping, averages, loss scales.
void add_optim(nb::module_ m);
/// Datasets, loaders, and what is read from files.
void add_data(nb::module_ m);
/// Training, generating, models in folders.
void add_models(nb::module_ m);

/// save and load.
void add_files(nb::module_& m);

}  // namespace gyre::python
