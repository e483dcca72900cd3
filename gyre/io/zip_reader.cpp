#include <algorithm>
#include <string>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/deflate.h"
#include "gyre/io/zip.h"
#include "gyre/io/zip_format.h"

namespace gyre {
namespace {

constexpr const char* kZip = "zip";

/// Reads consecutive fields of the file.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}
  uint64_t take(size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) {
      value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes_[i])) << (8 * i);
    }
    bytes_.remove_prefix(bytes);
    return value;
  }
  void skip(size_t bytes) { bytes_.remove_prefix(bytes); }
  size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

/// Reads the directory of one file; every error names the file.
class DirectoryReader {
 public:
  DirectoryReader(std::string_view file, const std::string& path) : path_(path), file_(file) {}

  std::vector<ZipMember> read() {
    find_directory();
    std::string_view rest = file_.substr(begin_, end_ - begin_);
    std::vector<ZipMember> members;
    for (uint64_t i = 0; i < count_; ++i) members.push_back(take_member(rest));
    if (!rest.empty()) fail({"its directory has more than ", count_, " members"});
    check_names(members);
    return members;
  }

 private:
  [[noreturn]] void fail(const Message& why, Code code = Code::parse) const {
    throw Error(code, kZip, {path_, ": ", why});
  }

  /// The `bytes` at `offset` after checking and skipping the signature.
  FieldReader at(uint64_t offset, uint64_t bytes, uint32_t signature, const char* what) const {
    if (offset > file_.size() || file_.size() - offset < bytes)
      fail({"is too short for its ", what});
    FieldReader fields(file_.substr(offset, bytes));
    if (fields.take(4) != signature) fail({"has no ", what, " at the expected offset"});
    return fields;
  }

  /// Offset of the end record, which a comment of any length may follow.
  uint64_t end_record() const {
    if (file_.size() >= zip::kEndBytes) {
      const uint64_t last = file_.size() - zip::kEndBytes;
      for (uint64_t comment = 0; comment <= std::min(last, zip::kFull16); ++comment) {
        FieldReader fields(file_.substr(last - comment));
        if (fields.take(4) != zip::kEnd) continue;
        fields.skip(16);
        if (fields.take(2) == comment) return last - comment;
      }
    }
    fail("is not a zip file, or it is truncated: it has no end record");
  }

  /// Whether there is a zip64 locator before the end record: some writers add one to all files.
  bool has_locator(uint64_t end) const {
    return end >= zip::kWideLocatorBytes &&
           FieldReader(file_.substr(end - zip::kWideLocatorBytes)).take(4) == zip::kWideLocator;
  }

  void find_directory() {
    const uint64_t place = end_record();
    FieldReader end = at(place, zip::kEndBytes, zip::kEnd, "end record");
    uint64_t disk = end.take(2), directory_disk = end.take(2), here = end.take(2);
    count_ = end.take(2);
    uint64_t bytes = end.take(4);
    begin_ = end.take(4);
    end_ = place;
    if (has_locator(place) || here == zip::kFull16 || count_ == zip::kFull16 ||
        bytes == zip::kFull32 || begin_ == zip::kFull32) {
      if (place < zip::kWideLocatorBytes) fail("is too short for the zip64 locator");
      FieldReader locator = at(place - zip::kWideLocatorBytes, zip::kWideLocatorBytes,
                               zip::kWideLocator, "zip64 locator");
      locator.skip(4);
      end_ = locator.take(8);
      if (locator.take(4) > 1) fail("is part of a multi-disk archive", Code::unsupported);
      FieldReader wide = at(end_, zip::kWideEndBytes, zip::kWideEnd, "zip64 end record");
      if (wide.take(8) + 12 != place - zip::kWideLocatorBytes - end_) {
        fail("its zip64 end record has an unexpected length");
      }
      wide.skip(4);
      disk = wide.take(4);
      directory_disk = wide.take(4);
      here = wide.take(8);
      count_ = wide.take(8);
      bytes = wide.take(8);
      begin_ = wide.take(8);
    }
    if (disk != 0 || directory_disk != 0 || here != count_) {
      fail("is part of a multi-disk archive", Code::unsupported);
    }
    if (begin_ > end_ || end_ - begin_ != bytes) {
      fail("its directory does not end where the end record starts");
    }
  }

