#include "gyre/io/file_mapping.h"

#include <cstring>
#include <memory>

namespace gyre {

Tensor lend(const Ref<FileMapping>& mapping, std::byte* from, const Meta& meta) {
  auto owner = std::make_unique<Ref<FileMapping>>(mapping);
  Tensor lent =
      borrow(from, meta, contiguous_strides(meta.shape), owner.get(),
             [](void* mapping) noexcept { delete static_cast<Ref<FileMapping>*>(mapping); });
  owner.release();
  return lent;
}

Tensor tensor_of_bytes(const Ref<FileMapping>& mapping, uint64_t begin, const Meta& meta,
                       FileAccess access) {
  const size_t bytes = static_cast<size_t>(numel(meta.shape)) * size_of(meta.dtype);
  std::byte* from = mapping->file.writable_bytes().data() + begin;
  const bool aligned = reinterpret_cast<uintptr_t>(from) % size_of(meta.dtype) == 0;
  if (access == FileAccess::map && bytes > 0 && aligned) return lend(mapping, from, meta);
  Tensor copy = empty(meta);
  if (bytes > 0) std::memcpy(copy.bytes(), from, bytes);
  return copy;
}

}  // namespace gyre
