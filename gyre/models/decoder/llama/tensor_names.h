#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/models/decoder/decoder.h"
#include "gyre/models/files/file_tensor.h"
#include "gyre/models/files/model_files.h"

// The tensors of folders of Llama and its relatives: model.layers.0.self_attn.q_proj.weight is
// h.0.attn.c_q.weight of Decoder.

namespace gyre::llama {

/// The tensors of a model under their names in Decoder; parts of joint weights are views. Rows of
/// queries and keys for interleaved rope stay where the options have it; else they are copied to
/// the order of halves. Errors of ModelFiles::tensors().
std::vector<NamedTensor> read_tensors(const ModelFiles& files, const DecoderOptions& options,
                                      FileAccess access);

/// How files hold the tensor of that name in Decoder.
FileTensor file_tensor(const ModelFiles& files, const DecoderOptions& options,
                       std::string_view name, bool joint);

/// The tensors of a folder; with `joint`, gate and up projection are one.
std::vector<NamedTensor> file_tensors(Decoder& model, bool joint);

}  // namespace gyre::llama
