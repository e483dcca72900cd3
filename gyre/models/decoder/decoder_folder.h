#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/nn/module.h"

namespace gyre {

struct Architecture;
class Decoder;
class ModelFiles;

/// PyTorch's name of a floating dtype, as config.json has it: "bfloat16".
const char* torch_name(DType dtype);

/// The tensor of that name, or null.
const Tensor* find(const std::vector<NamedTensor>& state, std::string_view name);

/// Error{value} unless `layers`, the value of `field` in the folder's config.json, is the number of
/// blocks in the state: before they are made.
void check_layers(const std::string& folder, const std::vector<NamedTensor>& state,
                  const char* field, int64_t layers);

/// Errors of check_file_state() for the tensors of a decoder.
void check_decoder_state(Decoder& decoder, const Architecture& architecture,
                         const ModelFiles& files, std::span<const NamedTensor> state);

/// Error{value} unless a table, the tensor of that name, has as many rows as `field` of config.json
/// says (transformers refuses others, too).
void check_table_rows(const std::string& config_path, const char* field, int64_t stated,
                      const char* tensor, int64_t rows);

}  // namespace gyre
