#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/io/safetensors.h"

// Packed tensors in safetensors files: tensor NAME of the module is NAME.words and NAME.headers,
// I64 [n, 2] with hi before lo; the metadata key `gyre.packed` has the shape and format of each
// (docs/packed_format.md).

namespace gyre {

inline constexpr const char* kPackedKey = "gyre.packed";

/// All tensors of a file, packed ones joined. Error{parse} for another version, an unknown format,
/// words or headers that are missing or of another number, a name that is plain, too, a header out
/// of range, a word with bits that its format does not use.
std::vector<NamedTensor> load_state(const SafetensorsFile& file);

/// Writes tensors, packed ones in two parts. Errors of write_safetensors().
void write_state(const std::string& path, std::span<const NamedTensor> tensors,
                 SafetensorsMetadata metadata = {});
/// The length of the file that write_state() would write; words and headers are not read.
uint64_t state_size(std::span<const NamedTensor> tensors, SafetensorsMetadata metadata = {});

/// Shape and format of the packed tensors of a file, by name. Errors as load_state(), but for what
/// is in headers and words.
struct PackedEntry {
  std::string name, format;
  Shape shape;
};
std::vector<PackedEntry> packed_entries(const SafetensorsFile& file);
/// Whether a tensor of the file holds the words or headers of one of them.
bool is_part(std::span<const PackedEntry> packed, std::string_view name);
/// Bytes of the words and headers of a packed tensor in the file.
uint64_t packed_bytes(const SafetensorsFile& file, const PackedEntry& entry);

}  // namespace gyre
