#include "gyre/text/token_ids.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "gyre/base/error.h"

namespace gyre {
namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

int32_t parse_id(std::string_view text, std::string_view op) {
  std::string_view word = without_blanks(text);
  const char* last = word.data() + word.size();
  int32_t id = -1;
  auto [end, error] = std::from_chars(word.data(), last, id);
  if (error != std::errc{} || end != last || id < 0) {
    throw Error(Code::value, op,
                "`ids` must be comma-separated token ids, got '" + std::string(word) + "'", "1,2,3",
                std::string(word));
  }
  return id;
}

}  // namespace

std::vector<int32_t> parse_token_ids(std::string_view text, std::string_view op) {
  std::vector<int32_t> ids;
  if (text.empty()) return ids;
  for (size_t at = 0, comma; at <= text.size(); at = comma + 1) {
    comma = std::min(text.find(',', at), text.size());
    ids.push_back(parse_id(text.substr(at, comma - at), op));
  }
  return ids;
}

}  // namespace gyre
