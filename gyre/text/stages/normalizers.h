#pragma once
#include <memory>
#include <string>

#include "gyre/text/stages/stage_fields.h"

namespace gyre {

/// Changes a text before it is split, as a `normalizer` of Hugging Face's tokenizers does.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  [[nodiscard]] virtual std::string apply(std::string text) const = 0;
};
using NormalizerPtr = std::unique_ptr<const Normalizer>;

/// Errors: those of StageFields and of Splitter; Error{parse} for a damaged precompiled map.
[[nodiscard]] NormalizerPtr read_normalizer(StageFields& fields);

}  // namespace gyre
