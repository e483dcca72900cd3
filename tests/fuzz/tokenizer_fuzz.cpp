// Any bytes as a tokenizer.json are read or rejected with an Error; an accepted one can encode, and
// a byte-level vocabulary decodes what it encoded to the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/io/json.h"
#include "gyre/text/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const gyre::Json json = gyre::Json::parse(text);
    if (gyre::Json::parse(json.dump()) != json) std::abort();
    const auto tokenizer = gyre::tokenizer_from_json(json);
    (void)tokenizer->decode(tokenizer->encode(text, gyre::Specials::as_tokens), {.lossy = true});
    if (gyre::tokenizer_from_json(tokenizer->to_json())->to_json() != tokenizer->to_json()) {
      std::abort();
    }
  } catch (const gyre::Error&) {
  }
  return 0;
}
