#pragma once
#include "python/core/errors.h"

// The parts of the module _gyre.

namespace gyre::python {

void add_creation(nb::module_& m);
/// backward, grad, no_grad and other autograd functions, overflow.
void add_autograd(nb::module_& m);
/// Transforms of functions, custom functions, gradcheck.
void add_functional(nb::module_& m);
/// checkpoint, CheckpointBudget.
void add_checkpoint(nb::module_& m);
void add_einsum_path(nb::module_& m);
/// save and load.
void add_files(nb::module_& m);
void add_tokenizer(nb::module_& m);
/// The internals of gyre.torch.
void add_torch(nb::module_ m);

// Each of these fills a submodule for the Python file of the same name in gyre/.

/// Modules, the layers of the table and parameter initialisers.
void add_nn(nb::module_ m);
/// The optimisers of the table, learning-rate schedules, gradient clipping, EMA, loss scaling.
void add_optim(nb::module_ m);
/// Datasets, data loaders and file readers.
void add_data(nb::module_ m);
/// Training, text generation and model folders.
void add_models(nb::module_ m);
/// Formats, gradients and compression of packed weights.
void add_packed(nb::module_ m);
/// Tensor logic programs.
void add_logic(nb::module_ m);
/// Manifolds and manifold parameters.
void add_hyperbolic(nb::module_ m);

// Parts of these submodules.

/// Learning-rate schedules, gradient clipping, EMA, loss scaling.
void add_optim_parts(nb::module_& m);
/// Readers for images, tables, text and token files.
void add_data_files(nb::module_& m);
/// Embeddings of taxonomies: training and reading their folders.
void add_embedding(nb::module_& m);
/// Trained networks of layers with their data encoding.
void add_predictor(nb::module_& m);
/// Text generation, perplexity.
void add_generation(nb::module_& m);
/// Vectors of texts.
void add_sentence_encoder(nb::module_& m);

}  // namespace gyre::python
