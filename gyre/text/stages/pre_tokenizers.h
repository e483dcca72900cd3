#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gyre/text/stages/stage_fields.h"

namespace gyre {

/// A part of a text that the model turns into tokens by itself.
struct Piece {
  std::string text;
  bool first;  ///< it is the start of the whole text
};
using Pieces = std::vector<Piece>;

/// Splits pieces further and may change their text, as a `pre_tokenizer` of Hugging Face's
/// tokenizers does. Empty pieces are left out.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void split(Piece piece, Pieces& out) const = 0;
};
using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

/// Errors: those of StageFields and of Splitter.
[[nodiscard]] PreTokenizerPtr read_pre_tokenizer(StageFields& fields);

}  // namespace gyre
