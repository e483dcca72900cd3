#include "gyre/models/files/config_fields.h"

#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"

namespace gyre {
namespace {

constexpr const char* kLoader = "load_language_model";

constexpr std::pair<const char*, Activation> kActivations[] = {
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu", Activation::gelu},
    {"relu", Activation::relu},
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"relu2", Activation::relu_squared}};

}  // namespace

const Json* ConfigFields::find(std::string_view name) const {
  const Json* found = config_.find(name);
  return found && !found->is_null() ? found : nullptr;
}

const Json& ConfigFields::at(std::string_view name) const {
  if (const Json* found = find(name)) return *found;
  throw Error(Code::value, kLoader, {path_, ": `", name, "` is missing"}, name);
}

int64_t ConfigFields::integer(std::string_view name) const {
  return in_file(path_, [&] { return at(name).as_integer(name); });
}

int64_t ConfigFields::integer_or(std::string_view name, int64_t otherwise) const {
  return find(name) ? integer(name) : otherwise;
}

double ConfigFields::real_or(std::string_view name, double otherwise) const {
  const Json* found = find(name);
  return found ? in_file(path_, [&] { return found->as_real(name); }) : otherwise;
}

bool ConfigFields::flag_or(std::string_view name, bool otherwise) const {
  const Json* found = find(name);
  return found ? in_file(path_, [&] { return found->as_boolean(name); }) : otherwise;
}

std::string ConfigFields::text_or(std::string_view name, const char* otherwise) const {
  const Json* found = find(name);
  return found ? in_file(path_, [&] { return found->as_string(name); }) : otherwise;
}

ConfigFields ConfigFields::object_or(std::string_view name, const Json& otherwise) const {
  const Json* found = find(name);
  if (found) in_file(path_, [&] { (void)found->as_object(name); });
  return {found ? *found : otherwise, path_};
}

Activation ConfigFields::activation(std::string_view name, const char* otherwise) const {
  const std::string given = text_or(name, otherwise);
  for (const auto& [known, activation] : kActivations) {
    if (given == known) return activation;
  }
  refuse(name, given, "gelu_new, gelu, relu, silu and relu2");
}

void ConfigFields::refuse(std::string_view field, const Json& value, const char* wanted) const {
  const std::string text = value.is_string() ? value.as_string() : value.dump();
  throw Error(Code::unsupported, kLoader, {path_, ": ", field, " is ", text, ", expected ", wanted},
              wanted, text);
}

void ConfigFields::require(std::string_view name, const Json& wanted) const {
  const Json* found = find(name);
  if (found && !(*found == wanted)) refuse(name, *found, wanted.dump().c_str());
}

const char* activation_name(Activation activation) {
  for (const auto& [name, of] : kActivations) {
    if (of == activation) return name;
  }
  return "";
}

}  // namespace gyre
