#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/io/named_tensor.h"
#include "gyre/models/files/model_files.h"

// Errors of tensors by the names and shapes that they have on disk.

namespace gyre {

/// How the files of a model hold a tensor of its module.
struct FileTensor {
  TensorPlace place;
  bool is_transposed = false;  ///< in Hugging Face's folders
  int64_t parts = 1;           ///< tensors of the module that are joined, row after row, in it
};

/// Error{value} naming tensors of a module that the state lacks and those of the state that the
/// module does not have, Error{shape} naming one of another shape. `file_tensor` is called for
/// those.
void check_file_state(std::span<const NamedTensor> module, std::span<const NamedTensor> state,
                      FunctionRef<FileTensor(std::string_view name)> file_tensor);

/// Error{value} for a tensor that is missing.
[[noreturn]] void refuse_missing(const TensorPlace& place);
/// Error{shape}; `wanted`: what was expected, such as its shape.
[[noreturn]] void refuse_shape(const TensorPlace& place, const Message& wanted);

}  // namespace gyre
