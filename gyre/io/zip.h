#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/mapped_file.h"

namespace gyre {

/// The directory entry of one member.
struct ZipMember {
  std::string name;
  uint16_t method = 0;  ///< 0: stored, 8: deflated
  uint32_t checksum = 0;
  uint64_t packed = 0, size = 0;  ///< compressed and uncompressed bytes
  uint64_t begin = 0;             ///< offset of its local header
};

/// A memory-mapped zip file (PKWARE APPNOTE 6.3): members stored or deflated, zip64. Rejects
/// multi-disk archives, bytes before or after the archive, names that are duplicate or not UTF-8,
/// and members that lie outside the file or whose two headers differ.
class ZipFile {
 public:
  /// Errors: io; parse, naming the file; unsupported, for encrypted members.
  explicit ZipFile(const std::string& path);
  /// The same for bytes in memory, which must outlive it; `path` is used in messages.
  ZipFile(std::string_view bytes, const std::string& path);

  /// In directory order.
  [[nodiscard]] std::span<const ZipMember> members() const { return members_; }
  /// The bytes of a member. Errors: parse, when they are damaged; unsupported, for another
  /// compression method.
  [[nodiscard]] std::string read(const ZipMember& member) const;
  /// The bytes of a member as they lie in the file, compressed or not, unverified. Errors: parse,
  /// for one outside the file or with two headers that differ.
  [[nodiscard]] std::string_view stored(const ZipMember& member) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  MappedFile file_;
  std::string_view bytes_;
  std::vector<ZipMember> members_;
};

/// Writes a zip file through an AtomicFile. Equal input gives equal bytes: no times are stored.
class ZipWriter {
 public:
  /// Sizes and offsets from `wide_from` on are written in 64 bits (zip64), as they must be where 32
  /// bits are not enough. Errors: io.
  explicit ZipWriter(const std::string& path, uint64_t wide_from = 0xFFFFFFFF)
      : file_(path), wide_from_(wide_from) {}

  /// Errors: io; value, for a name that is empty, longer than 65,535 bytes, not UTF-8, or a
  /// duplicate.
  void add(const std::string& name, std::string_view bytes, bool compressed);
  /// Writes the directory and commits the file. Errors: io.
  void commit();

 private:
  bool is_wide(const ZipMember& member) const;
  void write(std::string_view bytes);

  AtomicFile file_;
  uint64_t wide_from_, written_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace gyre
