#include "gyre/models/architecture.h"

#include "gyre/base/error.h"
#include "gyre/models/decoder/decoder_options.h"
#include "gyre/models/encoder/encoder_config.h"
#include "gyre/models/files/text_part.h"

namespace gyre {

#define ARCHITECTURE(name) extern const Architecture name##_architecture;
#include "gyre/models/architectures.def"
#undef ARCHITECTURE

namespace {

constexpr const Architecture* kArchitectures[] = {
#define ARCHITECTURE(name) &name##_architecture,
#include "gyre/models/architectures.def"
#undef ARCHITECTURE
};

// The values of `model_type` that are read.
std::string known_types() {
  std::string known;
  for (const Architecture* a : kArchitectures) known += std::string(a->model_type) + ", ";
  return known + kWholeType;
}

}  // namespace

std::span<const Architecture* const> architectures() { return kArchitectures; }

const Architecture& architecture_named(std::string_view model_type) {
  for (const Architecture* a : kArchitectures) {
    if (a->model_type == model_type) return *a;
  }
  throw Error(Code::internal, "language model", "no such architecture", {}, model_type);
}

const Architecture& architecture_for(const Json& config, const std::string& path) {
  const Json* type = config.find("model_type");
  for (const Architecture* a : kArchitectures) {
    if (type && *type == Json(a->model_type)) return *a;
  }
  const std::string found = type ? type->dump() : "missing", known = known_types();
  const bool is_encoder = type && type->is_string() && is_encoder_type(type->as_string());
  throw Error(Code::unsupported, "language model",
              {path, ": model_type is ", found,
               is_encoder ? Message(", a text encoder, expected a language model; use gyre encode")
                          : Message({", expected ", known})},
              known, found);
}

const Architecture& architecture_of(const DecoderOptions& options) {
  for (const Architecture* a : kArchitectures) {
    if (a->holds(options)) return *a;
  }
  throw Error(Code::internal, "language model", "no architecture holds these options");
}

}  // namespace gyre
