#pragma once
#include <string>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/named_tensor.h"

namespace gyre {

/// The index of shards in a folder.
inline constexpr const char* kShardIndex = "/model.safetensors.index.json";

/// The tensors of a folder: of model.safetensors, or of the shards that
/// model.safetensors.index.json lists. Packed ones are packed tensors. Error{io, parse} naming the
/// file; Error{value} for a shard that is missing or whose name is a path, and for a tensor that is
/// in no shard, in another than the index says, or in two; Error{unsupported}, saying what converts
/// it, for a folder with pytorch_model.bin alone.
std::vector<NamedTensor> load_folder_state(const std::string& folder, FileAccess access);

/// The paths of its files. Errors of the index and of folders without safetensors, as above.
std::vector<std::string> safetensors_of(const std::string& folder);

}  // namespace gyre
