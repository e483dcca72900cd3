#include "gyre/packed/packed_file.h"

#include <algorithm>
#include <cstring>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/io/json.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"

namespace gyre {
namespace {

constexpr const char* kKey = "gyre.packed";
constexpr int64_t kVersion = 1;
constexpr const char *kWords = ".words", *kHeaders = ".headers";

[[noreturn]] void fail(const SafetensorsFile& file, const Message& why) {
  throw Error(Code::parse, "packed", {file.path(), ": ", why});
}

Shape shape_of(const Json& json) {
  Shape shape;
  for (const Json& size : json.as_array("shape")) {
    if (shape.rank == kMaxRank) throw Error(Code::parse, "packed", "too many axes");
    shape.push_back(size.as_integer("shape"));
  }
  return shape;
}

PackedEntry entry_of(const Json::Member& member) {
  return {member.key, member.value.at("format").as_string("format"),
          shape_of(member.value.at("shape"))};
}

// The bytes of a part, which must be [count, 2] of I64.
void take_part(const SafetensorsFile& file, const std::string& name, std::span<Packed128> to) {
  const SafetensorsEntry* entry = file.find(name);
  if (!entry) fail(file, "tensor " + name + " is missing");
  const Shape wanted{static_cast<int64_t>(to.size()), 2};
  if (entry->stored_dtype != "I64" || !(entry->shape == wanted)) {
    fail(file, {"tensor ", name, " is ", entry->stored_dtype, " ", entry->shape, ", expected I64 ",
                wanted});
  }
  std::memcpy(to.data(), file.load(*entry).bytes(), to.size_bytes());
}

Tensor read_packed(const SafetensorsFile& file, const PackedEntry& entry) {
  const auto formats = ring_formats();
  const auto format =
      std::ranges::find_if(formats, [&](const RingFormat& f) { return f.name == entry.format; });
  if (format == formats.end()) fail(file, {"unknown format ", entry.format, " of ", entry.name});
  // The words are there before memory is taken: a shape in a damaged file may be anything.
  const SafetensorsEntry* words = file.find(entry.name + kWords);
  if (!words) fail(file, "tensor " + entry.name + kWords + " is missing");
  Tensor made;
  try {
    const PackedLayout layout = packed_layout(*format, entry.shape, "packed");
    if (words->bytes() != static_cast<uint64_t>(layout.words()) * sizeof(Packed128)) {
      fail(file, {"tensor ", entry.name, kWords, " has ", words->shape, " words, expected ",
                  layout.words(), " for shape ", entry.shape});
    }
    made = empty_packed(*format, entry.shape, "packed");
  } catch (const Error& error) {
    if (error.code != Code::shape) throw;
    fail(file, {entry.name, ": ", error.what()});
  }
  const PackedStorage& storage = packed_storage(made);
  take_part(file, entry.name + kWords, storage.words());
  take_part(file, entry.name + kHeaders, storage.headers());
  check_headers(storage.layout, storage.headers(), file.path() + ": " + entry.name);
  return made;
}

Tensor part_of(std::span<const Packed128> words) {
  Tensor part = empty({static_cast<int64_t>(words.size()), 2}, DType::i64);
  std::memcpy(part.bytes(), words.data(), words.size_bytes());
  return part;
}

}  // namespace

std::vector<PackedEntry> packed_entries(const SafetensorsFile& file) {
  std::vector<PackedEntry> entries;
  const std::string_view text = file.metadata(kKey);
  if (text.empty()) return entries;
  in_file(file.path() + ": " + kKey, [&] {
    const Json json = Json::parse(std::string(text));
    if (const int64_t version = json.at("version").as_integer("version"); version != kVersion) {
      throw Error(Code::parse, "packed",
                  {"version ", version, " is unknown; this gyre reads version ", kVersion});
    }
    for (const Json::Member& member : json.at("tensors").as_object("tensors"))
      entries.push_back(entry_of(member));
  });
  return entries;
}

bool is_part(std::span<const PackedEntry> packed, std::string_view name) {
  return std::ranges::any_of(packed, [&](const PackedEntry& e) {
    return name == e.name + kWords || name == e.name + kHeaders;
  });
}

uint64_t packed_bytes(const SafetensorsFile& file, const PackedEntry& entry) {
  uint64_t bytes = 0;
  for (const char* part : {kWords, kHeaders}) {
    const SafetensorsEntry* found = file.find(entry.name + part);
    bytes += found ? found->bytes() : 0;
  }
  return bytes;
}

std::vector<NamedTensor> load_state(const SafetensorsFile& file) {
  const std::vector<PackedEntry> packed = packed_entries(file);
  std::vector<NamedTensor> state;
  for (const SafetensorsEntry& entry : file.entries()) {
    if (!is_part(packed, entry.name)) state.push_back({entry.name, file.load(entry)});
  }
  for (const PackedEntry& entry : packed) state.push_back({entry.name, read_packed(file, entry)});
  return state;
}

void write_state(const std::string& path, std::span<const NamedTensor> tensors,
                 SafetensorsMetadata metadata) {
  std::vector<NamedTensor> parts;
  Json packed = Json::object(), entries = Json::object();
  for (const NamedTensor& t : tensors) {
    if (!is_packed(t.tensor)) {
      parts.push_back(t);
      continue;
    }
    const PackedStorage& storage = packed_storage(t.tensor);
    parts.push_back({t.name + kWords, part_of(storage.words())});
    parts.push_back({t.name + kHeaders, part_of(storage.headers())});
    Json entry = Json::object(), shape = Json::array();
    for (int64_t size : t.tensor.shape()) shape.push_back(size);
    entry["format"] = storage.layout.format->name;
    entry["shape"] = std::move(shape);
    entries[t.name] = std::move(entry);
  }
  if (parts.size() > tensors.size()) {
    packed["version"] = kVersion;
    packed["tensors"] = std::move(entries);
    metadata.emplace_back(kKey, packed.dump());
  }
  write_safetensors(path, parts, metadata);
}

}  // namespace gyre
