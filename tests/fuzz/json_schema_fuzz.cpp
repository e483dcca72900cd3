// Any bytes as a JSON schema are read or rejected with an Error. Of an accepted one, a text that is
// begun at random can be ended in as many bytes as shortest_end() says, and is JSON then.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/io/json.h"
#include "gyre/models/generation/schema/json_text.h"

namespace {

// Those that texts have most come first.
constexpr std::string_view kLikely = "}]\"{[:,0 1-.eE\\udbaftrnlsi25";

bool grow(gyre::JsonText& text, std::string& written, uint8_t byte, int64_t most) {
  gyre::JsonText next = text;
  if (!next.push(byte) || next.shortest_end() > most) return false;
  text = std::move(next);
  written += static_cast<char>(byte);
  return true;
}

// Appends a byte that the shortest end begins with.
bool shorten(gyre::JsonText& text, std::string& written) {
  const int64_t most = text.shortest_end() - 1;
  for (const char byte : kLikely) {
    if (grow(text, written, static_cast<uint8_t>(byte), most)) return true;
  }
  for (int byte = 0; byte < 256; ++byte) {
    if (grow(text, written, static_cast<uint8_t>(byte), most)) return true;
  }
  return false;
}

bool is_json(const std::string& text) {
  try {
    (void)gyre::Json::parse(text);
    return true;
  } catch (const gyre::Error&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int64_t kLongest = 64;
  try {
    const gyre::JsonSchema schema(gyre::Json::parse({reinterpret_cast<const char*>(data), size}));
    gyre::JsonText text(schema);
    std::string written;
    for (size_t i = 0; i < 24; ++i) {
      const uint8_t own = data[(i * 7919) % size];
      const bool likely = own % 4 != 0;
      grow(text, written, likely ? static_cast<uint8_t>(kLikely[own % kLikely.size()]) : own,
           kLongest);
    }
    if (text.shortest_end() > kLongest) return 0;
    while (!text.complete()) {
      if (!shorten(text, written)) std::abort();
    }
    if (!is_json(written)) std::abort();
  } catch (const gyre::Error&) {
  }
  return 0;
}
