#include "gyre/io/gguf/gguf_header.h"

#include <algorithm>

#include "gyre/base/in_file.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

constexpr const char* kGgufHeader = "gguf";
constexpr std::string_view kGgufMagic = "GGUF";
constexpr int kMostGgufAxes = 4;  // of ggml
constexpr uint64_t kUsualAlignment = 32, kMostAlignment = uint64_t{1} << 30;
constexpr const char* kAlignmentKey = "general.alignment";

}  // namespace

void GgufHeader::refuse(const Message& why, Code code) const {
  throw Error(code, kGgufHeader, {path_, ": ", why});
}

uint64_t GgufHeader::take(size_t bytes, const char* what) {
  if (left() < bytes) refuse({"the file ends within ", what});
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i)
    value |= uint64_t{static_cast<uint8_t>(file_[at_ + i])} << (8 * i);
  at_ += bytes;
  return value;
}

std::string_view GgufHeader::take_text(const char* what) {
  const uint64_t length = take(8, what);
  if (length > left())
    refuse({what, " of ", length, " bytes ends after the file, ", left(), " bytes follow"});
  const std::string_view text = file_.substr(at_, length);
  at_ += length;
  return text;
}

// A number of things that take at least `least` bytes each.
uint64_t GgufHeader::take_count(uint64_t least, const char* what) {
  const uint64_t count = take(8, what);
  if (count > left() / least)
    refuse({what, " is ", count, ", more than the ", left(), " bytes that follow can hold"});
  return count;
}

void GgufHeader::read() {
  if (file_.size() < kGgufMagic.size() || file_.substr(0, kGgufMagic.size()) != kGgufMagic)
    refuse("this is not a GGUF file: it does not begin with GGUF");
  at_ = kGgufMagic.size();
  read_version();
  const uint64_t tensors = take_count(24, "the number of tensors");
  const uint64_t fields = take_count(13, "the number of metadata fields");
  for (uint64_t i = 0; i < fields; ++i) {
    const std::string_view key = take_text("a metadata key");
    if (!is_utf8(key)) refuse("a metadata key is not UTF-8");
    metadata.push_back({std::string(key), read_value(key)});
  }
  for (uint64_t i = 0; i < tensors; ++i) read_entry();
  check_names();
  place_entries(alignment());
  check_ranges();
}

void GgufHeader::read_version() {
  version = static_cast<uint32_t>(take(4, "the version"));
  if (version == 2 || version == 3) return;
  if ((version & 0xFFFF) == 0 && version != 0)
    refuse("it is big-endian; expected a little-endian GGUF file", Code::unsupported);
  refuse({"expected GGUF of version 2 or 3, got version ", version}, Code::unsupported);
}

GgufValue::Type GgufHeader::value_type(uint64_t number, std::string_view key) const {
  if (number > static_cast<uint64_t>(GgufValue::Type::f64))
    refuse({"metadata ", key, " has type ", number, ", expected 0 to 12"});
  return static_cast<GgufValue::Type>(number);
}

void GgufHeader::skip(GgufValue::Type type, uint64_t count, std::string_view key) {
  const size_t width = kGgufValueBytes[static_cast<size_t>(type)];
  if (count > left() / width)
    refuse({"metadata ", key, " has ", count, " values of ", width, " bytes or more, ", left(),
            " bytes follow"});
  if (type == GgufValue::Type::text) {
    for (uint64_t i = 0; i < count; ++i) take_text("a text of the metadata");
  } else {
    at_ += count * width;
  }
}

GgufValue GgufHeader::read_value(std::string_view key) {
  GgufValue value;
  value.key_ = key;
  value.type_ = value_type(take(4, "a type of the metadata"), key);
  value.element_ = value.type_;
  if (value.is_array()) {
    value.element_ = value_type(take(4, "a type of the metadata"), key);
    if (value.element_ == GgufValue::Type::array)
      refuse({"metadata ", key, " is an array of arrays"}, Code::unsupported);
    value.size_ = take(8, "a length of the metadata");
  }
  value.begin_ = file_.data() + at_;
  skip(value.element_, value.size_, key);
  return value;
}

