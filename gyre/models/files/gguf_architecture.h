#pragma once
#include <string_view>

#include "gyre/io/gguf/gguf.h"
#include "gyre/io/json.h"

namespace gyre {

class GgufFields;

/// What a general.architecture of GGUF is in Hugging Face's terms.
struct GgufArchitecture {
  const char *name, *model_type;
  bool is_gpt2 = false;          ///< GPT-2's fields and names, else Llama's
  bool is_interleaved = false;   ///< q and k rows are in the order of interleaved rope
  bool has_norm_offset = false;  ///< norms are stored as 1 + weight
  bool has_norms_after = false;  ///< ffn_norm is pre_feedforward_layernorm
  bool is_joint = false;         ///< ffn_up is gate_up_proj
  /// Fields besides those of all.
  void (*more)(const GgufFields& fields, Json& config) = nullptr;
};

/// That of the file. Error{parse, value, unsupported}.
const GgufArchitecture& gguf_architecture(const GgufFile& file);

/// The config.json that the metadata stand for. Errors of GgufModel::config().
Json gguf_config(const GgufFile& file, const GgufArchitecture& architecture);

/// Hugging Face's name of a tensor; empty for one that is not needed. Error{unsupported} naming the
/// tensor if there is none.
std::string gguf_tensor_name(const GgufFile& file, const GgufArchitecture& architecture,
                             std::string_view name);

/// The reverse: the tensor of GGUF that has this name in Hugging Face's folders; the name itself if
/// the architecture has none.
std::string gguf_name_of(const GgufArchitecture& architecture, std::string_view name);

/// The number of blocks that the tensors are of.
int64_t gguf_blocks(const GgufFile& file);

}  // namespace gyre
