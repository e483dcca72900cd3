#include "gyre/models/generation/schema/json_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace gyre {
namespace {

using NodeKind = SchemaNode::Kind;
constexpr int64_t kNoEnd = INT64_MAX;
constexpr int64_t kMostDigits = 15, kMostExponentDigits = 2;
// Each way to read a text is valid by itself, so the others may be dropped.
constexpr size_t kMostStacks = 64;

int64_t add_lengths(int64_t a, int64_t b) { return a == kNoEnd || b == kNoEnd ? kNoEnd : a + b; }

bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

// A byte of a character of UTF-8, shortest form, no surrogates; `pending` bytes are missing, the
// next of which lies within low .. high.
bool step_character(uint8_t byte, uint8_t& pending, uint8_t& low, uint8_t& high) {
  if (pending > 0) {
    if (byte < low || byte > high) return false;
    --pending;
  } else if (byte < 0x80) {
    return byte >= 0x20;
  } else if (byte >= 0xC2 && byte <= 0xDF) {
    pending = 1;
  } else if (byte >= 0xE0 && byte <= 0xEF) {
    pending = 2;
  } else if (byte >= 0xF0 && byte <= 0xF4) {
    pending = 3;
  } else {
    return false;
  }
  low = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
  high = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  return true;
}

}  // namespace

JsonText::JsonText(const JsonSchema& schema) : schema_(&schema) {
  stacks_.push_back({{.node = JsonSchema::root()}});
}

bool JsonText::push(uint8_t byte) {
  std::vector<Stack> next;
  for (Stack& stack : stacks_) step(std::move(stack), byte, next);
  stacks_.clear();
  for (Stack& stack : next) {
    if (stacks_.size() == kMostStacks) break;
    int64_t end = 0;
    for (const Frame& f : stack) end = add_lengths(end, shortest_end(f));
    if (end < kNoEnd) stacks_.push_back(std::move(stack));
  }
  return !stacks_.empty();
}

bool JsonText::ended() const {
  return std::ranges::all_of(stacks_, [](const Stack& stack) { return stack.empty(); });
}

int64_t JsonText::shortest_end() const {
  int64_t least = kNoEnd;
  for (const Stack& stack : stacks_) {
    int64_t end = 0;
    for (const Frame& f : stack) end = add_lengths(end, shortest_end(f));
    least = std::min(least, end);
  }
  return least;
}

bool JsonText::is_free(const Stack& stack) const {
  if (stack.empty() || stack.back().pending > 0) return false;
  const Frame& top = stack.back();
  return top.phase == Phase::inside ||
         (top.phase == Phase::key && top.other && top.first == top.last);
}

bool JsonText::is_free() const {
  return std::ranges::all_of(stacks_, [&](const Stack& stack) { return is_free(stack); });
}

void JsonText::split_free(std::vector<JsonText>& free, std::vector<JsonText>& others) const {
  for (const Stack& stack : stacks_) {
    JsonText one = *this;
    one.stacks_ = {stack};
    (is_free(stack) ? free : others).push_back(std::move(one));
  }
}

void JsonText::step(Stack stack, uint8_t byte, std::vector<Stack>& next) const {
  if (stack.empty()) return;
  Frame& top = stack.back();
  if (top.phase == Phase::start) {
    const int32_t at = top.node;
    stack.pop_back();
    return begin(std::move(stack), at, byte, next);
  }
  switch (node(top).kind) {
    case NodeKind::choice:
      return;  // never begun: one of its choices is
    case NodeKind::literals:
      return step_literal(std::move(stack), byte, next);
    case NodeKind::number:
    case NodeKind::integer:
      return step_number(std::move(stack), byte, next);
    case NodeKind::array:
      return step_array(std::move(stack), byte, next);
    case NodeKind::object:
      return step_object(std::move(stack), byte, next);
    case NodeKind::string:
      if (step_string(stack, byte)) next.push_back(std::move(stack));
  }
}

