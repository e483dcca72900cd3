#include "gyre/models/architecture.h"

#include "gyre/base/error.h"
#include "gyre/models/decoder/decoder_options.h"

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

}  // namespace

std::span<const Architecture* const> architectures() { return kArchitectures; }

const Architecture& architecture_named(std::string_view model_type) {
  for (const Architecture* a : kArchitectures) {
    if (a->model_type == model_type) return *a;
  }
  throw Error(Code::internal, "language model", "no such architecture", {}, model_type);
}

const Architecture& architecture_of(const DecoderOptions& options) {
  for (const Architecture* a : kArchitectures) {
    if (a->holds(options)) return *a;
  }
  throw Error(Code::internal, "language model", "no architecture holds these options");
}

}  // namespace gyre
