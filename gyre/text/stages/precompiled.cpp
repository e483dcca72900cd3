#include "gyre/text/stages/precompiled.h"

#include <cstring>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/graphemes.h"

namespace gyre {
namespace {

constexpr std::string_view kBase64Letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

[[noreturn]] void damaged_map(const std::string& field) {
  throw Error(Code::parse, "tokenizer", field + " is damaged");
}

std::string from_base64(std::string_view text, const std::string& field) {
  std::string bytes;
  uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const size_t value = kBase64Letters.find(c);
    if (value == std::string_view::npos) damaged_map(field);
    held = held << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFF);
  }
  return bytes;
}

}  // namespace

PrecompiledMap::PrecompiledMap(std::string_view base64, const std::string& field) {
  read(from_base64(base64, field), field);
}

PrecompiledMap PrecompiledMap::of_bytes(std::string bytes, const std::string& field) {
  PrecompiledMap map;
  map.read(std::move(bytes), field);
  return map;
}

void PrecompiledMap::read(std::string bytes, const std::string& field) {
  uint32_t size = 0;
  if (bytes.size() < sizeof size) damaged_map(field);
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size % 4 != 0 || size > bytes.size() - sizeof size || size == 0) damaged_map(field);
  units_.resize(size / 4);
  std::memcpy(units_.data(), bytes.data() + sizeof size, size);
  texts_ = bytes.substr(sizeof size + size);
}

// The format of Yata's Darts-clone: a unit has an offset to its children, a label and a leaf flag.
size_t PrecompiledMap::walk(std::string_view text, bool shortest, std::string_view* found) const {
  const auto offset = [](uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); };
  const auto label = [](uint32_t unit) { return unit & (1U << 31 | 0xFF); };
  uint32_t at = offset(units_[0]);
  size_t length = 0;  // of the best prefix
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if (byte == 0) return length;
    at ^= byte;
    if (at >= units_.size() || label(units_[at]) != byte) return length;
    const bool leaf = units_[at] >> 8 & 1;
    at ^= offset(units_[at]);
    if (!leaf) continue;
    if (at >= units_.size()) return length;
    const uint32_t begin = units_[at] & ((1U << 31) - 1);
    if (begin >= texts_.size()) return length;
    *found = std::string_view(texts_.data() + begin, std::strlen(texts_.c_str() + begin));
    length = i + 1;
    if (shortest) return length;
  }
  return length;
}

size_t PrecompiledMap::longest_prefix(std::string_view text, std::string_view* found) const {
  return walk(text, false, found);
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t three = 0;
    for (size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<uint8_t>(bytes[at + i]) : 0U);
    for (size_t i = 0; i < 4; ++i)
      text += i <= bytes.size() - at ? kBase64Letters[three >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string PrecompiledMap::apply(std::string_view text) const {
  std::string out;
  std::string_view found;
  for (size_t at = 0; at < text.size();) {
    const size_t end = grapheme_end(text, at);
    const std::string_view whole = text.substr(at, end - at);
    if (whole.size() < 6 && replacement(whole, &found)) {
      out += found;
      at = end;
      continue;
    }
    while (at < end) {
      const std::string_view one = text.substr(at, decode_utf8(text, at).length);
      out += replacement(one, &found) ? found : one;
      at += one.size();
    }
  }
  return out;
}

}  // namespace gyre
