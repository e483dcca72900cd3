#include "gyre/nn/save.h"

#include "gyre/io/tensor_file.h"

namespace gyre::nn {

void save(Module& module, const std::string& path) { write_tensors(path, module.state_dict()); }

UnmatchedNames load(Module& module, const std::string& path, Strict strict) {
  return module.load_state_dict(read_tensors(path), strict);
}

}  // namespace gyre::nn
