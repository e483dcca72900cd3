// Any bytes as a tokenizer.model are read or rejected with an Error; an accepted one can encode,
// and its tokenizer.json gives the same tokens.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/io/json.h"
#include "gyre/text/sentence_piece.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = gyre::tokenizer_of_pieces(gyre::sentence_piece_parts(bytes));
    const auto ids = tokenizer->encode(bytes, gyre::Specials::as_tokens);
    (void)tokenizer->decode(ids, {.lossy = true});
    const auto again = gyre::tokenizer_from_json(tokenizer->to_json());
    if (again->encode(bytes, gyre::Specials::as_tokens) != ids) std::abort();
  } catch (const gyre::Error&) {
  }
  return 0;
}
