#include "gyre/packed/packed_file.h"

#include <algorithm>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/io/json.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"

namespace gyre {
namespace {

constexpr int64_t kVersion = 1;
constexpr const char *kWords = ".words", *kHeaders = ".headers";

Shape shape_of(const Json& json) {
  Shape shape;
  for (const Json& size : json.as_array("shape")) {
    if (shape.rank == kMaxRank) throw Error(Code::parse, "packed", "too many axes");
    shape.push_back(size.as_integer("shape"));
  }
  return shape;
}

const Codec& format_of(const std::string& name) {
  if (const Codec* format = find_codec(name)) return *format;
  throw Error(Code::parse, "packed", "unknown format " + name);
}

PackedLayout layout_of(const PackedEntry& entry) try {
  return packed_layout(format_of(entry.format), entry.shape, "packed");
} catch (const Error& error) {
  throw Error(Code::parse, "packed", {entry.name, ": ", error.what()});
}

// Of a file's packed tensors, one whose parts are there and have the sizes of its shape: nothing is
// allocated by what a damaged file says.
PackedEntry entry_of(const SafetensorsFile& file, const Json::Member& member) {
  PackedEntry entry{member.key, member.value.at("format").as_string("format"),
                    shape_of(member.value.at("shape"))};
  const PackedLayout layout = layout_of(entry);
  if (file.find(entry.name))
    throw Error(Code::parse, "packed", "tensor " + entry.name + " is there as a plain one, too");
  for (const auto& [name, count] : {std::pair{entry.name + kWords, layout.words()},
                                    {entry.name + kHeaders, layout.headers()}}) {
    const SafetensorsEntry* part = file.find(name);
    if (!part) throw Error(Code::parse, "packed", "tensor " + name + " is missing");
    const Shape wanted{count, 2};
    if (part->stored_dtype == "I64" && part->shape == wanted) continue;
    throw Error(
        Code::parse, "packed",
        {"tensor ", name, " is ", part->stored_dtype, " ", part->shape, ", expected I64 ", wanted});
  }
  return entry;
}

Tensor read_packed(const SafetensorsFile& file, const PackedEntry& entry) {
  return packed_of_parts(format_of(entry.format), entry.shape, file.load(entry.name + kWords),
                         file.load(entry.name + kHeaders), file.path() + ": " + entry.name);
}

// The tensors of a file, packed ones in two parts, and their entry in the metadata.
std::vector<NamedTensor> parts_of(std::span<const NamedTensor> tensors,
                                  SafetensorsMetadata& metadata) {
  std::vector<NamedTensor> parts;
  Json packed = Json::object(), entries = Json::object();
  // of the file that the metadata comes from
  std::erase_if(metadata, [](const auto& entry) { return entry.first == kPackedKey; });
  for (const NamedTensor& t : tensors) {
    if (!is_packed(t.tensor)) {
      parts.push_back(t);
      continue;
    }
    parts.push_back({t.name + kWords, packed_words(t.tensor)});
    parts.push_back({t.name + kHeaders, packed_headers(t.tensor)});
    Json entry = Json::object(), shape = Json::array();
    for (int64_t size : t.tensor.shape()) shape.push_back(size);
    entry["format"] = packed_storage(t.tensor).layout.format->name;
    entry["shape"] = std::move(shape);
    entries[t.name] = std::move(entry);
  }
  if (parts.size() > tensors.size()) {
    packed["version"] = kVersion;
    packed["tensors"] = std::move(entries);
    metadata.emplace_back(kPackedKey, packed.dump());
  }
  return parts;
}

}  // namespace

std::vector<PackedEntry> packed_entries(const SafetensorsFile& file) {
  std::vector<PackedEntry> entries;
  const std::string_view text = file.metadata(kPackedKey);
  if (text.empty()) return entries;
  in_file(file.path() + ": " + kPackedKey, [&] {
    const Json json = Json::parse(std::string(text));
    if (const int64_t version = json.at("version").as_integer("version"); version != kVersion) {
      throw Error(Code::parse, "packed",
                  {"version ", version, " is unknown; this gyre reads version ", kVersion});
    }
    for (const Json::Member& member : json.at("tensors").as_object("tensors"))
      entries.push_back(entry_of(file, member));
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
  const std::vector<NamedTensor> parts = parts_of(tensors, metadata);
  write_safetensors(path, parts, metadata);
}

uint64_t state_size(std::span<const NamedTensor> tensors, SafetensorsMetadata metadata) {
  const std::vector<NamedTensor> parts = parts_of(tensors, metadata);
  return safetensors_size(parts, metadata);
}

}  // namespace gyre
