#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/models/encoder/text_encoder.h"
#include "gyre/models/files/file_tensor.h"

// The tensors of folders of text encoders: bert.encoder.layer.0.attention.self.query.weight is
// h.0.attn.c_q.weight of TextEncoder.

namespace gyre {

/// The tensors of a folder under their names in TextEncoder, and what the folder's own are.
struct EncoderState {
  std::vector<NamedTensor> state{};
  std::vector<EncoderTensor> tensors{};
};

/// Parts of joint tensors are views. Tensors of heads, such as those of masked language models, are
/// kept; others keep their names, so that errors show them. Errors of load_folder_state();
/// Error{shape} for a joint tensor that cannot be halved; Error{value} for a tensor that has two
/// names.
EncoderState read_encoder_tensors(const std::string& folder, FileAccess access);

/// How a folder with these tensors holds that of the name in TextEncoder, also one that it lacks.
FileTensor encoder_file_tensor(const std::string& folder, const std::vector<EncoderTensor>& tensors,
                               std::string_view name);

/// The tensors of a folder for an encoder that was loaded from one.
std::vector<NamedTensor> encoder_file_tensors(TextEncoder& model);

}  // namespace gyre
