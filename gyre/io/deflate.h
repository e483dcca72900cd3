#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

/// CRC-32 as in zip files (polynomial 0xEDB88320).
uint32_t crc32_of(std::string_view bytes) noexcept;

/// Compresses to a raw deflate stream (RFC 1951), without header or checksum. Error{resource}.
std::string deflate_bytes(std::string_view bytes);

/// Decompresses a raw deflate stream of `size` bytes. `path` is used in messages. Errors: parse,
/// when the stream is truncated or damaged, has another decompressed size or trailing bytes;
/// resource.
std::string inflate_bytes(std::string_view packed, size_t size, const std::string& path);

/// Whether the bytes start with the gzip magic number (RFC 1952).
bool is_gzip(std::string_view bytes) noexcept;

/// Decompresses a gzip file of one or more members. `path` is used in messages. Errors: parse, when
/// the bytes are truncated, damaged or followed by others, or decompress to more than `most` bytes.
std::string gunzip(std::string_view bytes, const std::string& path, size_t most = size_t{1} << 32);

}  // namespace gyre
