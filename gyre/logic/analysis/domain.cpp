#include "gyre/logic/analysis/domain.h"

#include <charconv>

namespace gyre::logic {
namespace {

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

std::optional<uint32_t> Domain::add(const Symbol& symbol) {
  if (numbered >= 0 || !open) return find(symbol);
  const uint32_t number = symbols.add(symbol.text);
  if (number == is_integer.size()) is_integer.push_back(symbol.is_integer);
  return number;
}

Symbol Domain::symbol(uint32_t number) const {
  if (numbered >= 0) return {std::to_string(number), true, false, {}};
  return {std::string(symbols[number]), is_integer[number], false, {}};
}

}  // namespace gyre::logic
