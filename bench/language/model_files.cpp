#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "bench/packed/packed_weights.h"
#include "bench/temporary_folder.h"
#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/ops/create/create.h"

// A GPT of 25 M weights as a file: saved, and loaded.

namespace gyre::bench {
namespace {

enum Kind : int64_t { kJson, kFilesF32, kFilesF16, kFilesT4 };

// Each tensor by its name, a list of the shortest numbers that give the same f32.
void save_json(nn::Module& model, const std::string& path) {
  std::string text = "{";
  for (const NamedTensor& t : model.state_dict()) {
    fmt::format_to(std::back_inserter(text), "{}\"{}\":[", text.size() > 1 ? "," : "", t.name);
    const std::vector<float> values = to_vector<float>(t.tensor);
    for (size_t i = 0; i < values.size(); ++i)
      fmt::format_to(std::back_inserter(text), "{}{}", i > 0 ? "," : "", values[i]);
    text += "]";
  }
  write_file_atomic(path, text + "}");
}

void load_json(nn::Module& model, const std::string& path) {
  const Json content = Json::read(path);
  std::vector<NamedTensor> state;
  for (const NamedTensor& t : model.state_dict()) {
    const Json::Array& list = content.at(t.name).as_array();
    std::vector<float> values;
    values.reserve(list.size());
    for (const Json& value : list) values.push_back(static_cast<float>(value.as_real()));
    state.push_back({t.name, tensor(values, t.tensor.shape())});
  }
  model.load_state_dict(state);
}

struct Saved : TemporaryFolder {
  explicit Saved(int64_t kind) : kind(kind) {
    if (kind == kFilesF16) model.to(DType::f16);
    if (kind == kFilesT4) pack_for_timing(model, codec("T4"));
    save();
  }
  void save() {
    if (kind == kJson) return save_json(model, path + "/model.json");
    model.save(path, nullptr);
  }
  void load() {
    if (kind == kJson) return load_json(model, path + "/model.json");
    (void)load_language_model(path);
  }
  [[nodiscard]] double bytes() const {
    const char* name = kind == kJson ? "/model.json" : "/model.safetensors";
    return static_cast<double>(file_size(path + name));
  }

  int64_t kind;
  Decoder model{{.vocab = 512, .block_size = 512, .layers = 8, .heads = 8, .width = 512}};
};

// sizes: kind of file, whether it is loaded
Ready file(const Work& w, const Settings&) {
  auto saved = std::make_shared<Saved>(w.sizes[0]);
  const auto bytes = [saved] { return saved->bytes(); };
  if (w.sizes[1]) return {.call = [saved] { saved->load(); }, .bytes = bytes};
  return {.call = [saved] { saved->save(); }, .bytes = bytes};
}

constexpr Work work(const char* name, const char* definition, Kind kind, bool loads) {
  Work w{name, "ms", definition, file, {kind, loads}};
  w.repeats = 3;
  w.warm = 1;
  return w;
}

constexpr Work kModelFilesWorks[] = {
    work("model_files_json_save", "a GPT of 25 M weights as JSON text", kJson, false),
    work("model_files_json_load", "reading it", kJson, true),
    work("model_files_f32_save", "as safetensors in f32", kFilesF32, false),
    work("model_files_f32_load", "reading it", kFilesF32, true),
    work("model_files_f16_save", "as safetensors in f16", kFilesF16, false),
    work("model_files_f16_load", "reading it", kFilesF16, true),
    work("model_files_t4_save", "as safetensors packed in T4", kFilesT4, false),
    work("model_files_t4_load", "reading it", kFilesT4, true)};

}  // namespace

std::span<const Work> model_files_works() { return kModelFilesWorks; }

}  // namespace gyre::bench
