#include "gyre/io/pickle/torch_file.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "gyre/base/error.h"
#include "gyre/io/deflate.h"

namespace gyre {
namespace {

constexpr int kDeepest = 64;
constexpr int64_t kMostValues = 1'000'000;
constexpr std::string_view kOldMagic("\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19",
                                     14);

// Storages and dtypes of PyTorch.
struct TorchDType {
  const char *storage, *name;
  DType dtype;
};
constexpr TorchDType kTorchDTypes[] = {
    {"torch.DoubleStorage", "torch.float64", DType::f64},
    {"torch.FloatStorage", "torch.float32", DType::f32},
    {"torch.HalfStorage", "torch.float16", DType::f16},
    {"torch.BFloat16Storage", "torch.bfloat16", DType::bf16},
    {"torch.LongStorage", "torch.int64", DType::i64},
    {"torch.IntStorage", "torch.int32", DType::i32},
    {"torch.ShortStorage", "torch.int16", DType::i16},
    {"torch.CharStorage", "torch.int8", DType::i8},
    {"torch.ByteStorage", "torch.uint8", DType::u8},
    {"torch.BoolStorage", "torch.bool", DType::boolean},
    {"torch.storage.UntypedStorage", "torch.uint32", DType::u32}};
constexpr std::string_view kUntyped = "torch.storage.UntypedStorage";
constexpr const char *kTensor = "torch._utils._rebuild_tensor_v2",
                     *kUntypedTensor = "torch._utils._rebuild_tensor_v3",
                     *kParameter = "torch._utils._rebuild_parameter", *kDevice = "torch.device";

std::vector<const char*> known_names() {
  std::vector<const char*> names{kTensor, kUntypedTensor, kParameter, kDevice};
  for (const TorchDType& type : kTorchDTypes) {
    names.push_back(type.storage);
    names.push_back(type.name);
  }
  return names;
}

std::string joined(const std::string& path, std::string_view part) {
  return path.empty() ? std::string(part) : path + "." + std::string(part);
}

}  // namespace

void TorchFile::refuse(const std::string& why) const {
  throw Error(Code::parse, "torch file", {path_, ": ", why});
}

const ZipMember* TorchFile::member(const std::string& name) const {
  const std::string whole = folder_ + name;
  const auto found = std::ranges::find(zip_.members(), whole, &ZipMember::name);
  return found == zip_.members().end() ? nullptr : &*found;
}

namespace {

// The mapped file, unless it is of a format before 1.6.
const Ref<FileMapping>& checked_format(const Ref<FileMapping>& mapping, const std::string& path) {
  const std::string_view file = mapping->file.text();
  if (!file.starts_with(kOldMagic)) return mapping;
  throw Error(Code::unsupported, "torch file",
              {path, ": it is a checkpoint of PyTorch before 1.6; convert it with ",
               "`python -c \"import torch; torch.save(torch.load('OLD.pt'), 'NEW.pt')\"`"});
}

}  // namespace

TorchFile::TorchFile(const std::string& path)
    : path_(path),
      mapping_(checked_format(make_ref<FileMapping>(path), path)),
      zip_(mapping_->file.text(), path) {
  constexpr std::string_view kPickle = "data.pkl";
  const auto found = std::ranges::find_if(zip_.members(), [&](const ZipMember& m) {
    return m.name.ends_with("/data.pkl") || m.name == kPickle;
  });
  if (found == zip_.members().end()) refuse("it is a zip file without data.pkl, no checkpoint");
  folder_ = found->name.substr(0, found->name.size() - kPickle.size());
  const auto unsupported = [&](const char* what) {
    throw Error(Code::unsupported, "torch file", {path, ": ", what});
  };
  if (member("constants.pkl"))
    unsupported("it is a TorchScript program; save its state_dict() with torch.save");
  if (const ZipMember* order = member("byteorder"); order && zip_.read(*order) != "little")
    unsupported("it is big-endian");
  const std::string bytes = zip_.read(*found);
  const std::vector<const char*> names = known_names();
  const Pickle pickle(bytes, names, path);
  collect(pickle, pickle.root(), "", 0);
  std::set<std::string_view> seen;
  for (const TorchEntry& entry : entries_) {
    if (!seen.insert(entry.name).second) refuse("two tensors have the path \"" + entry.name + "\"");
  }
}

void TorchFile::collect(const Pickle& pickle, const Pickle::Value& value, const std::string& name,
                        int depth) {
  using Type = Pickle::Type;
  if (depth > kDeepest || ++visited_ > kMostValues)
    throw Error(
        Code::resource, "torch file",
        {path_, ": expected at most ", kMostValues, " values, nested at most ", kDeepest, " deep"});
  switch (value.type) {
    case Type::list:
    case Type::tuple:
    case Type::dict:
      return collect_all(pickle, value, name, depth);
    case Type::call: {
      const std::string_view callee = pickle[value.items[0]].text;
      if (callee == kParameter && value.items.size() > 1)
        return collect(pickle, pickle[value.items[1]], name, depth + 1);
      if (callee == kDevice) return;
      return add_tensor(pickle, value, name);
    }
    case Type::none:
      return others_.emplace_back(name, Json()), void();
    case Type::boolean:
      return others_.emplace_back(name, value.integer != 0), void();
    case Type::integer:
      return others_.emplace_back(name, value.integer), void();
    case Type::real:
      return others_.emplace_back(name, value.real), void();
    case Type::text:
    case Type::name:
      return others_.emplace_back(name, value.text), void();
    case Type::bytes:
    case Type::saved:
      return;
  }
}

void TorchFile::collect_all(const Pickle& pickle, const Pickle::Value& value,
                            const std::string& name, int depth) {
  const bool is_dict = value.type == Pickle::Type::dict;
  for (size_t i = 0; i < value.items.size(); i += is_dict ? 2 : 1) {
    std::string part = std::to_string(i);
    if (is_dict) {
      const Pickle::Value& key = pickle[value.items[i]];
      if (key.type == Pickle::Type::text)
        part = key.text;
      else if (key.type == Pickle::Type::integer)
        part = std::to_string(key.integer);
      else
        refuse("a key of \"" + name + "\" is neither a text nor an integer");
    }
    collect(pickle, pickle[value.items[i + (is_dict ? 1 : 0)]], joined(name, part), depth + 1);
  }
}

void TorchFile::add_tensor(const Pickle& pickle, const Pickle::Value& call,
                           const std::string& name) {
  using Type = Pickle::Type;
  const auto fail = [&](const char* why) { refuse("tensor \"" + name + "\" " + why); };
  const auto item = [&](const Pickle::Value& of, size_t i, Type type) -> const Pickle::Value& {
    if (i >= of.items.size() || pickle[of.items[i]].type != type) fail("is not built as expected");
    return pickle[of.items[i]];
  };
  const std::string_view builder = pickle[call.items[0]].text;
  if (builder != kTensor && builder != kUntypedTensor) fail("is not built as expected");
  // ("storage", type, key, device, elements)
  const Pickle::Value& saved = item(item(call, 1, Type::saved), 0, Type::tuple);
  if (item(saved, 0, Type::text).text != "storage") fail("has no storage");
  std::string_view kind = item(saved, 1, Type::name).text;
  const bool untyped = kind == kUntyped;
  if (untyped) kind = item(call, 7, Type::name).text;
  TorchEntry entry;
  const auto found = std::ranges::find_if(kTorchDTypes, [&](const TorchDType& type) {
    return kind == (untyped ? type.name : type.storage);
  });
  if (found == std::end(kTorchDTypes)) fail("has no dtype");
  entry.name = name;
  entry.dtype = found->dtype;
  entry.storage = item(saved, 2, Type::text).text;
  entry.offset = item(call, 2, Type::integer).integer;
  const Pickle::Value &sizes = item(call, 3, Type::tuple), &steps = item(call, 4, Type::tuple);
  if (sizes.items.size() != steps.items.size() || sizes.items.size() > kMaxRank)
    fail("has sizes and strides that do not fit");
  const ZipMember* data = member("data/" + entry.storage);
  if (!data) fail("has a storage that is not in the file");
  const auto elements = static_cast<int64_t>(data->size / size_of(entry.dtype));
  int64_t last = entry.offset, count = 1;
  if (entry.offset < 0) fail("begins outside its storage");
  for (size_t i = 0; i < sizes.items.size(); ++i) {
    const int64_t size = item(sizes, i, Type::integer).integer,
                  step = item(steps, i, Type::integer).integer;
    int64_t span = 0;
    if (size < 0 || step < 0 ||
        __builtin_mul_overflow(std::max<int64_t>(size - 1, 0), step, &span) ||
        __builtin_add_overflow(last, span, &last) || __builtin_mul_overflow(count, size, &count) ||
        count > INT64_MAX / 16)
      fail("has sizes or strides out of range");
    entry.shape.push_back(size);
    entry.strides.push_back(step);
  }
  if (count > 0 && last >= elements) fail("ends outside its storage");
  entries_.push_back(std::move(entry));
}

Tensor TorchFile::storage(const TorchEntry& entry, FileAccess access) const {
  const ZipMember& data = *member("data/" + entry.storage);
  const size_t width = size_of(entry.dtype);
  Meta meta;
  meta.dtype = entry.dtype;
  meta.shape = {static_cast<int64_t>(data.size / width)};
  const std::string_view stored = zip_.stored(data);
  const auto begin = static_cast<uint64_t>(stored.data() - mapping_->file.text().data());
  if (data.method == 0 && access == FileAccess::map)
    return tensor_of_bytes(mapping_, begin, meta, access);
  Tensor copy = empty(meta);
  const std::string bytes = zip_.read(data);
  if (!bytes.empty()) std::memcpy(copy.bytes(), bytes.data(), bytes.size() / width * width);
  return copy;
}

Tensor TorchFile::load(const TorchEntry& entry, FileAccess access, Storages& storages) const {
  Tensor& base = storages[{entry.storage, entry.dtype}];
  if (!base.defined()) {
    base = storage(entry, access);
    const std::byte* bytes = base.bytes();
    if (entry.dtype == DType::boolean &&
        std::any_of(bytes, bytes + base.numel(), [](std::byte b) { return b > std::byte{1}; }))
      throw Error(Code::value, "torch file",
                  {path_, ": tensor \"", entry.name, "\" has booleans that are neither 0 nor 1"});
  }
  if (numel(entry.shape) == 0) return empty(entry.shape, entry.dtype);
  return make_view(base, entry.shape, entry.strides, entry.offset);
}

Tensor TorchFile::load(const TorchEntry& entry, FileAccess access) const {
  Storages storages;
  return load(entry, access, storages);
}

std::vector<NamedTensor> TorchFile::load_all(FileAccess access) const {
  Storages storages;
  std::vector<NamedTensor> all;
  for (const TorchEntry& entry : entries_)
    all.push_back({entry.name, load(entry, access, storages)});
  return all;
}

}  // namespace gyre
