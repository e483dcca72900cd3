#pragma once
#include <optional>

#include "gyre/io/safetensors.h"

namespace gyre {

/// Formats of tensor files that are read and written. The ending of the file name selects one.
enum class TensorFormat : uint8_t { safetensors, npz, npy };

/// Error{value} unless the path ends in .safetensors, .npz or .npy.
[[nodiscard]] TensorFormat tensor_format(const std::string& path);

/// All tensors of a file in these formats, a GGUF file (.gguf; quantised tensors become f32) or a
/// checkpoint of PyTorch (.pt, .pth; other values are left out). That of an .npy file has an empty
/// name. Errors: those of tensor_format, SafetensorsFile, read_npz, read_npy, GgufFile and
/// TorchFile. `verify` is for .safetensors; FileAccess::map maps all but .npz files.
[[nodiscard]] std::vector<NamedTensor> read_tensors(const std::string& path,
                                                    Verify verify = Verify::checksum,
                                                    FileAccess access = FileAccess::read);

struct TensorFileOptions {
  std::optional<SafetensorsMetadata> metadata{};  ///< .safetensors only
  bool compressed = false;                        ///< .npz only
};

/// Writes tensors through an AtomicFile; to an .npy file exactly one, without its name. Errors:
/// value, also for an option of another format; those of tensor_format, write_safetensors,
/// write_npz and write_npy.
void write_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                   const TensorFileOptions& options = {});

}  // namespace gyre
