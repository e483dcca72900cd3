#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "gyre/io/json.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

class Tokenizer;

Json shape_json(const Shape& shape);

/// What `gyre inspect` shows of a GGUF file, a checkpoint of PyTorch, arrays of NumPy or a model or
/// tokenizer of llama2.c, known by how it begins or ends; nothing for others. Errors of their
/// readers.
std::optional<Json> model_file_json(const std::string& path, std::string_view content);

/// What it shows of a tokenizer, of which `content` is the tokenizer.json.
Json tokenizer_json(const std::string& path, const Tokenizer& tokenizer, const Json& content);

/// What it shows of a file of JSON values, one each line: how many, the names of their fields, and
/// the last. Error{parse} naming the line.
Json json_lines_json(const std::string& path, std::string_view content);

/// Whether a file has the name of PyTorch's weights in a model folder.
bool is_torch_weights(std::string_view path);

}  // namespace gyre
