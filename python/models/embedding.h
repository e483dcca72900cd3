#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Embeddings of taxonomies: training and reading their folders.
void add_embedding(nb::module_& m);

}  // namespace gyre::python
