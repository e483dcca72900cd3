#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace gyre {

/// Whether the bytes start with the gzip magic number (RFC 1952).
bool is_gzip(std::string_view bytes) noexcept;

/// Decompresses a gzip file of one or more members. `path` is used in messages. Errors: parse, when
/// the bytes are truncated, damaged or followed by others, or decompress to more than `most` bytes.
std::string gunzip(std::string_view bytes, const std::string& path, size_t most = size_t{1} << 32);

}  // namespace gyre
