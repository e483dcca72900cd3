#include "gyre/io/gzip.h"

#include <zlib.h>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr size_t kGzipAtOnce = size_t{1} << 18;
constexpr int kGzipOnly = 16 + MAX_WBITS;

[[noreturn]] void fail_gzip(const std::string& path, const Message& why, Code code = Code::parse) {
  throw Error(code, "gunzip", {path, ": ", why});
}

/// The zlib state of one file.
class GzipStream {
 public:
  GzipStream(std::string_view bytes, const std::string& path)
      : path_(path), rest_(bytes), begun_(inflateInit2(&state_, kGzipOnly)) {}
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() { inflateEnd(&state_); }

  /// Appends up to kGzipAtOnce bytes; false at the end.
  bool read(std::string& out) {
    feed();
    const size_t before = out.size();
    out.resize(before + kGzipAtOnce);
    state_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    state_.avail_out = kGzipAtOnce;
    const int result = begun_ == Z_OK ? inflate(&state_, Z_NO_FLUSH) : begun_;
    out.resize(out.size() - state_.avail_out);
    if (result == Z_STREAM_END) return next_member();
    if (result == Z_BUF_ERROR && state_.avail_in == 0) fail_gzip(path_, "is truncated");
    if (result != Z_OK) {
      fail_gzip(path_, state_.msg ? state_.msg : zError(result),
                result == Z_MEM_ERROR ? Code::resource : Code::parse);
    }
    return true;
  }

 private:
  void feed() {
    if (state_.avail_in > 0) return;
    const size_t n = rest_.size() < kGzipAtOnce ? rest_.size() : kGzipAtOnce;
    // zlib does not write to what it reads
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    state_.avail_in = static_cast<uInt>(n);
    rest_.remove_prefix(n);
  }

  bool next_member() {
    feed();
    if (state_.avail_in == 0) return false;
    inflateReset(&state_);
    return true;
  }

  const std::string& path_;
  std::string_view rest_;
  z_stream state_{};
  int begun_;  // after state_, which it fills
};

}  // namespace

bool is_gzip(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, const std::string& path, size_t most) {
  std::string out;
  GzipStream stream(bytes, path);
  bool more = true;
  while (more) {
    more = stream.read(out);
    if (out.size() > most) fail_gzip(path, {"decompresses to more than ", most, " bytes"});
  }
  return out;
}

}  // namespace gyre