void JsonText::begin(Stack stack, int32_t at, uint8_t byte, std::vector<Stack>& next) const {
  const SchemaNode& value = schema_->node(at);
  if (value.shortest == kNoEnd) return;
  Frame frame{.node = at};
  switch (value.kind) {
    case NodeKind::choice:
      for (const int32_t choice : value.choices) begin(stack, choice, byte, next);
      return;
    case NodeKind::literals:
      frame.phase = Phase::literal;
      frame.last = static_cast<uint32_t>(value.literals.size());
      stack.push_back(frame);
      return step_literal(std::move(stack), byte, next);
    case NodeKind::string:
      if (byte != '"') return;
      frame.phase = Phase::inside;
      break;
    case NodeKind::number:
    case NodeKind::integer:
      if (byte != '-' && !is_digit(byte)) return;
      frame.phase = byte == '-' ? Phase::sign : byte == '0' ? Phase::zero : Phase::digits;
      frame.count = 1;
      break;
    case NodeKind::array:
    case NodeKind::object:
      if (byte != (value.kind == NodeKind::array ? '[' : '{')) return;
      frame.phase = Phase::opened;
      break;
  }
  stack.push_back(frame);
  next.push_back(std::move(stack));
}

// Keeps the literals with this byte at the place; some may end here while longer ones go on.
void JsonText::step_literal(Stack stack, uint8_t byte, std::vector<Stack>& next) const {
  Frame& f = stack.back();
  const std::vector<std::string>& texts = node(f).literals;
  const auto fits = [&](uint32_t i) {
    return texts[i].size() > f.at && static_cast<uint8_t>(texts[i][f.at]) == byte;
  };
  while (f.first < f.last && !fits(f.first)) ++f.first;
  while (f.first < f.last && !fits(f.last - 1)) --f.last;
  if (f.first == f.last) return;
  ++f.at;
  if (texts[f.first].size() == f.at) {
    if (++f.first < f.last) next.push_back(stack);
    stack.pop_back();
  }
  next.push_back(std::move(stack));
}

void JsonText::step_number(Stack stack, uint8_t byte, std::vector<Stack>& next) const {
  Frame& f = stack.back();
  const bool whole = node(f).kind == NodeKind::integer;
  const bool digit = is_digit(byte), power = byte == 'e' || byte == 'E';
  const auto enter = [&](Phase phase, int64_t count) {
    f.phase = phase;
    f.count = count;
    next.push_back(stack);
  };
  switch (f.phase) {
    case Phase::sign:
      if (digit) enter(byte == '0' ? Phase::zero : Phase::digits, 1);
      return;
    case Phase::point:
      if (digit) enter(Phase::fraction, 1);
      return;
    case Phase::exponent:
      if (byte == '+' || byte == '-') enter(Phase::exponent_sign, 0);
      [[fallthrough]];
    case Phase::exponent_sign:
      if (digit) enter(Phase::exponent_digits, 1);
      return;
    default:
      break;
  }
  const bool in_exponent = f.phase == Phase::exponent_digits;
  if (digit && f.phase != Phase::zero) {
    if (f.count < (in_exponent ? kMostExponentDigits : kMostDigits)) enter(f.phase, f.count + 1);
    return;
  }
  if (byte == '.' && !whole && (f.phase == Phase::zero || f.phase == Phase::digits))
    return enter(Phase::point, 0);
  if (power && !whole && !in_exponent) return enter(Phase::exponent, 0);
  stack.pop_back();  // the number has ended before this byte
  step(std::move(stack), byte, next);
}

bool JsonText::step_string(Stack& stack, uint8_t byte) const {
  Frame& f = stack.back();
  if (f.phase == Phase::escape) {
    if (byte == 'u') {
      f.phase = Phase::hex;
      f.pending = 4;
      f.low = 0;
      return true;
    }
    f.phase = Phase::inside;
    return std::string_view("\"\\/bfnrt").find(static_cast<char>(byte)) != std::string_view::npos;
  }
  if (f.phase == Phase::hex) {
    if (!std::isxdigit(byte)) return false;
    // D800 .. DFFF are halves of characters
    if (f.pending == 3 && f.low == 1 && byte > '7') return false;
    f.low = f.pending == 4 && (byte == 'd' || byte == 'D');
    if (--f.pending == 0) f.phase = Phase::inside;
    return true;
  }
  if (f.pending == 0 && byte == '"') return stack.pop_back(), true;
  if (f.pending == 0 && byte == '\\') return f.phase = Phase::escape, true;
  return step_character(byte, f.pending, f.low, f.high);
}

