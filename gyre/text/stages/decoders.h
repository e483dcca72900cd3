#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gyre/text/stages/stage_fields.h"

namespace gyre {

/// Turns tokens into parts of a text, as a `decoder` of Hugging Face's tokenizers does.
class TokenDecoder {
 public:
  virtual ~TokenDecoder() = default;
  [[nodiscard]] virtual std::vector<std::string> apply(std::vector<std::string> tokens) const = 0;
};
using TokenDecoderPtr = std::unique_ptr<const TokenDecoder>;

/// Errors: those of StageFields and of Splitter.
[[nodiscard]] TokenDecoderPtr read_token_decoder(StageFields& fields);

/// The byte of a token such as `<0x0A>`, -1 for others.
[[nodiscard]] int byte_of_token(std::string_view token);

}  // namespace gyre
