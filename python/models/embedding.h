#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Embeddings of taxonomies: how they are learned and what lies in their folders.
void add_embedding(nb::module_& m);

}  // namespace gyre::python
