#include "gyre/io/tensor_file.h"

#include "gyre/base/error.h"
#include "gyre/io/gguf/gguf.h"
#include "gyre/io/npy.h"
#include "gyre/io/pickle/torch_file.h"

namespace gyre {
namespace {

[[noreturn]] void refuse(const std::string& path, const Message& expected) {
  throw Error(Code::value, "", {path, ": expected ", expected});
}

}  // namespace

TensorFormat tensor_format(const std::string& path) {
  if (path.ends_with(".safetensors")) return TensorFormat::safetensors;
  if (path.ends_with(".npz")) return TensorFormat::npz;
  if (path.ends_with(".npy")) return TensorFormat::npy;
  refuse(path, "a file name that ends in .safetensors, .npz or .npy");
}

std::vector<NamedTensor> read_tensors(const std::string& path, Verify verify, FileAccess access) {
  if (path.ends_with(".gguf")) return GgufFile(path).load_all(access);
  if (path.ends_with(".pt") || path.ends_with(".pth")) return TorchFile(path).load_all(access);
  const TensorFormat format = tensor_format(path);
  if (format == TensorFormat::npy) return {{"", read_npy(path, access)}};
  if (format == TensorFormat::npz) return read_npz(path);
  return SafetensorsFile(path, verify, access).load_all();
}

void write_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                   const TensorFileOptions& options) {
  const TensorFormat format = tensor_format(path);
  if (options.metadata && format != TensorFormat::safetensors)
    refuse(path, "a .safetensors file for metadata");
  if (options.compressed && format != TensorFormat::npz)
    refuse(path, "an .npz file for compression");
  if (format == TensorFormat::npz)
    return write_npz(path, tensors, {.compressed = options.compressed});
  if (format == TensorFormat::safetensors)
    return write_safetensors(path, tensors, options.metadata.value_or(SafetensorsMetadata()));
  if (tensors.size() != 1) refuse(path, {"one tensor for an .npy file, got ", tensors.size()});
  write_npy(path, tensors[0].tensor);
}

}  // namespace gyre
