#pragma once
#include <string>

#include "python/module.h"

namespace gyre::python {

/// The bytes of a path that is a str, bytes or os.PathLike. TypeError for another type,
/// Error{value} for a null byte.
std::string path_of(nb::handle path);

}  // namespace gyre::python