void GgufHeader::read_entry() {
  GgufEntry entry;
  entry.name = take_text("the name of a tensor");
  if (!is_utf8(entry.name)) refuse("the name of a tensor is not UTF-8");
  const auto fail = [&](const Message& why, Code code = Code::parse) {
    refuse({"tensor \"", entry.name, "\" ", why}, code);
  };
  const uint64_t axes = take(4, "the number of axes of a tensor");
  if (axes > kMostGgufAxes) fail({"has ", axes, " axes, expected at most ", kMostGgufAxes});
  std::vector<int64_t> sizes;
  uint64_t elements = 1;
  for (uint64_t i = 0; i < axes; ++i) {
    const uint64_t size = take(8, "the size of an axis");
    if (size > INT64_MAX || __builtin_mul_overflow(elements, size, &elements))
      fail({"is too large: an axis of ", size});
    sizes.push_back(static_cast<int64_t>(size));
  }
  for (size_t i = sizes.size(); i-- > 0;) entry.shape.push_back(sizes[i]);
  const auto number = static_cast<uint32_t>(take(4, "the type of a tensor"));
  entry.type = find_gguf_type(number);
  if (!entry.type) fail({"has type ", number, ", which is not known"}, Code::unsupported);
  const uint64_t row = sizes.empty() ? 1 : static_cast<uint64_t>(sizes[0]);
  if (row % entry.type->block)
    fail({"has rows of ", row, " elements, expected a multiple of ", entry.type->block, " for ",
          entry.type->name});
  if (elements > INT64_MAX / 8 ||
      __builtin_mul_overflow(elements / entry.type->block, entry.type->bytes, &entry.bytes))
    fail({"is too large: ", elements, " elements"});
  entry.begin = take(8, "the offset of a tensor");  // from the end of the header, until placed
  entries.push_back(std::move(entry));
}

uint64_t GgufHeader::alignment() const {
  const auto found = std::ranges::find(metadata, kAlignmentKey, &GgufFile::Field::key);
  if (found == metadata.end()) return kUsualAlignment;
  const int64_t given = in_file(path_, [&] { return found->value.as_integer(); });
  if (given < 1 || given > static_cast<int64_t>(kMostAlignment) || (given & (given - 1)))
    refuse({kAlignmentKey, " is ", given, ", expected a power of two"});
  return static_cast<uint64_t>(given);
}

void GgufHeader::place_entries(uint64_t alignment) {
  const uint64_t data = (at_ + alignment - 1) / alignment * alignment;
  for (GgufEntry& entry : entries) {
    if (entry.begin % alignment)
      refuse({"tensor \"", entry.name, "\" has offset ", entry.begin, ", expected a multiple of ",
              alignment});
    const uint64_t size = file_.size();
    if (data > size || entry.begin > size - data || entry.bytes > size - data - entry.begin)
      refuse({"tensor \"", entry.name, "\" ends outside the file: ", entry.bytes,
              " bytes at offset ", entry.begin, " of ", data > size ? 0 : size - data});
    entry.begin += data;
  }
}

void GgufHeader::check_ranges() const {
  std::vector<const GgufEntry*> order;
  for (const GgufEntry& entry : entries) order.push_back(&entry);
  std::ranges::sort(order, [](const GgufEntry* a, const GgufEntry* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->bytes < b->bytes;
  });
  for (size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1]->begin + order[i - 1]->bytes > order[i]->begin)
      refuse({"tensors \"", order[i - 1]->name, "\" and \"", order[i]->name, "\" overlap"});
  }
}

void GgufHeader::check_names() const {
  const auto check = [&](std::vector<std::string_view> names, const char* what) {
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end()) refuse({what, " \"", *twice, "\" is a duplicate"});
  };
  std::vector<std::string_view> keys, names;
  for (const GgufFile::Field& field : metadata) keys.push_back(field.key);
  for (const GgufEntry& entry : entries) names.push_back(entry.name);
  check(std::move(keys), "metadata");
  check(std::move(names), "tensor");
}

}  // namespace gyre
