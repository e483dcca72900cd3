#include "gyre/models/files/llama2c.h"

#include <cstring>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/text/tokenizer_files.h"

namespace gyre {
namespace {

constexpr uint64_t kHeaderBytes = 7 * sizeof(int32_t);
constexpr uint32_t kLaterMagic = 0x616B3432;  // "ak42"
constexpr int64_t kMostSize = 1 << 28;

// What the file holds for each layer, in its order; sizes by what they stand for.
enum class Axis : uint8_t { none, width, keys, inner };
struct Kind {
  const char* name;  // after "model.layers.0."
  Axis rows, columns;
};
constexpr Kind kKinds[] = {{"input_layernorm.weight", Axis::width, Axis::none},
                           {"self_attn.q_proj.weight", Axis::width, Axis::width},
                           {"self_attn.k_proj.weight", Axis::keys, Axis::width},
                           {"self_attn.v_proj.weight", Axis::keys, Axis::width},
                           {"self_attn.o_proj.weight", Axis::width, Axis::width},
                           {"post_attention_layernorm.weight", Axis::width, Axis::none},
                           {"mlp.gate_proj.weight", Axis::inner, Axis::width},
                           {"mlp.down_proj.weight", Axis::width, Axis::inner},
                           {"mlp.up_proj.weight", Axis::inner, Axis::width}};

}  // namespace

Llama2cFile::Llama2cFile(const std::string& path)
    : path_(path), mapping_(make_ref<FileMapping>(path)), sizes_(read_sizes()) {}

Llama2cFile::Sizes Llama2cFile::read_sizes() const {
  const std::string_view file = mapping_->file.text();
  const auto refuse = [&](const Message& why, Code code = Code::parse) {
    throw Error(code, "llama2.c", {path_, ": ", why});
  };
  if (file.starts_with("PK"))
    refuse("it is a zip file, perhaps a checkpoint of PyTorch; expected a model of llama2.c",
           Code::unsupported);
  if (file.size() < kHeaderBytes) refuse({"a file of ", file.size(), " bytes has no header"});
  int32_t given[7];
  std::memcpy(given, file.data(), sizeof given);
  if (static_cast<uint32_t>(given[0]) == kLaterMagic)
    refuse({"it is a model of llama2.c of version ", given[1], ", expected version 0"},
           Code::unsupported);
  // a negative vocabulary: the output layer has weights of its own
  const int64_t vocab = given[5];
  const Sizes s{given[0], given[1], given[2], given[3], given[4], vocab < 0 ? -vocab : vocab,
                given[6], vocab > 0};
  constexpr const char* kNames[] = {"dim",        "hidden_dim", "n_layers", "n_heads",
                                    "n_kv_heads", "vocab_size", "seq_len"};
  const int64_t all[] = {s.width, s.inner, s.layers, s.heads, s.kv_heads, s.vocab, s.context};
  for (size_t i = 0; i < std::size(all); ++i) {
    if (all[i] < 1 || all[i] > kMostSize)
      refuse({"this is not a model of llama2.c: ", kNames[i], " is ", all[i]});
  }
  if (s.width % s.heads || s.heads % s.kv_heads)
    refuse({"this is not a model of llama2.c: dim is ", s.width, ", n_heads ", s.heads,
            ", n_kv_heads ", s.kv_heads});
  return s;
}

// Error{parse} unless they fill the file.
std::vector<Llama2cFile::Place> Llama2cFile::places() const {
  const Sizes& s = sizes_;
  const int64_t head = s.width / s.heads;
  const uint64_t size = mapping_->file.bytes().size();
  uint64_t at = kHeaderBytes;
  const auto take = [&](int64_t rows, int64_t columns) {
    const uint64_t begin = at, left = size - at;
    const auto bytes = static_cast<uint64_t>(rows) * static_cast<uint64_t>(columns) * 4;
    if (bytes > left)
      throw Error(Code::parse, "llama2.c",
                  {path_, ": the file ends within its weights, after ", size, " bytes"});
    at += bytes;
    return begin;
  };
  const auto size_of_axis = [&](Axis axis) {
    return axis == Axis::width   ? s.width
           : axis == Axis::keys  ? head * s.kv_heads
           : axis == Axis::inner ? s.inner
                                 : 1;
  };
  std::vector<Place> all;
  const uint64_t table = take(s.vocab, s.width);
  all.push_back({"model.embed_tokens.weight", {s.vocab, s.width}, table});
  for (const Kind& kind : kKinds) {
    const int64_t rows = size_of_axis(kind.rows), columns = size_of_axis(kind.columns);
    const Shape shape = kind.columns == Axis::none ? Shape{rows} : Shape{rows, columns};
    for (int64_t layer = 0; layer < s.layers; ++layer) {
      const uint64_t begin = take(rows, columns);
      all.push_back({"model.layers." + std::to_string(layer) + "." + kind.name, shape, begin});
    }
  }
  all.push_back({"model.norm.weight", {s.width}, take(s.width, 1)});
  take(s.context, head);  // cosines and sines of rope
  if (!s.tied) all.push_back({"lm_head.weight", {s.vocab, s.width}, take(s.vocab, s.width)});
  if (at != size)
    throw Error(Code::parse, "llama2.c",
                {path_, ": expected ", at, " bytes for its sizes, got ", size}, at, size);
  return all;
}

Json Llama2cFile::config() const {
  Json c = Json::object();
  c["model_type"] = "llama";
  c["vocab_size"] = sizes_.vocab;
  c["max_position_embeddings"] = sizes_.context;
  c["hidden_size"] = sizes_.width;
  c["intermediate_size"] = sizes_.inner;
  c["num_hidden_layers"] = sizes_.layers;
  c["num_attention_heads"] = sizes_.heads;
  c["num_key_value_heads"] = sizes_.kv_heads;
  c["rms_norm_eps"] = 1e-5;  // as run.c has it, and the base of rope
  c["rope_theta"] = 10000.0;
  c["tie_word_embeddings"] = sizes_.tied;
  c["bos_token_id"] = 1;
  c["eos_token_id"] = 1;  // each text of its training data begins with it, and run.c ends there
  return c;
}

std::vector<NamedTensor> Llama2cFile::tensors(FileAccess access) const {
  std::vector<NamedTensor> state;
  for (Place& place : places()) {
    Meta meta;
    meta.shape = place.shape;
    state.push_back({std::move(place.name), tensor_of_bytes(mapping_, place.begin, meta, access)});
  }
  return state;
}

std::unique_ptr<Tokenizer> Llama2cFile::tokenizer() const {
  const size_t slash = path_.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path_.substr(0, slash + 1);
  for (const std::string& name :
       {"tok" + std::to_string(sizes_.vocab) + ".bin", std::string("tokenizer.bin")}) {
    if (file_exists(folder + name)) return load_llama2c_tokenizer(folder + name);
  }
  return nullptr;
}

ModelFiles::Weights Llama2cFile::weights() const {
  Weights all;
  for (const Place& place : places()) all.count += numel(place.shape);
  all.bytes = all.count * static_cast<int64_t>(sizeof(float));
  return all;
}

}  // namespace gyre