void JsonText::step_array(Stack stack, uint8_t byte, std::vector<Stack>& next) const {
  Frame& f = stack.back();
  const SchemaNode& array = node(f);
  const bool opened = f.phase == Phase::opened, ended = f.phase == Phase::value;
  if ((opened || ended) && byte == ']') {
    if (f.count < array.least) return;
    stack.pop_back();
    return next.push_back(std::move(stack));
  }
  if (ended || (opened && array.most == 0)) {
    if (byte != ',' || f.count >= array.most) return;
    f.phase = Phase::comma;
    return next.push_back(std::move(stack));
  }
  if (f.phase == Phase::comma && byte == ' ') {
    f.phase = Phase::comma_space;
    return next.push_back(std::move(stack));
  }
  f.phase = Phase::value;
  ++f.count;
  begin(std::move(stack), array.rest, byte, next);
}

void JsonText::step_object(Stack stack, uint8_t byte, std::vector<Stack>& next) const {
  Frame& f = stack.back();
  switch (f.phase) {
    case Phase::opened:
    case Phase::value:
      if (byte == '}' && !lacks_required(f)) {
        stack.pop_back();
        return next.push_back(std::move(stack));
      }
      if (!may_have_more(f)) return;
      if (f.phase == Phase::value) {
        if (byte != ',') return;
        f.phase = Phase::comma;
        return next.push_back(std::move(stack));
      }
      [[fallthrough]];
    case Phase::comma:
    case Phase::comma_space:
      if (f.phase == Phase::comma && byte == ' ') {
        f.phase = Phase::comma_space;
      } else if (byte != '"' || !begin_key(f)) {
        return;
      }
      return next.push_back(std::move(stack));
    case Phase::key:
      if (step_key(f, byte)) next.push_back(std::move(stack));
      return;
    case Phase::key_done:
      if (byte != ':') return;
      f.phase = Phase::colon;
      return next.push_back(std::move(stack));
    default:
      break;
  }
  if (f.phase == Phase::colon && byte == ' ') {
    f.phase = Phase::colon_space;
    return next.push_back(std::move(stack));
  }
  f.phase = Phase::value;
  const auto value = static_cast<int32_t>(f.at);
  begin(std::move(stack), value, byte, next);
}

bool JsonText::begin_key(Frame& f) const {
  f.phase = Phase::key;
  f.at = f.first = 0;
  f.last = static_cast<uint32_t>(node(f).properties.size());
  f.other = node(f).rest >= 0;
  return true;
}

// What follows key_done is the node of the value, kept in `at`.
bool JsonText::step_key(Frame& f, uint8_t byte) const {
  const std::vector<SchemaNode::Property>& keys = node(f).properties;
  const auto fits = [&](uint32_t i) {
    return keys[i].key.size() > f.at && static_cast<uint8_t>(keys[i].key[f.at]) == byte;
  };
  const bool listed = f.first < f.last && keys[f.first].key.size() == f.at;
  uint32_t first = f.first, last = f.last;
  while (first < last && !fits(first)) ++first;
  while (first < last && !fits(last - 1)) --last;
  if (byte == '"' && first == last && f.pending == 0) {  // else within an escape of a listed key
    if (listed && f.seen[f.first]) return false;
    if (!listed && !f.other) return false;
    if (listed) f.seen[f.first] = true;
    f.at = static_cast<uint32_t>(listed ? keys[f.first].node : node(f).rest);
    f.phase = Phase::key_done;
    ++f.count;
    return true;
  }
  f.other =
      f.other && byte != '\\' && byte != '"' && step_character(byte, f.pending, f.low, f.high);
  if (!f.other) f.pending = 0;
  f.first = first;
  f.last = last;
  ++f.at;
  return f.other || first < last;
}

bool JsonText::may_have_more(const Frame& f) const {
  const SchemaNode& object = node(f);
  if (object.rest >= 0) return true;
  for (size_t i = 0; i < object.properties.size(); ++i) {
    if (!f.seen[i]) return true;
  }
  return false;
}

