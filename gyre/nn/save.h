#pragma once
#include <string>

#include "gyre/nn/module.h"

namespace gyre::nn {

/// Writes the state of a module to a .safetensors or .npz file. Errors: those of write_tensors.
void save(Module& module, const std::string& path);
/// Reads the state of a module from such a file, as load_state_dict does. Errors: those of
/// read_tensors and load_state_dict.
UnmatchedNames load(Module& module, const std::string& path, Strict strict = Strict::yes);

}  // namespace gyre::nn
