#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "gyre/io/json.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

Json shape_json(const Shape& shape);

/// What `gyre inspect` shows of a GGUF file, a checkpoint of PyTorch, arrays of NumPy or a model of
/// llama2.c, known by how it begins or ends; nothing for others. Errors of their readers.
std::optional<Json> model_file_json(const std::string& path, std::string_view content);

/// Whether a file has the name of PyTorch's weights in a model folder.
bool is_torch_weights(std::string_view path);

}  // namespace gyre
