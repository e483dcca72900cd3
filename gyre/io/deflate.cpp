#include "gyre/io/deflate.h"

#include <zlib.h>

#include <algorithm>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr int kRaw = -MAX_WBITS, kGzipOnly = 16 + MAX_WBITS;
constexpr size_t kAtOnce = size_t{1} << 30;  // zlib counts in 32 bits
constexpr size_t kPiece = size_t{1} << 18;   // written at once
constexpr size_t kMostRatio = 1032;          // maximum compression ratio of deflate

[[noreturn]] void no_memory() { throw Error(Code::resource, "deflate", "out of memory for zlib"); }

/// Passes the next unread bytes to zlib.
void feed(z_stream& state, std::string_view& rest) {
  if (state.avail_in > 0) return;
  const size_t n = std::min(rest.size(), kAtOnce);
  // zlib does not write to what it reads
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
  state.avail_in = static_cast<uInt>(n);
  rest.remove_prefix(n);
}

/// Owns a zlib state.
struct Stream {
  explicit Stream(int (*end_it)(z_streamp)) : end(end_it) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { end(&state); }
  z_stream state{};
  int (*end)(z_streamp);
};

/// Has zlib append up to kPiece bytes.
int append(z_stream& state, std::string& out, int (*work)(z_streamp, int), int flush) {
  out.resize(out.size() + kPiece);
  state.next_out = reinterpret_cast<Bytef*>(out.data() + out.size() - kPiece);
  state.avail_out = kPiece;
  const int result = work(&state, flush);
  out.resize(out.size() - state.avail_out);
  return result;
}

}  // namespace

uint32_t crc32_of(std::string_view bytes) noexcept {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string deflate_bytes(std::string_view bytes) {
  Stream stream(deflateEnd);
  if (deflateInit2(&stream.state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    no_memory();
  }
  std::string out;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    feed(stream.state, bytes);
    result = append(stream.state, out, deflate, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
  }
  return out;
}

std::string inflate_bytes(std::string_view packed, size_t size, const std::string& path) {
  const auto fail = [&](const Message& why) {
    throw Error(Code::parse, "inflate", {path, ": ", why});
  };
  // Checked before allocating: a damaged header may give any size.
  if (size / kMostRatio > packed.size()) {
    fail({packed.size(), " bytes cannot decompress to ", size});
  }
  Stream stream(inflateEnd);
  if (inflateInit2(&stream.state, kRaw) != Z_OK) no_memory();
  constexpr size_t kFirst = size_t{1} << 20;
  std::string out;  // grows with the data: a damaged size costs no memory
  size_t filled = 0;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    feed(stream.state, packed);
    // one more: zlib detects the end of a stream only if there is room
    if (filled == out.size()) out.resize(std::min(size + 1, std::max(kFirst, 2 * filled)));
    const auto room = static_cast<uInt>(std::min(out.size() - filled, kAtOnce));
    stream.state.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    stream.state.avail_out = room;
    result = inflate(&stream.state, Z_NO_FLUSH);
    filled += room - stream.state.avail_out;
    if (filled > size) fail({"decompresses to more than ", size, " bytes"});
    if (result == Z_BUF_ERROR && stream.state.avail_in == 0) fail("is truncated");
    if (result != Z_OK && result != Z_STREAM_END) {
      fail(stream.state.msg ? stream.state.msg : "is damaged");
    }
  }
  if (filled != size) fail({"decompresses to ", filled, " bytes, expected ", size});
  if (stream.state.avail_in > 0 || !packed.empty()) fail("bytes follow the end of the stream");
  out.resize(size);
  return out;
}

bool is_gzip(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, const std::string& path, size_t most) {
  const auto fail = [&](const Message& why, Code code = Code::parse) {
    throw Error(code, "gunzip", {path, ": ", why});
  };
  Stream stream(inflateEnd);
  z_stream& state = stream.state;
  std::string out;
  int result = inflateInit2(&state, kGzipOnly);
  for (bool more = true; more;) {
    feed(state, bytes);
    if (result == Z_OK) result = append(state, out, inflate, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {  // of a member
      feed(state, bytes);
      more = state.avail_in > 0;
      result = inflateReset(&state);
    } else if (result == Z_BUF_ERROR && state.avail_in == 0) {
      fail("is truncated");
    } else if (result != Z_OK) {
      fail(state.msg ? state.msg : zError(result),
           result == Z_MEM_ERROR ? Code::resource : Code::parse);
    }
    if (out.size() > most) fail({"decompresses to more than ", most, " bytes"});
  }
  return out;
}

}  // namespace gyre
