#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "gyre/base/system/file.h"

namespace gyre {

/// Whether the mapped bytes are writable; the file itself is never changed.
enum class MapMode : uint8_t {
  read_only,
  copy_on_write,  ///< written pages become private copies of this process
};

/// Memory map of a whole regular file; unmapped by the destructor. Pages are read from disk when
/// first touched. An empty file maps to an empty span. A file that is rewritten in place changes
/// under its mapping, and one that is shortened loses pages: touching them raises SIGBUS, which
/// ends the process unless report_lost_pages() does something else. Our own files are therefore
/// replaced by rename, never rewritten. Errors: those of InputFile.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::string& path, MapMode mode = MapMode::read_only);
  explicit MappedFile(const InputFile& file, MapMode mode = MapMode::read_only);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  /// For `copy_on_write` only. Errors: internal.
  [[nodiscard]] std::span<std::byte> writable_bytes();
  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(data_), size_};
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  MapMode mode_ = MapMode::read_only;
};

/// Frees the resident pages that lie whole within `bytes`, if these belong to a MappedFile: the
/// next access reads them from the file again, so what was written to them is lost.
void release_pages(std::span<const std::byte> bytes) noexcept;

/// Installs a handler of SIGBUS. When a thread touches a lost page of a MappedFile, the handler
/// calls report(path) on that thread. If `report` returns, and for any other address, the handler
/// installed before is called; by default it ends the process. Later calls replace `report`.
void report_lost_pages(void (*report)(const char* path)) noexcept;

}  // namespace gyre
