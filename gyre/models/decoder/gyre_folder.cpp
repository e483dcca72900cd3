#include <algorithm>

#include "gyre/base/in_file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/models/files/file_tensor.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/files/packed_config.h"
#include "gyre/op/node.h"
#include "gyre/packed/packed_file.h"

// Folders of decoders with any options: config.json has all of DecoderOptions by their own names
// (those of DecoderDetails that are missing, since they are newer than the folder, have their
// default), model.safetensors the tensors of the state dict as they are. Other programs cannot open
// them.

namespace gyre {

extern const Architecture gyre_architecture;

namespace {

constexpr const char* kOwnType = "gyre";

std::vector<NamedTensor> read_own_state(const std::string& folder, FileAccess access) {
  return load_state(SafetensorsFile(folder + "/model.safetensors", Verify::checksum, access));
}

Json own_config(const Decoder& model) {
  Json config = Json::object();
  config["model_type"] = kOwnType;
  config["torch_dtype"] = torch_name(model.wte.weight.dtype());
  const Json options = record_to_json(model.options());
  for (const Json::Member& member : options.as_object()) config[member.key] = member.value;
  return config;
}

DecoderOptions read_own_config(const Json& config, const std::string& path) {
  check_quantization(config, path);
  Json options = Json::object();
  for (const Json::Member& member : config.as_object()) {
    constexpr std::string_view kOthers[] = {"model_type",   "torch_dtype",  kQuantization,
                                            "bos_token_id", "eos_token_id", "pad_token_id"};
    if (std::ranges::find(kOthers, member.key) == std::end(kOthers))
      options[member.key] = member.value;
  }
  DecoderOptions o;
  in_file(path, [&] {
    for (const Field& field : record_of<DecoderOptions>.fields) {
      if (!(field.tags & kUnlisted) && !options.find(field.name))
        throw Error(Code::value, "load_language_model", {"`", field.name, "` is missing"});
    }
    record_from_json(o, options);
  });
  return o;
}

std::unique_ptr<LanguageModel> load_own(const std::string& folder, FileAccess access) {
  const std::string config = folder + "/config.json";
  const Json fields = Json::read(config);
  const DecoderOptions o = read_own_config(fields, config);
  const std::vector<NamedTensor> state = read_own_state(folder, access);
  check_layers(folder, state, "layers", o.layers);
  auto model = in_file(config, [&] { return std::make_unique<Decoder>(o, nn::Unfilled()); });
  model->remember(architecture_named(kOwnType), fields, folder);
  if (const Tensor* table = find(state, "wte.weight")) model->to(table->dtype());
  check_decoder_state(*model, gyre_architecture, *open_model_files(folder), state);
  in_file(folder, [&] { model->lend_state(state); });
  return model;
}

}  // namespace

constinit const Architecture gyre_architecture{
    .model_type = kOwnType,
    .options = record_of<DecoderOptions>,
    .holds = [](const DecoderOptions&) { return true; },
    .suit =
        [](DecoderOptions& o) {
          o.bias = false;
          o.activation = Activation::relu_squared;
          o.positions = Positions::rotary;
          o.norm = NormKind::rms;
          o.norm_embeddings = true;
          o.head_norm = HeadNorm::plain;
        },
    .read_config = read_own_config,
    .load = load_own,
    .read_state = [](const std::string& folder,
                     const DecoderOptions&) { return read_own_state(folder, FileAccess::map); },
    .file_tensor = [](const ModelFiles& files, const DecoderOptions&,
                      std::string_view name) { return FileTensor{files.place_of(name)}; },
    .config = own_config,
    .file_state = [](Decoder& model) { return model.state_dict(); }};

}  // namespace gyre
