#include "gyre/text/token_ids.h"

#include <charconv>
#include <string>

#include "gyre/base/error.h"
#include "gyre/base/text/ascii.h"

namespace gyre {
namespace {

int32_t parse_id(std::string_view text, std::string_view op) {
  std::string_view word = trim(text);
  const char* last = word.data() + word.size();
  int32_t id = -1;
  auto [end, error] = std::from_chars(word.data(), last, id);
  if (error != std::errc{} || end != last || id < 0) {
    throw Error(Code::value, op, {"`ids` must be comma-separated token ids, got '", word, "'"},
                "1,2,3", word);
  }
  return id;
}

}  // namespace

std::vector<int32_t> parse_token_ids(std::span<const std::string> texts, std::string_view op) {
  std::vector<int32_t> ids;
  for (const std::string& text : texts) ids.push_back(parse_id(text, op));
  return ids;
}

}  // namespace gyre
