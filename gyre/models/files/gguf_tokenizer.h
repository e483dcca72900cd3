#pragma once
#include <memory>

#include "gyre/io/gguf/gguf.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

/// The tokenizer in the metadata of a GGUF file: `llama` and `t5` (pieces with scores), `gpt2`
/// (byte-level BPE with a known splitter) and `bert` (WordPiece). Null if there is none.
/// Error{unsupported} for other kinds and splitters, by field and value; Error{parse} for fields of
/// other types; Error{value} for lists whose sizes do not fit.
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of(const GgufFile& file);

}  // namespace gyre