  ZipMember take_member(std::string_view& rest) const {
    if (rest.size() < zip::kDirectoryBytes) fail("its directory is truncated");
    FieldReader fields(rest);
    if (fields.take(4) != zip::kDirectory) fail("its directory is damaged");
    fields.skip(4);
    const uint64_t flags = fields.take(2);
    ZipMember member;
    member.method = static_cast<uint16_t>(fields.take(2));
    fields.skip(4);
    member.checksum = static_cast<uint32_t>(fields.take(4));
    member.packed = fields.take(4);
    member.size = fields.take(4);
    const uint64_t name = fields.take(2), extra = fields.take(2), comment = fields.take(2);
    const uint64_t disk = fields.take(2);
    fields.skip(6);
    member.begin = fields.take(4);
    if (fields.left() < name + extra + comment) fail("its directory is truncated");
    member.name = rest.substr(zip::kDirectoryBytes, name);
    widen(member, rest.substr(zip::kDirectoryBytes + name, extra));
    if (flags & zip::kEncrypted) refuse(member, "is encrypted", Code::unsupported);
    if (disk != 0) refuse(member, "is on another disk", Code::unsupported);
    if (member.method == zip::kStored && member.packed != member.size) {
      refuse(member, "is uncompressed, but its compressed and uncompressed sizes differ");
    }
    rest.remove_prefix(zip::kDirectoryBytes + name + extra + comment);
    return member;
  }

  /// Reads the values that do not fit in 32 bits from the zip64 extra field.
  void widen(ZipMember& member, std::string_view extra) const {
    FieldReader all(extra);
    while (all.left() >= 4) {
      const uint64_t id = all.take(2), bytes = all.take(2);
      if (bytes > all.left()) refuse(member, "has a truncated extra field");
      if (id != zip::kWideExtra) {
        all.skip(bytes);
        continue;
      }
      FieldReader wide(extra.substr(extra.size() - all.left(), bytes));
      for (uint64_t* number : {&member.size, &member.packed, &member.begin}) {
        if (*number != zip::kFull32) continue;
        if (wide.left() < 8) refuse(member, "lacks a 64-bit number");
        *number = wide.take(8);
      }
      return;
    }
  }

  void check_names(const std::vector<ZipMember>& members) const {
    std::vector<std::string_view> names;
    for (const ZipMember& member : members) {
      if (!is_utf8(member.name)) refuse(member, "has a name that is not UTF-8");
      names.push_back(member.name);
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail({"the member \"", *twice, "\" is a duplicate"});
  }

  [[noreturn]] void refuse(const ZipMember& member, const Message& why,
                           Code code = Code::parse) const {
    fail({"the member \"", utf8_lossy(member.name), "\" ", why}, code);
  }

  const std::string& path_;
  std::string_view file_;
  uint64_t begin_ = 0, end_ = 0, count_ = 0;
};

}  // namespace

ZipFile::ZipFile(const std::string& path) : path_(path), file_(path), bytes_(file_.text()) {
  members_ = DirectoryReader(bytes_, path_).read();
}

ZipFile::ZipFile(std::string_view bytes, const std::string& path) : path_(path), bytes_(bytes) {
  members_ = DirectoryReader(bytes_, path_).read();
}

std::string_view ZipFile::stored(const ZipMember& member) const {
  const auto fail = [&](const char* why) {
    throw Error(Code::parse, kZip, {path(), ": the member \"", member.name, "\" ", why});
  };
  const std::string_view file = bytes_;
  if (member.begin > file.size() || file.size() - member.begin < zip::kLocalBytes) {
    fail("starts outside the file");
  }
  FieldReader local(file.substr(member.begin));
  if (local.take(4) != zip::kLocal) fail("has no local header");
  local.skip(4);
  const uint64_t method = local.take(2);
  local.skip(16);
  const uint64_t name = local.take(2), extra = local.take(2);
  const uint64_t before = zip::kLocalBytes + name + extra;
  if (file.size() - member.begin < before || file.size() - member.begin - before < member.packed) {
    fail("ends outside the file");
  }
  if (method != member.method ||
      file.substr(member.begin + zip::kLocalBytes, name) != member.name) {
    fail("has two headers that differ");
  }
  return file.substr(member.begin + before, member.packed);
}

std::string ZipFile::read(const ZipMember& member) const {
  const std::string what = path() + ": the member \"" + member.name + "\"";
  const auto fail = [&](const Message& why, Code code = Code::parse) {
    throw Error(code, kZip, {what, " ", why});
  };
  const std::string_view packed = stored(member);
  std::string bytes;
  if (member.method == zip::kStored) {
    bytes = packed;
  } else if (member.method == zip::kDeflated) {
    bytes = inflate_bytes(packed, member.size, what);
  } else {
    fail({"uses compression method ", member.method, "; only deflate is supported"},
         Code::unsupported);
  }
  if (crc32_of(bytes) != member.checksum) fail("is damaged: checksum mismatch");
  return bytes;
}

}  // namespace gyre
