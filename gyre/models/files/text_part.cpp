#include "gyre/models/files/text_part.h"

#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"

namespace gyre {
namespace {

constexpr const char *kTextPart = "gemma3_text", *kTextConfig = "text_config";

// Sizes that published files leave to transformers' defaults.
constexpr std::pair<const char*, int64_t> kUsualSizes[] = {{"vocab_size", 262208},
                                                           {"hidden_size", 2304},
                                                           {"intermediate_size", 9216},
                                                           {"num_hidden_layers", 26},
                                                           {"num_attention_heads", 8}};
// What counts for the whole model, if it is there.
constexpr const char* kOfWhole[] = {"bos_token_id",        "eos_token_id",        "pad_token_id",
                                    "tie_word_embeddings", "quantization_config", "torch_dtype"};
constexpr std::string_view kInner = "model.", kOuter = "language_model.";
constexpr std::string_view kImages[] = {"vision_tower.", "multi_modal_projector."};

}  // namespace

bool has_text_part(const Json& config) {
  const Json* type = config.is_object() ? config.find("model_type") : nullptr;
  return type && *type == Json(kWholeType);
}

Json text_part_config(const Json& config, const std::string& path) {
  Json own = Json::object();
  in_file(path, [&] {
    if (const Json* given = config.find(kTextConfig); given && !given->is_null()) {
      (void)given->as_object(kTextConfig);
      own = *given;
    }
  });
  if (const Json* type = own.find("model_type"); type && !(*type == Json(kTextPart))) {
    throw Error(
        Code::unsupported, "load_language_model",
        {path, ": model_type of ", kTextConfig, " is ", type->dump(), ", expected ", kTextPart},
        kTextPart, type->dump());
  }
  own["model_type"] = kTextPart;
  for (const auto& [name, size] : kUsualSizes) {
    if (const Json* found = own.find(name); !found || found->is_null()) own[name] = size;
  }
  for (const char* name : kOfWhole) {
    if (const Json* found = config.find(name); found && !found->is_null()) own[name] = *found;
  }
  return own;
}

std::string text_part_name(std::string_view name) {
  std::string_view rest = name;
  const auto takes = [&](std::string_view prefix) {
    const bool found = rest.starts_with(prefix);
    if (found) rest.remove_prefix(prefix.size());
    return found;
  };
  // model.language_model.layers, or language_model.model.layers in older files
  const bool inner = takes(kInner);
  for (const std::string_view image : kImages) {
    if (rest.starts_with(image)) return {};
  }
  if (!takes(kOuter)) return std::string(name);
  return inner ? std::string(kInner).append(rest) : std::string(rest);
}

std::string whole_name(std::string_view name, std::string_view like) {
  if (like.starts_with(kOuter)) return std::string(kOuter).append(name);
  const bool newer = like.starts_with(std::string(kInner).append(kOuter));
  if (!newer || !name.starts_with(kInner)) return std::string(name);
  return std::string(kInner).append(kOuter).append(name.substr(kInner.size()));
}

}  // namespace gyre
