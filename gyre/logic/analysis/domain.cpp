#include "gyre/logic/analysis/domain.h"

#include <algorithm>
#include <charconv>

namespace gyre::logic {
namespace {

constexpr int64_t kMostIntegers = (int64_t{1} << 32) - 1;

std::optional<uint32_t> as_number(const Symbol& symbol, int64_t size) {
  uint32_t value = 0;
  const char* end = symbol.text.data() + symbol.text.size();
  const auto read = std::from_chars(symbol.text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value >= size) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint32_t> Domain::find(const Symbol& symbol) const {
  return numbered >= 0 ? as_number(symbol, numbered) : symbols.find(symbol.text);
}

bool Domain::accepts(const Symbol& symbol) const {
  if (!open) return find(symbol).has_value();
  return numbered < 0 || as_number(symbol, kMostIntegers);
}

std::optional<uint32_t> Domain::add(const Symbol& symbol) {
  if (open && numbered >= 0) {
    const std::optional<uint32_t> number = as_number(symbol, kMostIntegers);
    if (number) numbered = std::max(numbered, int64_t{*number} + 1);
    return number;
  }
  if (!open) return find(symbol);
  const uint32_t number = symbols.add(symbol.text);
  if (number == is_integer.size()) is_integer.push_back(symbol.is_integer);
  return number;
}

bool Domain::has_word(const std::string& word) const {
  if (numbered >= 0) return false;
  const std::optional<uint32_t> number = symbols.find(word);
  return number && *number < written;
}

std::optional<int64_t> Domain::integer(uint32_t number) const {
  if (numbered >= 0) return number;
  if (!is_integer[number]) return std::nullopt;
  const std::string_view text = symbols[number];
  int64_t value = 0;
  const bool fits =
      std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
  return fits ? std::optional(value) : std::nullopt;
}

Symbol Domain::symbol(uint32_t number) const {
  if (numbered >= 0) return {std::to_string(number), true, false, {}};
  return {std::string(symbols[number]), is_integer[number], false, {}};
}

}  // namespace gyre::logic
