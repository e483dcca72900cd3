#include "gyre/models/files/packed_config.h"

#include <string_view>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr std::string_view kPackedPrefix = "gyre_packed_";
constexpr const char *kType = "model_type", *kPackedBy = "packed_by", *kBy = "gyre";
constexpr const char* kOwn = "gyre";             // a model_type that is no other program's
constexpr const char* kMethod = "quant_method";  // of others, and in older folders

}  // namespace

void mark_packed(Json& config) {
  config[kQuantization] = Json::object();
  config[kQuantization][kPackedBy] = kBy;
  const std::string type = config.at(kType).as_string(kType);
  if (type != kOwn) config[kType] = std::string(kPackedPrefix) + type;
}

Json read_model_config(const std::string& path) {
  Json config = Json::read(path);
  const Json* type = config.is_object() ? config.find(kType) : nullptr;
  if (!type || !type->is_string()) return config;
  const std::string name = type->as_string();
  if (name.starts_with(kPackedPrefix)) config[kType] = name.substr(kPackedPrefix.size());
  return config;
}

void check_quantization(const Json& config, const std::string& path) {
  const Json* found = config.find(kQuantization);
  if (!found || found->is_null()) return;
  for (const char* field : {kPackedBy, kMethod}) {
    const Json* by = found->is_object() ? found->find(field) : nullptr;
    if (by && *by == Json(kBy)) return;
  }
  throw Error(Code::unsupported, "load_language_model",
              {path, ": ", kQuantization, " is ", found->dump(), ", expected weights packed by ",
               kBy, " or none"},
              kBy, found->dump());
}

}  // namespace gyre
