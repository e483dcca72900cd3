#include "gyre/models/generation/schema/json_mask.h"

#include <algorithm>
#include <limits>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

bool is_restricted(std::string_view bytes) {
  return std::ranges::any_of(
      bytes, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

// Whether a string goes on after these bytes as before: whole characters without marks.
bool changes_nothing(std::string_view bytes) { return !is_restricted(bytes) && is_utf8(bytes); }

}  // namespace

TokenBytes::TokenBytes(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {
  for (int32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    if (tokenizer.is_special(id) || !tokenizer.has(id)) continue;
    const std::string_view bytes = tokenizer.bytes(id);
    if (bytes.empty()) continue;
    all_.push_back({bytes, id});
    if (changes_nothing(bytes)) {
      free_.push_back(id);
    } else {
      restricted_.push_back({bytes, id});
    }
  }
  const auto before = [](const Entry& a, const Entry& b) {
    return a.bytes < b.bytes || (a.bytes == b.bytes && a.id < b.id);
  };
  std::ranges::sort(all_, before);
  std::ranges::sort(restricted_, before);
}

size_t TokenBytes::vocab_size() const { return static_cast<size_t>(tokenizer_.vocab_size()); }

std::string_view TokenBytes::bytes(int32_t id) const { return tokenizer_.bytes(id); }

void TokenBytes::allow(const JsonText& text, int64_t room, std::vector<bool>& allowed) const {
  std::vector<JsonText> free, others;
  text.split_free(free, others);
  bool any_free = false;
  for (const JsonText& one : free) {
    any_free = any_free || one.shortest_end() <= room;
    allow(restricted_, 0, one, room, allowed);
  }
  if (any_free) {
    for (const int32_t id : free_) allowed[static_cast<size_t>(id)] = true;
  }
  for (const JsonText& one : others) allow(all_, 0, one, room, allowed);
}

void TokenBytes::allow(std::span<const Entry> entries, size_t depth, const JsonText& text,
                       int64_t room, std::vector<bool>& allowed) const {
  size_t at = 0;
  const bool ends_in_time = text.shortest_end() <= room;
  for (; at < entries.size() && entries[at].bytes.size() == depth; ++at) {
    if (ends_in_time && depth > 0) allowed[static_cast<size_t>(entries[at].id)] = true;
  }
  std::vector<Entry> rest;
  if (depth > 0 && text.is_free()) {
    for (const Entry& e : entries.subspan(at)) {
      if (!changes_nothing(e.bytes.substr(depth))) {
        rest.push_back(e);
      } else if (ends_in_time) {
        allowed[static_cast<size_t>(e.id)] = true;
      }
    }
    entries = rest;
    at = 0;
  }
  while (at < entries.size()) {
    const char byte = entries[at].bytes[depth];
    const auto end =
        std::partition_point(entries.begin() + static_cast<ptrdiff_t>(at), entries.end(),
                             [&](const Entry& e) { return e.bytes[depth] == byte; });
    const auto next = static_cast<size_t>(end - entries.begin());
    JsonText longer = text;
    if (longer.push(static_cast<uint8_t>(byte)))
      allow(entries.subspan(at, next - at), depth + 1, longer, room, allowed);
    at = next;
  }
}

bool JsonMask::apply(std::span<float> logits, int64_t left, std::span<const int32_t> ends) const {
  std::vector<bool> allowed(std::max(logits.size(), tokens_->vocab_size()), false);
  // with too few tokens for single bytes, the text may yet end by longer ones
  tokens_->allow(text_, std::max(left, text_.shortest_end()) - 1, allowed);
  if (text_.complete()) {
    for (const int32_t id : ends) {
      if (id >= 0 && static_cast<size_t>(id) < logits.size())
        allowed[static_cast<size_t>(id)] = true;
    }
  }
  bool any = false;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (!allowed[i]) logits[i] = -std::numeric_limits<float>::infinity();
    any = any || allowed[i];
  }
  if (any || text_.complete()) return any;
  throw Error(Code::value, "json_schema", "no token of the vocabulary continues the JSON");
}

void JsonMask::require_complete(bool by_length) const {
  if (text_.complete()) return;
  throw Error(Code::value, "json_schema",
              {"the JSON is cut ", by_length ? "after `max_tokens` tokens" : "by a `stop` string",
               ": at least ", text_.shortest_end(), " bytes are missing; ",
               by_length ? "allow more tokens" : "omit `stop`"});
}

bool JsonMask::push(int32_t id) {
  for (const char byte : tokens_->bytes(id)) {
    if (!text_.push(static_cast<uint8_t>(byte)))
      throw Error(Code::internal, "json_schema", {"token ", id, " does not continue the JSON"});
  }
  return !text_.ended();
}

}  // namespace gyre
