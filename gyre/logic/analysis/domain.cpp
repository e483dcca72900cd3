#include "gyre/logic/analysis/domain.h"

#include <algorithm>
#include <charconv>

namespace gyre::logic {
namespace {

constexpr int64_t kMostIntegers = (int64_t{1} << 32) - 1;

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int64_t> integer_of(std::string_view text) { return parsed<int64_t>(text); }

std::optional<uint32_t> Domain::find(const Symbol& symbol) const {
  if (numbered < 0) return symbols.find(symbol.text);
  const std::optional<uint32_t> value = parsed<uint32_t>(symbol.text);
  return value && *value < numbered ? value : std::nullopt;
}

bool Domain::accepts(const Symbol& symbol) const {
  if (!open) return find(symbol).has_value();
  const std::optional<uint32_t> value = parsed<uint32_t>(symbol.text);
  return numbered < 0 || (value && *value < kMostIntegers);
}

std::optional<uint32_t> Domain::add(const Symbol& symbol) {
  if (open && numbered >= 0) {
    if (!accepts(symbol)) return std::nullopt;
    const std::optional<uint32_t> number = parsed<uint32_t>(symbol.text);
    numbered = std::max(numbered, int64_t{*number} + 1);
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
  return numbered >= 0 ? number : integer_of(symbols[number]);
}

Symbol Domain::symbol(uint32_t number) const {
  if (numbered >= 0) return {std::to_string(number), true, false, {}};
  return {std::string(symbols[number]), is_integer[number], false, {}};
}

}  // namespace gyre::logic
