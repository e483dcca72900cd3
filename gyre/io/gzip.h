#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace gyre {

/// Whether bytes begin as a gzip file does (RFC 1952).
bool is_gzip(std::string_view bytes) noexcept;

/// What a gzip file of one or more members holds. `path` is named in messages. Errors: parse, when
/// the bytes are cut off, damaged or followed by others, or hold more than `most` bytes.
std::string gunzip(std::string_view bytes, const std::string& path, size_t most = size_t{1} << 32);

}  // namespace gyre
