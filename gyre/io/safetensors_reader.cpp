#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/xxhash64.h"
#include "gyre/io/json.h"
#include "gyre/io/safetensors.h"
#include "gyre/io/safetensors_format.h"

namespace gyre {
namespace {

constexpr std::string_view kReadOp = "safetensors";

/// Parses the header of one file; every error names the file.
class SafetensorsHeaderReader {
 public:
  SafetensorsHeaderReader(const std::string& path, std::span<const std::byte> file)
      : path_(path), file_(file) {}

  void read() {
    const Json header = parse(header_text());
    for (const auto& [name, value] : header.as_object()) {
      if (name == safetensors::kMetadataKey) {
        read_metadata(value);
      } else {
        entries.push_back(read_entry(name, value));
      }
    }
    check_ranges();
  }

  std::vector<SafetensorsEntry> entries;
  SafetensorsMetadata metadata;
  size_t data_offset = 0;

 private:
  [[noreturn]] void refuse(const Message& reason, Code code = Code::parse) const {
    throw Error(code, kReadOp, {path_, ": ", reason});
  }
  [[noreturn]] void refuse(std::string_view name, const Message& reason) const {
    refuse({"tensor \"", name, "\": ", reason});
  }

  std::string_view header_text() {
    if (file_.size() < safetensors::kLengthBytes) {
      refuse({"a file of ", file_.size(), " bytes is too short for the header length"});
    }
    uint64_t length = 0;
    for (size_t i = 0; i < safetensors::kLengthBytes; ++i) {
      length |= static_cast<uint64_t>(file_[i]) << (8 * i);
    }
    const uint64_t left = file_.size() - safetensors::kLengthBytes;
    if (length > left) {
      refuse(
          {"this is not a safetensors file, or it is truncated: its first 8 bytes give a "
           "header of ",
           length, " bytes, ", left, " bytes follow"});
    }
    if (length > safetensors::kLargestHeader) {
      refuse(
          {"a header of ", length, " bytes is above the limit of ", safetensors::kLargestHeader});
    }
    data_offset = safetensors::kLengthBytes + length;
    return {reinterpret_cast<const char*>(file_.data()) + safetensors::kLengthBytes, length};
  }

  Json parse(std::string_view text) const {
    if (text.starts_with("\xEF\xBB\xBF")) refuse("the header starts with a byte order mark");
    try {
      Json header = Json::parse(text, {.unique_keys = true});
      if (!header.is_object()) refuse("the header is not a JSON object");
      return header;
    } catch (const Error& error) {
      if (error.op == kReadOp) throw;
      refuse(std::string("header: ") + error.what());
    }
  }

  void read_metadata(const Json& value) {
    if (value.is_null()) return;
    if (!value.is_object()) refuse("__metadata__ is not an object");
    for (const auto& [key, text] : value.as_object()) {
      if (!text.is_string()) refuse("__metadata__: the value of \"" + key + "\" is not a string");
      metadata.emplace_back(key, text.as_string());
    }
  }

  const Json& field(std::string_view name, const Json& value, std::string_view key) const {
    const Json* found = value.find(key);
    if (found == nullptr) refuse(name, {"no ", key});
    return *found;
  }

  std::vector<uint64_t> whole_numbers(std::string_view name, const Json& value,
                                      std::string_view key) const {
    const Json& list = field(name, value, key);
    if (!list.is_array()) refuse(name, {key, " is not an array"});
    std::vector<uint64_t> numbers;
    for (const Json& item : list.as_array()) {
      if (!item.is_integer() || item.as_integer() < 0) {
        refuse(name, {key, " holds ", item.dump().substr(0, 40),
                      ", expected an integer from 0 to 2^63 - 1"});
      }
      numbers.push_back(static_cast<uint64_t>(item.as_integer()));
    }
    return numbers;
  }

  SafetensorsEntry read_entry(const std::string& name, const Json& value) const {
    if (!value.is_object()) refuse(name, "its entry is not an object");
    SafetensorsEntry entry;
    entry.name = name;
    const Json& dtype = field(name, value, "dtype");
    if (!dtype.is_string()) refuse(name, "dtype is not a string");
    entry.stored_dtype = dtype.as_string();
    const safetensors::StoredDType* stored = safetensors::find_stored(entry.stored_dtype);
    if (stored == nullptr) {
      refuse("tensor \"" + name + "\": unknown dtype \"" + entry.stored_dtype + "\"", Code::dtype);
    }
    const std::vector<uint64_t> dims = whole_numbers(name, value, "shape");
    if (dims.size() > static_cast<size_t>(kMaxRank)) {
      refuse(name, {"rank ", dims.size(), " is above ", kMaxRank});
    }
    uint64_t bits = static_cast<uint64_t>(stored->bits);
    for (const uint64_t dim : dims) {
      if (__builtin_mul_overflow(bits, dim, &bits)) refuse(name, "its size overflows");
      entry.shape.push_back(static_cast<int64_t>(dim));
    }
    const std::vector<uint64_t> range = whole_numbers(name, value, "data_offsets");
    if (range.size() != 2) refuse(name, "data_offsets must have two numbers");
    entry.begin = range[0];
    entry.end = range[1];
    if (entry.end < entry.begin) refuse(name, "data_offsets are in descending order");
    if (bits % 8 != 0 || entry.bytes() != bits / 8) {
      refuse(name, {entry.stored_dtype, " of shape ", entry.shape, " takes ", bits / 8,
                    " bytes, data_offsets give ", entry.bytes()});
    }
    return entry;
  }

