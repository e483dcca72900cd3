#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

/// The checksum of zip files: CRC-32 (polynomial 0xEDB88320) of all bytes.
uint32_t crc32_of(std::string_view bytes) noexcept;

/// Bytes as a raw deflate stream (RFC 1951), without header or checksum. Error{resource}.
std::string deflate_bytes(std::string_view bytes);

/// The `size` bytes that a raw deflate stream holds. `path` is named in messages. Errors: parse,
/// when the stream is cut off or damaged, holds another number of bytes or is followed by others;
/// resource.
std::string inflate_bytes(std::string_view packed, size_t size, const std::string& path);

}  // namespace gyre
