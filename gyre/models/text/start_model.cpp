#include "gyre/models/text/start_model.h"

#include <algorithm>

#include "gyre/base/system/file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/packing.h"
#include "gyre/models/prepared_task.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

void require_sizes(const StartModel& start, const TrainOptions& o,
                   std::span<const std::string> given) {
  const Json own = record_to_json(start.options), wanted = record_to_json(o.decoder);
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (!(field.tags & kOfModel) || std::ranges::find(given, field.name) == given.end()) continue;
    const Json &found = own.at(field.name), &value = wanted.at(field.name);
    if (value == found) continue;
    const char* remedy = field.name == std::string_view("block_size")
                             ? "; set `sequence_length` instead"
                             : "; omit it";
    refuse_training({"`", field.name, "` is that of the model in `init`, ", found.dump(), ", got ",
                     value.dump(), remedy},
                    found.dump(), value.dump());
  }
}

void require_formats(const StartModel& start, TrainedFormat packed) {
  constexpr auto kTrained = std::span(kTrainedFormatNames).subspan(1);  // without none
  for (const std::string& format : start.formats) {
    if (std::ranges::find(kTrained, format) != kTrained.end()) continue;
    std::string known;
    for (const char* name : kTrained) known += (known.empty() ? "" : ", ") + std::string(name);
    refuse_training({"`init`: weights packed in ", format, " cannot be trained, only in ", known,
                     "; start from the model that it was compressed from"},
                    known, format);
  }
  if (packed == TrainedFormat::none || start.formats.empty()) return;
  const char* wanted = kTrainedFormatNames[static_cast<size_t>(packed)];
  if (start.formats == std::vector<std::string>{wanted}) return;
  const std::string found = format_names(start.formats);
  refuse_training(
      {"`packed` is ", wanted, ", but the weights of the model in `init` are packed in ", found,
       "; omit `packed`, or start from the model that it was compressed from"},
      found, wanted);
}

// Where the tokenizer that the model was trained with is: the option, or the model itself.
std::string tokenizer_of(const TrainOptions& o, bool is_given, int64_t vocab) {
  const std::string& init = o.start.init;
  const std::string& name = is_given ? o.text.tokenizer : init;
  std::string unread;  // does not matter where another is given
  const std::unique_ptr<Tokenizer> own =
      is_given ? readable_tokenizer(init, unread) : needed_tokenizer("train", init, "");
  if (name == "char" || name.starts_with("bpe:")) {
    refuse_training({"`tokenizer` ", name, " makes a new vocabulary, but the model in `init` has ",
                     own ? "its own; omit `tokenizer`"
                         : "one already; give the tokenizer.json that it was trained with"},
                    init, name);
  }
  if (!file_exists(name))
    refuse_training({"`tokenizer`: no such file: ", name}, "a tokenizer.json", name);
  const std::unique_ptr<Tokenizer> given = is_given ? open_tokenizer(name) : nullptr;
  const Tokenizer& tokenizer = given ? *given : *own;
  if (tokenizer.vocab_size() > vocab) {  // smaller ones are common: embeddings have more rows
    refuse_training({"the tokenizer in ", name, " has ", tokenizer.vocab_size(),
                     " tokens, but the model in `init` has a vocabulary of ", vocab,
                     "; set `tokenizer` to the one of the model"},
                    vocab, tokenizer.vocab_size());
  }
  if (given && own && !(given->to_json() == own->to_json())) {
    refuse_training({"`tokenizer` ", name, " differs from that of ", init,
                     ", which the model was trained with; omit `tokenizer`"},
                    init, name);
  }
  return name;
}

TrainedDType trained_dtype(DType dtype) {
  return dtype == DType::bf16  ? TrainedDType::bf16
         : dtype == DType::f16 ? TrainedDType::f16
                               : TrainedDType::f32;
}

// A copy of a model in memory: its own options, with those that say how its weights lie
// (kOfLayout) as in config.json.
struct Copied {
  const char* model_type;
  DecoderOptions options;
};

Copied copied_model(const Decoder& model, const std::string& path) {
  const auto files = open_model_files(path);
  const Json config = files->config();
  // not model.architecture(), which is another one if weights lie as no folder of theirs holds them
  const Architecture& theirs = architecture_named(config.at("model_type").as_string("model_type"));
  const Json stated = record_to_json(theirs.read_config(config, files->config_path()));
  Json layout = Json::object();
  for (const Field& field : record_of<DecoderOptions>.fields) {
    if (field.tags & kOfLayout) layout[field.name] = stated.at(field.name);
  }
  Copied copied{theirs.model_type, model.options()};
  record_from_json(copied.options, layout);
  return copied;
}

}  // namespace

DecoderOptions copied_options(const std::string& path) {
  const auto model = load_language_model(path, FileAccess::map);
  return copied_model(dynamic_cast<const Decoder&>(*model), path).options;
}

StartModel start_model(const TrainOptions& o, std::span<const std::string> given) {
  const std::string& folder = o.start.init;
  const auto is_given = [&](const char* name) {
    return std::ranges::find(given, name) != given.end();
  };
  if (!is_directory(folder) && !is_model_file(folder))
    refuse_training({"`init`: no such folder or model file: ", folder}, "a language model", folder);
  const auto model = load_language_model(folder, FileAccess::map);
  const auto& decoder = dynamic_cast<const Decoder&>(*model);
  const Copied copied = copied_model(decoder, folder);
  StartModel start{.model_type = copied.model_type,
                   .options = copied.options,
                   .formats = packing_of(*model).formats};
  if (!is_model_file(folder)) start.dtype = trained_dtype(decoder.wte.weight.dtype());
  const std::string wanted = o.model == "gpt" ? "gpt2" : o.model;  // its name once
  if (is_given("model") && wanted != start.model_type) {
    refuse_training({"`model` is ", o.model, ", but the model in `init` is ", start.model_type,
                     "; omit `model`"},
                    start.model_type, o.model);
  }
  require_sizes(start, o, given);
  require_formats(start, o.start.packed);
  start.tokenizer = tokenizer_of(o, is_given("tokenizer"), model->vocab());
  return start;
}

std::vector<TokenizerFile> carried_files(const TrainOptions& o, const std::string& checkpoint) {
  const std::string& named = o.text.tokenizer;
  const bool is_new = named == "char" || named.starts_with("bpe:");  // and no name of a folder
  const std::string folder = !checkpoint.empty()                     ? checkpoint
                             : !is_new && is_directory(named)        ? named
                             : !is_new && is_directory(o.start.init) ? o.start.init
                                                                     : "";
  std::vector<TokenizerFile> files;
  if (!folder.empty()) files = tokenizer_files(folder);
  std::erase_if(files, [](const TokenizerFile& file) { return file.name == "tokenizer.json"; });
  return files;
}

bool starts_packed(const StartOptions& o) {
  if (o.packed != TrainedFormat::none) return true;
  if (o.init.empty() || is_model_file(o.init)) return false;
  return packing_of(o.init + "/model.safetensors").packed_tensors > 0;
}

}  // namespace gyre
