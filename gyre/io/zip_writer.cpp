#include <algorithm>
#include <string>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/deflate.h"
#include "gyre/io/zip.h"
#include "gyre/io/zip_format.h"

namespace gyre {
namespace {

constexpr uint64_t kVersion = 20, kWideVersion = 45, kUnix = 3 << 8;
constexpr uint64_t kFirstDay = 1 << 5 | 1;  // 1 January 1980, the first day of the format
constexpr uint64_t kPlainFile = 0100644;

/// Appends numbers in little-endian order.
class FieldWriter {
 public:
  FieldWriter& put(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  FieldWriter& put(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// The fields shared by both headers of a member, between version and extra field.
void put_common(FieldWriter& to, const ZipMember& member, bool wide, size_t extra) {
  const bool ascii = std::all_of(member.name.begin(), member.name.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  to.put(wide ? kWideVersion : kVersion, 2).put(ascii ? 0 : zip::kUtf8Name, 2);
  to.put(member.method, 2).put(0, 2).put(kFirstDay, 2).put(member.checksum, 4);
  to.put(wide ? zip::kFull32 : member.packed, 4).put(wide ? zip::kFull32 : member.size, 4);
  to.put(member.name.size(), 2).put(extra, 2);
}

std::string local_header(const ZipMember& member, bool wide) {
  FieldWriter header;
  header.put(zip::kLocal, 4);
  put_common(header, member, wide, wide ? 20 : 0);
  header.put(member.name);
  if (wide) header.put(zip::kWideExtra, 2).put(16, 2).put(member.size, 8).put(member.packed, 8);
  return header.bytes();
}

std::string directory_entry(const ZipMember& member, bool wide) {
  FieldWriter entry;
  entry.put(zip::kDirectory, 4).put(kUnix | (wide ? kWideVersion : kVersion), 2);
  put_common(entry, member, wide, wide ? 28 : 0);
  entry.put(0, 2).put(0, 2).put(0, 2).put(kPlainFile << 16, 4);
  entry.put(wide ? zip::kFull32 : member.begin, 4).put(member.name);
  if (wide) {
    entry.put(zip::kWideExtra, 2).put(24, 2);
    entry.put(member.size, 8).put(member.packed, 8).put(member.begin, 8);
  }
  return entry.bytes();
}

/// The end records, for a directory of `count` members in [begin, end).
std::string end_records(uint64_t count, uint64_t begin, uint64_t end, bool wide) {
  FieldWriter records;
  if (wide) {
    records.put(zip::kWideEnd, 4).put(zip::kWideEndBytes - 12, 8);
    records.put(kUnix | kWideVersion, 2).put(kWideVersion, 2).put(0, 4).put(0, 4);
    records.put(count, 8).put(count, 8).put(end - begin, 8).put(begin, 8);
    records.put(zip::kWideLocator, 4).put(0, 4).put(end, 8).put(1, 4);
  }
  records.put(zip::kEnd, 4).put(0, 2).put(0, 2);
  const uint64_t small = wide ? zip::kFull16 : count;
  records.put(small, 2).put(small, 2).put(wide ? zip::kFull32 : end - begin, 4);
  return records.put(wide ? zip::kFull32 : begin, 4).put(0, 2).bytes();
}

}  // namespace

bool ZipWriter::is_wide(const ZipMember& member) const {
  return std::max({member.size, member.packed, member.begin}) >= wide_from_;
}

void ZipWriter::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::string_view bytes, bool compressed) {
  const auto refuse = [&](const char* why) {
    throw Error(Code::value, "zip",
                "the member \"" + utf8_lossy(name.substr(0, 100)) + "\" " + why);
  };
  if (name.empty()) refuse("needs a name");
  if (name.size() > zip::kFull16) refuse("has a name of more than 65,535 bytes");
  if (!is_utf8(name)) refuse("has a name that is not UTF-8");
  if (std::any_of(members_.begin(), members_.end(),
                  [&](const ZipMember& other) { return other.name == name; })) {
    refuse("is a duplicate");
  }
  std::string packed;
  if (compressed) packed = deflate_bytes(bytes);
  ZipMember member;
  member.name = name;
  member.method = compressed ? zip::kDeflated : zip::kStored;
  member.checksum = crc32_of(bytes);
  member.size = bytes.size();
  member.packed = compressed ? packed.size() : bytes.size();
  member.begin = written_;
  write(local_header(member, is_wide(member)));
  write(compressed ? std::string_view(packed) : bytes);
  members_.push_back(std::move(member));
}

void ZipWriter::commit() {
  const uint64_t begin = written_;
  bool wide = members_.size() >= zip::kFull16 || begin >= wide_from_;
  for (const ZipMember& member : members_) {
    wide = wide || is_wide(member);
    write(directory_entry(member, is_wide(member)));
  }
  wide = wide || written_ - begin >= wide_from_;
  write(end_records(members_.size(), begin, written_, wide));
  file_.commit();
}

}  // namespace gyre
