#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
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
  explicit SafetensorsHeaderReader(const InputFile& file)
      : path_(file.path()), file_size_(file.size()) {
    read_text(file);
  }

  void read() {
    const Json header = parse(text_);
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

  void read_text(const InputFile& file) {
    if (file_size_ < safetensors::kLengthBytes) {
      refuse({"a file of ", file_size_, " bytes is too short for the header length"});
    }
    std::byte first[safetensors::kLengthBytes];
    file.read(0, first);
    uint64_t length = 0;
    for (size_t i = 0; i < safetensors::kLengthBytes; ++i) {
      length |= static_cast<uint64_t>(first[i]) << (8 * i);
    }
    const uint64_t left = file_size_ - safetensors::kLengthBytes;
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
    text_.resize(length);
    file.read(safetensors::kLengthBytes, std::as_writable_bytes(std::span(text_)));
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
    const uint64_t present = file_size_ - data_offset;
    if (reached > present) {
      refuse({"truncated: the tensors take ", reached, " bytes after the header, the file has ",
              present});
    }
    if (reached < present) refuse({present - reached, " extra bytes after the last tensor"});
  }

  const std::string& path_;
  uint64_t file_size_;
  std::string text_;
};

}  // namespace

DType SafetensorsEntry::dtype() const {
  const safetensors::StoredDType* stored = safetensors::find_stored(stored_dtype);
  if (stored != nullptr && stored->held) return stored->dtype;
  throw Error(
      Code::dtype, kReadOp,
      "tensor \"" + name + "\" is stored as " + stored_dtype + ", which gyre does not support");
}

SafetensorsFile::SafetensorsFile(const std::string& path, Verify verify, FileAccess access)
    : file_(std::make_shared<InputFile>(path)) {
  SafetensorsHeaderReader header(*file_);
  header.read();
  begin_ = header.data_offset;
  entries_ = std::move(header.entries);
  metadata_ = std::move(header.metadata);
  if (access == FileAccess::map) {
    mapping_ = make_ref<FileMapping>(*file_);
    data_ = mapping_->file.writable_bytes().data() + begin_;
  }
  const std::string_view checksum = metadata(safetensors::kChecksumKey);
  if (checksum.empty() && verify == Verify::required) {
    throw Error(Code::value, kReadOp, path + ": the checksum is missing; the file is damaged");
  }
  if (!checksum.empty() && verify != Verify::structure) verify_checksum(checksum);
  by_name_.resize(entries_.size());
  for (uint32_t i = 0; i < by_name_.size(); ++i) by_name_[i] = i;
  std::sort(by_name_.begin(), by_name_.end(),
            [&](uint32_t a, uint32_t b) { return entries_[a].name < entries_[b].name; });
}

/// Compares the XXH64 of the file, with zeros in place of the checksum's own text.
void SafetensorsFile::verify_checksum(std::string_view expected) const {
  std::string head(begin_, '\0');
  file_->read(0, std::as_writable_bytes(std::span(head)));
  const size_t at = head.find("\"" + std::string(expected) + "\"") + 1;
  if (expected.size() == safetensors::kNoChecksum.size()) {
    head.replace(at, expected.size(), safetensors::kNoChecksum);
    Xxhash64 sum;
    sum.update(std::as_bytes(std::span(head)));
    if (data_ != nullptr) {
      sum.update({data_, file_->size() - begin_});
    } else {
      std::vector<std::byte> block(std::min<uint64_t>(file_->size() - begin_, size_t{1} << 18));
      for (uint64_t done = begin_; done < file_->size(); done += block.size()) {
        block.resize(std::min<uint64_t>(block.size(), file_->size() - done));
        file_->read(done, block);
        sum.update(block);
      }
    }
    if (fmt::format("{:016x}", sum.digest()) == expected) return;
  }
  throw Error(Code::value, kReadOp, path() + ": checksum mismatch, the file is damaged");
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
  throw Error(Code::index, kReadOp, {path(), ": no tensor \"", name, "\""});
}

Tensor SafetensorsFile::load(const SafetensorsEntry& entry) const {
  Meta meta;
  meta.shape = entry.shape;
  meta.dtype = entry.dtype();
  std::byte* from = data_ + entry.begin;
  const bool lends = data_ != nullptr && entry.bytes() > 0 &&
                     reinterpret_cast<uintptr_t>(from) % size_of(meta.dtype) == 0;
  const Tensor loaded = lends ? lend(mapping_, from, meta) : read(entry, meta);
  const std::byte* bytes = loaded.bytes();
  if (meta.dtype == DType::boolean &&
      std::any_of(bytes, bytes + entry.bytes(), [](std::byte b) { return b > std::byte{1}; })) {
    throw Error(Code::value, kReadOp,
                path() + ": tensor \"" + entry.name + "\" has BOOL bytes that are neither 0 nor 1");
  }
  return loaded;
}

Tensor SafetensorsFile::read(const SafetensorsEntry& entry, const Meta& meta) const {
  Tensor copy = empty(meta);
  if (entry.bytes() > 0) file_->read(begin_ + entry.begin, {copy.bytes(), entry.bytes()});
  return copy;
}

std::vector<NamedTensor> SafetensorsFile::load_all() const {
  std::vector<NamedTensor> all;
  for (const SafetensorsEntry& entry : entries_) all.push_back({entry.name, load(entry)});
  return all;
}

}  // namespace gyre
