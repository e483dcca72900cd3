#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/file.h"

namespace gyre {

/// What the directory of a zip file says of one member.
struct ZipMember {
  std::string name;
  uint16_t method = 0;  ///< 0: stored, 8: deflated
  uint32_t checksum = 0;
  uint64_t packed = 0, size = 0;  ///< bytes in the file, and of the member
  uint64_t begin = 0;             ///< where its own header is
};

/// A zip file (PKWARE's APPNOTE 6.3), mapped: members stored or deflated, zip64.
/// Refused are parts on several disks, bytes before or after the archive, names that come twice or
/// are not UTF-8, and members that lie outside the file or whose two headers differ.
class ZipFile {
 public:
  /// Errors: io; parse, naming the file; unsupported, for encrypted members.
  explicit ZipFile(const std::string& path);
  /// The same of bytes in memory, which must live as long; `path` is for messages.
  ZipFile(std::string_view bytes, const std::string& path);

  /// In the order of the directory.
  [[nodiscard]] std::span<const ZipMember> members() const { return members_; }
  /// The bytes of a member. Errors: parse, when they are damaged; unsupported, for another way of
  /// compression.
  [[nodiscard]] std::string read(const ZipMember& member) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  MappedFile file_;
  std::string_view bytes_;
  std::vector<ZipMember> members_;
};

/// Writes a zip file through an AtomicFile. Equal input gives equal bytes: times are not kept.
class ZipWriter {
 public:
  /// Sizes and places from `wide_from` on are written in 64 bits, as those that 32 bits do not hold
  /// must be. Errors: io.
  explicit ZipWriter(const std::string& path, uint64_t wide_from = 0xFFFFFFFF)
      : file_(path), wide_from_(wide_from) {}

  /// Errors: io; value, for a name that is empty, longer than 65,535 bytes, not UTF-8, or there
  /// already.
  void add(const std::string& name, std::string_view bytes, bool compressed);
  /// Writes the directory and puts the file in its place. Errors: io.
  void commit();

 private:
  bool is_wide(const ZipMember& member) const;
  void write(std::string_view bytes);

  AtomicFile file_;
  uint64_t wide_from_, written_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace gyre