bool JsonText::lacks_required(const Frame& f) const {
  const SchemaNode& object = node(f);
  for (size_t i = 0; i < object.properties.size(); ++i) {
    if (object.properties[i].required && !f.seen[i]) return true;
  }
  return false;
}

int64_t JsonText::shortest_end(const Frame& f) const {
  const SchemaNode& value = node(f);
  if (f.phase == Phase::start) return value.shortest;
  switch (value.kind) {
    case NodeKind::choice:
      return value.shortest;
    case NodeKind::literals: {
      size_t least = SIZE_MAX;
      for (uint32_t i = f.first; i < f.last; ++i)
        least = std::min(least, value.literals[i].size() - f.at);
      return static_cast<int64_t>(least);
    }
    case NodeKind::string:
      return f.phase == Phase::escape ? 2 : 1 + f.pending;
    case NodeKind::number:
    case NodeKind::integer:
      return f.phase == Phase::sign || f.phase == Phase::point || f.phase == Phase::exponent ||
             f.phase == Phase::exponent_sign;
    case NodeKind::object:
      return end_of_object(f);
    case NodeKind::array:
      break;
  }
  const bool must = f.phase == Phase::comma || f.phase == Phase::comma_space;
  const int64_t missing = std::max<int64_t>(must ? 1 : 0, value.least - f.count);
  if (missing == 0) return 1;
  const int64_t one = schema_->node(value.rest).shortest;
  if (one > (kNoEnd >> 1) / missing) return kNoEnd;
  return missing * (one + 1) + (f.phase == Phase::value ? 1 : 0);
}

// The shortest end after a value, or at the first key, without the property `except`.
int64_t JsonText::required_end(const Frame& f, int64_t except, bool first) const {
  const SchemaNode& object = node(f);
  int64_t length = 1;
  for (size_t i = 0; i < object.properties.size(); ++i) {
    const SchemaNode::Property& p = object.properties[i];
    if (!p.required || f.seen[i] || static_cast<int64_t>(i) == except) continue;
    const int64_t key = static_cast<int64_t>(p.key.size()) + (first ? 3 : 4);
    length = add_lengths(length, add_lengths(key, schema_->node(p.node).shortest));
    first = false;
  }
  return length;
}

int64_t JsonText::end_of_object(const Frame& f) const {
  switch (f.phase) {
    case Phase::opened:
      return required_end(f, -1, true);
    case Phase::comma:
    case Phase::comma_space: {
      if (lacks_required(f)) return required_end(f, -1, true);
      Frame key = f;
      (void)begin_key(key);
      return add_lengths(1, end_of_key(key));
    }
    case Phase::key:
      return end_of_key(f);
    case Phase::key_done:
    case Phase::colon:
    case Phase::colon_space: {
      const int64_t value = schema_->node(static_cast<int32_t>(f.at)).shortest;
      const int64_t colon = f.phase == Phase::key_done ? 1 : 0;
      return add_lengths(colon, add_lengths(value, required_end(f, -1, false)));
    }
    default:
      return required_end(f, -1, false);
  }
}

int64_t JsonText::end_of_key(const Frame& f) const {
  const SchemaNode& object = node(f);
  int64_t least = kNoEnd;
  bool listed = false;  // the key so far is one of the list
  for (uint32_t i = f.first; i < f.last; ++i) {
    const SchemaNode::Property& p = object.properties[i];
    const auto missing = static_cast<int64_t>(p.key.size() - f.at);
    listed = listed || missing == 0;
    if (f.seen[i]) continue;
    const int64_t value = add_lengths(missing + 2, schema_->node(p.node).shortest);
    least = std::min(least, add_lengths(value, required_end(f, i, false)));
  }
  if (!f.other) return least;
  // one more letter makes it another key, unless that is listed too, which costs a letter again
  const int64_t key = f.pending + (listed ? 1 : 0) + 2;
  const int64_t value = add_lengths(key, schema_->node(object.rest).shortest);
  return std::min(least, add_lengths(value, required_end(f, -1, false)));
}

}  // namespace gyre
