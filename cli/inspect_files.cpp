#include "cli/inspect_files.h"

#include <set>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/ascii.h"
#include "gyre/io/gguf/gguf.h"
#include "gyre/io/npy.h"
#include "gyre/io/pickle/torch_file.h"
#include "gyre/io/safetensors_format.h"
#include "gyre/io/zip.h"
#include "gyre/models/files/model_files.h"
#include "gyre/text/tokenizer.h"
#include "gyre/text/tokenizer_files.h"

namespace gyre {
namespace {

constexpr uint64_t kShownElements = 8;  // of an array of metadata

// Collects what all kinds of files have.
class Contents {
 public:
  Contents(const std::string& path, const char* kind) {
    json_["file"] = path;
    json_["kind"] = kind;
    json_["bytes"] = static_cast<int64_t>(file_size(path));
  }
  void tensor(const std::string& name, std::string_view dtype, const Shape& shape, int64_t bytes) {
    Json t = Json::object();
    t["name"] = name;
    t["dtype"] = dtype;
    t["shape"] = shape_json(shape);
    t["bytes"] = bytes;
    parameters_ += numel(shape);
    tensors_.push_back(std::move(t));
  }
  void metadata(std::string_view key, Json value) { metadata_[key] = std::move(value); }
  Json json() {
    json_["parameters"] = parameters_;
    json_["tensors"] = std::move(tensors_);
    json_["metadata"] = std::move(metadata_);
    return std::move(json_);
  }

 private:
  Json json_ = Json::object(), tensors_ = Json::array(), metadata_ = Json::object();
  int64_t parameters_ = 0;
};

int64_t bytes_of(const Shape& shape, DType dtype) {
  return numel(shape) * static_cast<int64_t>(size_of(dtype));
}

Json gguf_json(const std::string& path) {
  const GgufFile file(path);
  Contents all(path, "gguf");
  for (const GgufEntry& e : file.entries())
    all.tensor(e.name, e.type->name, e.shape, static_cast<int64_t>(e.bytes));
  for (const GgufFile::Field& field : file.metadata()) {
    Json value = field.value.to_json(kShownElements);
    if (field.value.size() > kShownElements && field.value.is_array())
      value.push_back("... " + std::to_string(field.value.size()) + " in all");
    all.metadata(field.key, std::move(value));
  }
  return all.json();
}

Json torch_json(const std::string& path) {
  const TorchFile file(path);
  Contents all(path, "pytorch");
  for (const TorchEntry& e : file.entries())
    all.tensor(e.name, safetensors::stored_name(e.dtype), e.shape, bytes_of(e.shape, e.dtype));
  for (const auto& [name, value] : file.others()) all.metadata(name, value);
  return all.json();
}

Json npz_json(const std::string& path) {
  const ZipFile zip(path);
  Contents all(path, "npz");
  for (const ZipMember& member : zip.members()) {
    const std::string_view name = member.name;
    if (!name.ends_with(".npy"))
      throw Error(Code::parse, path, {"expected arrays of NumPy, found ", name});
    const std::string bytes = zip.read(member);
    const NpyHeader h = npy_header(bytes, path);
    all.tensor(std::string(name.substr(0, name.size() - 4)), safetensors::stored_name(h.dtype),
               h.shape, bytes_of(h.shape, h.dtype));
  }
  return all.json();
}

Json npy_json(const std::string& path, std::string_view content) {
  Contents all(path, "npy");
  const NpyHeader h = npy_header(content, path);
  all.tensor("", safetensors::stored_name(h.dtype), h.shape, bytes_of(h.shape, h.dtype));
  return all.json();
}

// Models of llama2.c and their tokenizers both end in .bin; which it is, is known by its content.
Json llama2c_json(const std::string& path) {
  std::unique_ptr<ModelFiles> file;
  try {
    file = open_model_files(path);
  } catch (const Error& no_model) {
    if (no_model.code != Code::parse) throw;
    std::unique_ptr<Tokenizer> tokenizer;
    try {
      tokenizer = load_llama2c_tokenizer(path);
    } catch (const Error& no_tokenizer) {
      if (no_tokenizer.code != Code::parse) throw;
      throw no_model;
    }
    return tokenizer_json(path, *tokenizer, tokenizer->to_json());
  }
  Contents all(path, "llama2.c");
  for (const NamedTensor& t : file->tensors(FileAccess::map))
    all.tensor(t.name, "F32", t.tensor.shape(), bytes_of(t.tensor.shape(), t.tensor.dtype()));
  const Json config = file->config();
  for (const Json::Member& m : config.as_object()) all.metadata(m.key, m.value);
  return all.json();
}

}  // namespace

Json shape_json(const Shape& shape) {
  Json list = Json::array();
  for (int64_t size : shape) list.push_back(size);
  return list;
}

Json tokenizer_json(const std::string& path, const Tokenizer& tokenizer, const Json& content) {
  Json j = Json::object();
  j["file"] = path;
  j["kind"] = "tokenizer";
  const Json& model = content.at("model");
  const Json *type = model.find("type"), *merges = model.find("merges");
  j["model"] = type ? *type : Json(merges ? "BPE" : "characters");
  j["vocab_size"] = tokenizer.vocab_size();
  j["merges"] = merges ? static_cast<int64_t>(merges->as_array().size()) : 0;
  j["special"] = Json::array();
  for (const AddedToken& token : tokenizer.added_tokens().all()) {
    if (token.special) j["special"].push_back(token.content);
  }
  return j;
}

Json json_lines_json(const std::string& path, std::string_view content) {
  Json j = Json::object(), fields = Json::array(), last;
  std::set<std::string, std::less<>> seen;
  int64_t lines = 0, number = 0;
  for (std::string_view rest = content; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.empty()) continue;
    last = in_file(path + ": line " + std::to_string(number), [&] { return Json::parse(line); });
    ++lines;
    if (!last.is_object()) continue;
    for (const Json::Member& member : last.as_object()) {
      if (seen.insert(member.key).second) fields.push_back(member.key);
    }
  }
  j["file"] = path;
  j["kind"] = "jsonl";
  j["bytes"] = static_cast<int64_t>(content.size());
  j["lines"] = lines;
  j["fields"] = std::move(fields);
  j["last"] = std::move(last);
  return j;
}

bool is_torch_weights(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("pytorch_model") && name.ends_with(".bin");
}

std::optional<Json> model_file_json(const std::string& path, std::string_view content) {
  if (content.starts_with("GGUF") || path.ends_with(".gguf")) return gguf_json(path);
  if (path.ends_with(".npz")) return npz_json(path);
  if (path.ends_with(".npy")) return npy_json(path, content);
  if (content.starts_with("PK\3\4") || is_torch_weights(path) || path.ends_with(".pt") ||
      path.ends_with(".pth"))
    return torch_json(path);
  if (path.ends_with(".bin")) return llama2c_json(path);
  return {};
}

}  // namespace gyre
