#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

unsigned byte_at(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

/// Length that a lead byte announces; 0 for bytes that cannot lead.
int announced(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

/// Whether `second` may follow `lead`: excludes overlong forms, surrogates, and above U+10FFFF.
bool may_follow(unsigned lead, unsigned second) {
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return second >= low && second <= high;
}

/// Length of the well-formed prefix of a character at `at`, complete or not; at least 1.
int well_formed(std::string_view text, size_t at, int length) {
  const unsigned lead = byte_at(text, at);
  int good = 1;
  while (good < length && at + good < text.size()) {
    const unsigned next = byte_at(text, at + good);
    if (good == 1 ? !may_follow(lead, next) : (next & 0xC0) != 0x80) break;
    ++good;
  }
  return good;
}

}  // namespace

Utf8Char decode_utf8(std::string_view text, size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};
  const int length = announced(lead);
  if (length == 0) return {kReplacement, 1, false};
  const int good = well_formed(text, at, length);
  if (good < length) return {kReplacement, static_cast<uint8_t>(good), false};
  char32_t code = lead & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) code = code << 6 | (byte_at(text, at + i) & 0x3F);
  return {code, static_cast<uint8_t>(length), true};
}

void append_utf8(std::string& out, char32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = kReplacement;
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    if (byte_at(text, i) < 0x80) {
      ++i;
      continue;
    }
    const Utf8Char c = decode_utf8(text, i);
    if (!c.valid) return false;
    i += c.length;
  }
  return true;
}

std::string utf8_lossy(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    if (c.valid) {
      out += text.substr(i, c.length);
    } else {
      append_utf8(out, kReplacement);
    }
    i += c.length;
  }
  return out;
}

size_t incomplete_utf8_tail(std::string_view text) {
  for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const size_t at = text.size() - back;
    const unsigned byte = byte_at(text, at);
    if ((byte & 0xC0) == 0x80) continue;
    const int length = announced(byte);
    const int have = static_cast<int>(back);
    return length > have && well_formed(text, at, length) == have ? back : 0;
  }
  return 0;
}

}  // namespace gyre
