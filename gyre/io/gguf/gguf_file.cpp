#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/half.h"
#include "gyre/base/in_file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/io/gguf/gguf.h"
#include "gyre/io/gguf/gguf_header.h"

namespace gyre {
namespace {

constexpr const char* kGgufOp = "gguf";
constexpr const char *kSplitNumber = "split.no", *kSplitCount = "split.count",
                     *kSplitTensors = "split.tensors.count";

int64_t split_field(const GgufHeader& header, const std::string& path, const char* key,
                    int64_t otherwise) {
  const auto found = std::ranges::find(header.metadata, key, &GgufFile::Field::key);
  if (found == header.metadata.end()) return otherwise;
  return in_file(path, [&] { return found->value.as_integer(); });
}

// "-00001-of-00003.gguf"
std::string split_ending(int64_t part, int64_t count) {
  return fmt::format("-{:05}-of-{:05}.gguf", part + 1, count);
}

// Decodes whole blocks, in chunks on all threads.
void decode_blocks(const GgufType& type, const uint8_t* from, int64_t blocks, auto store) {
  constexpr int64_t kBlocksAtOnce = 1024;
  parallel_for(blocks, kBlocksAtOnce, [&](int64_t begin, int64_t end) {
    float numbers[256];
    for (int64_t i = begin; i < end; ++i) {
      type.decode(from + static_cast<uint64_t>(i) * type.bytes, numbers);
      store(static_cast<uint64_t>(i) * type.block, numbers);
    }
  });
}

Tensor decoded(const GgufType& type, const uint8_t* from, const Shape& shape, DType dtype) {
  Tensor result = empty(shape, dtype);
  const int64_t blocks = numel(shape) / static_cast<int64_t>(type.block);
  if (dtype == DType::f32) {
    float* to = result.data<float>();
    decode_blocks(type, from, blocks, [&](uint64_t at, const float* numbers) {
      std::copy_n(numbers, type.block, to + at);
    });
  } else {
    auto* to = reinterpret_cast<f16*>(result.bytes());
    decode_blocks(type, from, blocks, [&](uint64_t at, const float* numbers) {
      std::transform(numbers, numbers + type.block, to + at, to_f16);
    });
  }
  return result;
}

}  // namespace

GgufFile::GgufFile(const std::string& path) : path_(path) {
  open_parts();
  by_name_.resize(entries_.size());
  for (uint32_t i = 0; i < by_name_.size(); ++i) by_name_[i] = i;
  std::ranges::sort(by_name_, {},
                    [&](uint32_t i) -> const std::string& { return entries_[i].name; });
  for (size_t i = 1; i < by_name_.size(); ++i) {
    const std::string& name = entries_[by_name_[i]].name;
    if (entries_[by_name_[i - 1]].name == name)
      throw Error(Code::parse, kGgufOp, {path, ": tensor \"", name, "\" is in two files"});
  }
}

void GgufFile::open_parts() {
  const auto refuse = [&](const Message& why, Code code = Code::parse) {
    throw Error(code, kGgufOp, why);
  };
  std::string name = path_, stem;
  int64_t count = 1, tensors = -1;
  for (int64_t part = 0; part < count; ++part) {
    if (part > 0) {
      name = stem + split_ending(part, count);
      if (!file_exists(name)) refuse({path_, ": no such part: ", name}, Code::value);
    }
    parts_.push_back(make_ref<FileMapping>(name));
    GgufHeader header(parts_.back()->file.text(), name);
    header.read();
    const int64_t number = split_field(header, name, kSplitNumber, 0);
    if (part == 0) {
      count = split_field(header, name, kSplitCount, 1);
      tensors = split_field(header, name, kSplitTensors, -1);
      if (count < 1 || count > UINT16_MAX)
        refuse({name, ": ", kSplitCount, " is ", count, ", expected 1 to 65535"});
      if (number != 0)
        refuse({name, ": it is part ", number + 1, " of ", count,
                "; give the first, whose name ends in ", split_ending(0, count)},
               Code::value);
      const std::string ending = split_ending(0, count);
      if (count > 1 && !name.ends_with(ending))
        refuse(
            {name, ": it is the first of ", count, " parts, expected a name that ends in ", ending},
            Code::value);
      if (count > 1) stem = name.substr(0, name.size() - ending.size());
      version_ = header.version;
      metadata_ = std::move(header.metadata);
    } else if (number != part || split_field(header, name, kSplitCount, 1) != count) {
      refuse({name, ": expected part ", part + 1, " of ", count, ", got part ", number + 1, " of ",
              split_field(header, name, kSplitCount, 1)});
    }
    for (GgufEntry& entry : header.entries) {
      entry.part = static_cast<size_t>(part);
      entries_.push_back(std::move(entry));
    }
  }
  if (tensors >= 0 && count > 1 && tensors != static_cast<int64_t>(entries_.size()))
    refuse({path_, ": ", kSplitTensors, " is ", tensors, ", but its parts have ", entries_.size()});
}

const GgufEntry* GgufFile::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(
      by_name_, name, {}, [&](uint32_t i) -> std::string_view { return entries_[i].name; });
  return found == by_name_.end() || entries_[*found].name != name ? nullptr : &entries_[*found];
}

const GgufValue* GgufFile::metadata(std::string_view key) const {
  for (const Field& field : metadata_) {
    if (field.key == key) return &field.value;
  }
  return nullptr;
}

Tensor GgufFile::load(const GgufEntry& entry, FileAccess access, DType blocks) const {
  const GgufType& type = *entry.type;
  const Ref<FileMapping>& part = parts_[entry.part];
  if (type.is_plain) {
    Meta meta;
    meta.shape = entry.shape;
    meta.dtype = type.dtype;
    return tensor_of_bytes(part, entry.begin, meta, access);
  }
  if (!type.is_supported())
    throw Error(
        Code::unsupported, kGgufOp,
        {path_, ": tensor \"", entry.name, "\" has type ", type.name, ", which is not supported"},
        {}, type.name);
  if (blocks != DType::f32 && blocks != DType::f16)
    throw Error(Code::internal, kGgufOp, "blocks are decoded to f32 or f16", "f32 or f16", blocks);
  const auto* from = reinterpret_cast<const uint8_t*>(part->file.bytes().data()) + entry.begin;
  return decoded(type, from, entry.shape, blocks);
}

Tensor GgufFile::bytes(const GgufEntry& entry, FileAccess access) const {
  Meta meta;
  meta.shape = {static_cast<int64_t>(entry.bytes)};
  meta.dtype = DType::u8;
  return tensor_of_bytes(parts_[entry.part], entry.begin, meta, access);
}

std::vector<NamedTensor> GgufFile::load_all(FileAccess access, DType blocks) const {
  std::vector<NamedTensor> all;
  for (const GgufEntry& entry : entries_) all.push_back({entry.name, load(entry, access, blocks)});
  return all;
}

}  // namespace gyre
