#pragma once
#include "gyre/models/language_model.h"
#include "python/core/errors.h"

namespace gyre::python {

/// The language model of a Python module. Error{unsupported} if it is none of the layer table.
LanguageModel& language_model_in(nb::handle module);

}  // namespace gyre::python