  /// The byte ranges must cover the bytes after the header without holes or overlap.
  void check_ranges() {
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    uint64_t reached = 0;
    for (const SafetensorsEntry& entry : entries) {
      if (entry.begin != reached) {
        refuse(entry.name,
               {"its bytes start at ", entry.begin,
                entry.begin < reached ? " (overlap)" : " (hole)", "; expected ", reached});
      }
      reached = entry.end;
    }
    const uint64_t present = file_.size() - data_offset;
    if (reached > present) {
      refuse({"truncated: the tensors take ", reached, " bytes after the header, the file has ",
              present});
    }
    if (reached < present) refuse({present - reached, " extra bytes after the last tensor"});
  }

  const std::string& path_;
  std::span<const std::byte> file_;
};

/// The file's XXH64 with zeros in place of its own text.
uint64_t checksum_without(std::span<const std::byte> file, std::string_view text) {
  const std::string_view all(reinterpret_cast<const char*>(file.data()), file.size());
  const size_t at = all.find("\"" + std::string(text) + "\"") + 1;
  Xxhash64 sum;
  sum.update(file.first(at));
  sum.update(std::as_bytes(std::span(safetensors::kNoChecksum)));
  sum.update(file.subspan(at + text.size()));
  return sum.digest();
}

void verify_checksum(const std::string& path, std::span<const std::byte> file,
                     std::string_view text) {
  char found[17];
  if (text.size() == safetensors::kNoChecksum.size()) {
    std::snprintf(found, sizeof found, "%016llx",
                  static_cast<unsigned long long>(checksum_without(file, text)));
    if (text == found) return;
  }
  throw Error(Code::value, kReadOp, path + ": checksum mismatch, the file is damaged");
}

}  // namespace

struct SafetensorsFile::Mapping : RefCounted {
  explicit Mapping(const std::string& path) : file(path, MapMode::copy_on_write) {}
  MappedFile file;
};

DType SafetensorsEntry::dtype() const {
  const safetensors::StoredDType* stored = safetensors::find_stored(stored_dtype);
  if (stored != nullptr && stored->held) return stored->dtype;
  throw Error(
      Code::dtype, kReadOp,
      "tensor \"" + name + "\" is stored as " + stored_dtype + ", which gyre does not support");
}

SafetensorsFile::SafetensorsFile(const std::string& path, Verify verify) : path_(path) {
  const Ref<Mapping> mapping = make_ref<Mapping>(path);
  SafetensorsHeaderReader header(path_, mapping->file.bytes());
  header.read();
  entries_ = std::move(header.entries);
  metadata_ = std::move(header.metadata);
  const std::string_view checksum = metadata(safetensors::kChecksumKey);
  if (checksum.empty() && verify == Verify::required) {
    throw Error(Code::value, kReadOp, path_ + ": the checksum is missing; the file is damaged");
  }
  if (!checksum.empty() && verify != Verify::structure) {
    verify_checksum(path_, mapping->file.bytes(), checksum);
  }
  data_ = mapping->file.writable_bytes().data() + header.data_offset;
  mapping_ = mapping;
  by_name_.resize(entries_.size());
  for (uint32_t i = 0; i < by_name_.size(); ++i) by_name_[i] = i;
  std::sort(by_name_.begin(), by_name_.end(),
            [&](uint32_t a, uint32_t b) { return entries_[a].name < entries_[b].name; });
}

std::string_view SafetensorsFile::metadata(std::string_view key) const {
  for (const auto& [name, value] : metadata_) {
    if (name == key) return value;
  }
  return {};
}

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](uint32_t index, std::string_view wanted) { return entries_[index].name < wanted; });
  if (found == by_name_.end() || entries_[*found].name != name) return nullptr;
  return &entries_[*found];
}

Tensor SafetensorsFile::load(std::string_view name) const {
  if (const SafetensorsEntry* entry = find(name)) return load(*entry);
  throw Error(Code::index, kReadOp, {path_, ": no tensor \"", name, "\""});
}

Tensor SafetensorsFile::load(const SafetensorsEntry& entry) const {
  Meta meta;
  meta.shape = entry.shape;
  meta.dtype = entry.dtype();
  std::byte* from = data_ + entry.begin;
  if (meta.dtype == DType::boolean &&
      std::any_of(from, from + entry.bytes(), [](std::byte b) { return b > std::byte{1}; })) {
    throw Error(Code::value, kReadOp,
                path_ + ": tensor \"" + entry.name + "\" has BOOL bytes that are neither 0 nor 1");
  }
  if (reinterpret_cast<uintptr_t>(from) % size_of(meta.dtype) != 0 || entry.bytes() == 0) {
    Tensor copy = empty(meta);
    if (entry.bytes() > 0) std::memcpy(copy.bytes(), from, entry.bytes());
    return copy;
  }
  auto owner = std::make_unique<Ref<RefCounted>>(mapping_);
  Tensor lent =
      borrow(from, meta, contiguous_strides(meta.shape), owner.get(),
             [](void* mapping) noexcept { delete static_cast<Ref<RefCounted>*>(mapping); });
  owner.release();
  return lent;
}

std::vector<NamedTensor> SafetensorsFile::load_all() const {
  std::vector<NamedTensor> all;
  for (const SafetensorsEntry& entry : entries_) all.push_back({entry.name, load(entry)});
  return all;
}

}  // namespace gyre
