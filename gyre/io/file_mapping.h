#pragma once
#include "gyre/base/system/mapped_file.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// A mapped file that tensors over its bytes keep open. Writing to them never changes the file.
struct FileMapping : RefCounted {
  explicit FileMapping(const InputFile& input) : file(input, MapMode::copy_on_write) {}
  explicit FileMapping(const std::string& path) : file(path, MapMode::copy_on_write) {}
  MappedFile file;
};

/// A contiguous tensor over bytes of the mapping, which must be aligned for its dtype.
Tensor lend(const Ref<FileMapping>& mapping, std::byte* from, const Meta& meta);
/// Over bytes from `begin` on, or a copy where they are not aligned or `access` is read.
Tensor tensor_of_bytes(const Ref<FileMapping>& mapping, uint64_t begin, const Meta& meta,
                       FileAccess access);

}  // namespace gyre
