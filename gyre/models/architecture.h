#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/models/language_model.h"

namespace gyre {

class Decoder;
class ModelFiles;
struct DecoderOptions;
struct FileTensor;

/// A line of models/architectures.def: a kind of language model, and how folders hold it.
struct Architecture {
  const char* model_type;  ///< in config.json
  const Record& options;   ///< those that new models of this kind are made with
  /// Whether its files hold these options.
  bool (*holds)(const DecoderOptions& options);
  /// Sets the options that new models of this kind have; null if `gyre train` makes none.
  void (*suit)(DecoderOptions& options);
  /// The options in a config.json; `path` is for errors. Error{parse, value, unsupported}.
  DecoderOptions (*read_config)(const Json& config, const std::string& path);
  std::unique_ptr<LanguageModel> (*load)(const std::string& folder, FileAccess access);
  /// The tensors of a folder under their names in Decoder. Errors as load_language_model().
  std::vector<NamedTensor> (*read_state)(const std::string& folder, const DecoderOptions& options);
  /// How the files hold the tensor of that name in Decoder.
  FileTensor (*file_tensor)(const ModelFiles& files, const DecoderOptions& options,
                            std::string_view name);
  /// The contents of config.json.
  Json (*config)(const Decoder& model);
  /// The tensors of model.safetensors; they share memory with the model where they can.
  std::vector<NamedTensor> (*file_state)(Decoder& model);
};

std::span<const Architecture* const> architectures();
/// That of config.json's `model_type`. Error{internal} if there is none.
const Architecture& architecture_named(std::string_view model_type);
/// That of a config.json from `path`. Error{unsupported} for a model_type that is not in
/// architectures.def, with all that are read.
const Architecture& architecture_for(const Json& config, const std::string& path);
/// The first that holds these options.
const Architecture& architecture_of(const DecoderOptions& options);

}  // namespace gyre
