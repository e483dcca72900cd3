#include "gyre/io/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

/// `line 3, column 7` of a byte offset; both from 1, columns counted in characters.
std::string place_of(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const std::string_view row = before.substr(start);
  const auto characters = std::count_if(row.begin(), row.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
  return "line " + std::to_string(lines + 1) + ", column " + std::to_string(characters + 1);
}

/// nlohmann's message without its name and position, cut where it would quote a whole file.
std::string reason_of(std::string message) {
  constexpr size_t kLongest = 200;
  const size_t column = message.find(", column ");
  const size_t colon = message.find(": ", column == std::string::npos ? 0 : column);
  const size_t bracket = message.find("] ");
  if (column != std::string::npos && colon != std::string::npos) {
    message.erase(0, colon + 2);
  } else if (bracket != std::string::npos) {
    message.erase(0, bracket + 2);
  }
  if (message.size() > kLongest) {
    size_t cut = kLongest;
    while ((static_cast<unsigned char>(message[cut]) & 0xC0) == 0x80) --cut;
    message.resize(cut);
    message += "...";
  }
  return message;
}

/// Iterates over the text and reports to the builder how far the lexer has read.
struct TrackedIterator {
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  const char* at;
  const char** reached;

  reference operator*() const { return *at; }
  TrackedIterator& operator++() {
    *reached = ++at;
    return *this;
  }
  bool operator==(const TrackedIterator& other) const { return at == other.at; }
  bool operator!=(const TrackedIterator& other) const { return at != other.at; }
};

/// Builds the value from nlohmann's SAX events, which prescribe the names of the member functions.
class Builder {
 public:
  Builder(std::string_view text, const JsonOptions& options)
      : text_(text), options_(options), reached_(text.data()) {}

  Json build() {
    const TrackedIterator begin{text_.data(), &reached_};
    const TrackedIterator end{text_.data() + text_.size(), &reached_};
    nlohmann::json::sax_parse(begin, end, this);
    const size_t nul = text_.find('\0');  // nlohmann treats it as the end of the text
    if (nul != std::string_view::npos) fail(nul, "unexpected character U+0000");
    return std::move(root_);
  }

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  // Only what has a minus sign comes here; -0 is no integer, as in serde_json.
  bool number_integer(int64_t value) { return add(value == 0 ? Json(-0.0) : Json(value)); }
  bool number_unsigned(uint64_t value) {
    if (value > static_cast<uint64_t>(INT64_MAX)) return add(Json(static_cast<double>(value)));
    return add(Json(static_cast<int64_t>(value)));
  }
  bool number_float(double value, const std::string&) { return add(Json(value)); }
  bool string(std::string& value) { return add(Json(std::move(value))); }
  bool binary(std::vector<uint8_t>&) { return false; }
  bool start_object(size_t) { return open(false); }
  bool start_array(size_t) { return open(true); }
  bool end_array() { return close(Json(std::move(open_.back().items))); }
  bool end_object() {
    Json::Object& members = open_.back().members;
    drop_repeated(members);
    return close(Json(std::move(members)));
  }
  bool key(std::string& name) {
    open_.back().members.push_back({std::move(name), Json()});
    return true;
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception& error) {
    fail(position == 0 ? 0 : position - 1, reason_of(error.what()));
  }

 private:
  struct Level {
    bool is_array;
    Json::Array items;
    Json::Object members;
  };

  [[noreturn]] void fail(size_t offset, const Message& reason) const {
    throw Error(Code::parse, "json",
                {place_of(text_, std::min(offset, text_.size())), ": ", reason});
  }

  size_t last_read() const {
    const size_t reached = static_cast<size_t>(reached_ - text_.data());
    return reached == 0 ? 0 : reached - 1;
  }

  bool add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_array) {
      open_.back().items.push_back(std::move(value));
    } else {
      open_.back().members.back().value = std::move(value);
    }
    return true;
  }

  bool open(bool is_array) {
    if (open_.size() >= static_cast<size_t>(options_.max_depth)) {
      fail(last_read(), {"nested more than ", options_.max_depth, " deep"});
    }
    open_.push_back({is_array, {}, {}});
    return true;
  }

  bool close(Json value) {
    open_.pop_back();
    return add(std::move(value));
  }

  /// Keeps the last value of a duplicate key, at the position of the first; or rejects it.
  void drop_repeated(Json::Object& members) const {
    if (members.size() < 2) return;
    // Hashes first: comparing 50,000 names of a vocabulary takes as long as reading it.
    std::vector<size_t> order(members.size()), hashes;
    std::iota(order.begin(), order.end(), size_t{0});
    for (const auto& member : members) hashes.push_back(std::hash<std::string>()(member.key));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      if (hashes[a] != hashes[b]) return hashes[a] < hashes[b];
      const int keys = members[a].key.compare(members[b].key);
      return keys != 0 ? keys < 0 : a < b;
    });
    std::vector<bool> dropped(members.size());
    bool any = false;
    for (size_t i = 0; i + 1 < order.size();) {
      size_t last = i;
      while (last + 1 < order.size() && hashes[order[last + 1]] == hashes[order[i]] &&
             members[order[last + 1]].key == members[order[i]].key) {
        dropped[order[++last]] = true;
      }
      if (last > i) {
        any = true;
        if (options_.unique_keys) {
          fail(last_read(), "key \"" + members[order[i]].key + "\" appears twice in this object");
        }
        members[order[i]].value = std::move(members[order[last]].value);
      }
      i = last + 1;
    }
    if (!any) return;
    size_t kept = 0;
    for (size_t i = 0; i < members.size(); ++i) {
      if (dropped[i]) continue;
      if (kept != i) members[kept] = std::move(members[i]);
      ++kept;
    }
    members.resize(kept);
  }

  std::string_view text_;
  const JsonOptions& options_;
  const char* reached_;
  std::vector<Level> open_;
  Json root_;
};

/// Whether a string may contain this byte unescaped.
bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void write_escaped(std::string& out, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kShort = "\"\\\n\r\t\b\f", kLetters = "\"\\nrtbf";
  out += '\\';
  if (const size_t at = kShort.find(c); at != std::string_view::npos) {
    out += kLetters[at];
  } else {
    out += "u00";
    out += kHex[c >> 4];
    out += kHex[c & 15];
  }
}

void write_string(std::string& out, std::string_view text) {
  out += '"';
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    while (i < text.size() && is_plain(text[i])) ++i;
    out += text.substr(begin, i - begin);
    if (i == text.size()) break;
    const Utf8Char found = decode_utf8(text, i);
    if (found.code < 0x80) {
      write_escaped(out, text[i]);
    } else {
      append_utf8(out, found.code);
    }
    i += found.length;
  }
  out += '"';
}

void write_real(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  const std::string_view digits(buffer, static_cast<size_t>(end - buffer));
  out += digits;
  if (digits.find_first_of(".e") == std::string_view::npos) out += ".0";  // reads back as a real
}

void write(std::string& out, const Json& value, int indent, int depth) {
  const auto new_line = [&](int level) {
    if (indent > 0) out.append(1, '\n').append(static_cast<size_t>(indent) * level, ' ');
  };
  switch (value.type()) {
    case Json::Type::null:
      out += "null";
      break;
    case Json::Type::boolean:
      out += value.as_boolean() ? "true" : "false";
      break;
    case Json::Type::integer:
      out += std::to_string(value.as_integer());
      break;
    case Json::Type::real:
      write_real(out, value.as_real());
      break;
    case Json::Type::string:
      write_string(out, value.as_string());
      break;
    case Json::Type::array: {
      const char* comma = "[";
      for (const Json& item : value.as_array()) {
        out += std::exchange(comma, ",");
        new_line(depth + 1);
        write(out, item, indent, depth + 1);
      }
      if (value.as_array().empty())
        out += '[';
      else
        new_line(depth);
      out += ']';
      break;
    }
    case Json::Type::object: {
      const char* comma = "{";
      for (const auto& [key, item] : value.as_object()) {
        out += std::exchange(comma, ",");
        new_line(depth + 1);
        write_string(out, key);
        out += indent > 0 ? ": " : ":";
        write(out, item, indent, depth + 1);
      }
      if (value.as_object().empty())
        out += '{';
      else
        new_line(depth);
      out += '}';
      break;
    }
  }
}

const char* type_name(Json::Type type) {
  constexpr const char* kNames[] = {"null",     "a boolean", "an integer", "a number",
                                    "a string", "an array",  "an object"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace

Json::Json() : value_(nullptr) {}
Json::Json(std::nullptr_t) : value_(nullptr) {}
Json::Json(bool value) : value_(value) {}
Json::Json(double value) : value_(value) {}
Json::Json(std::string value) : value_(std::move(value)) {}
Json::Json(std::string_view value) : value_(std::string(value)) {}
Json::Json(const char* value) : value_(std::string(value)) {}
Json::Json(Array value) : value_(std::move(value)) {}
Json::Json(Object value) : value_(std::move(value)) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json Json::object() { return Json(Object()); }

Json Json::whole(int64_t value, bool negative) {
  if ((value < 0) != negative) {
    throw Error(Code::value, "json", {static_cast<uint64_t>(value), " is above the largest int64"});
  }
  Json result;
  result.value_ = value;
  return result;
}

Json Json::parse(std::string_view text, const JsonOptions& options) {
  return Builder(text, options).build();
}

Json Json::read(const std::string& path, const JsonOptions& options) {
  const std::string text = read_file(path);
  return in_file(path, [&] { return parse(text, options); });
}

std::string Json::dump(int indent) const {
  std::string out;
  write(out, *this, indent, 0);
  return out;
}

void Json::mismatch(std::string_view name, std::string_view wanted) const {
  const char* found = type_name(type());
  throw Error(Code::parse, "json", {name, ": expected ", wanted, ", found ", found}, wanted, found);
}

bool Json::as_boolean(std::string_view name) const {
  if (const bool* value = std::get_if<bool>(&value_)) return *value;
  mismatch(name, "a boolean");
}

int64_t Json::as_integer(std::string_view name) const {
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return *value;
  mismatch(name, "an integer");
}

double Json::as_real(std::string_view name) const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  if (const int64_t* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  mismatch(name, "a number");
}

const std::string& Json::as_string(std::string_view name) const {
  if (const std::string* value = std::get_if<std::string>(&value_)) return *value;
  mismatch(name, "a string");
}

const Json::Array& Json::as_array(std::string_view name) const& {
  if (const Array* value = std::get_if<Array>(&value_)) return *value;
  mismatch(name, "an array");
}

const Json::Object& Json::as_object(std::string_view name) const& {
  if (const Object* value = std::get_if<Object>(&value_)) return *value;
  mismatch(name, "an object");
}

const Json* Json::find(std::string_view key) const {
  const Object* members = std::get_if<Object>(&value_);
  if (members == nullptr) return nullptr;
  for (const Member& member : *members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

const Json& Json::at(std::string_view key) const {
  (void)as_object(key);
  if (const Json* found = find(key)) return *found;
  throw Error(Code::parse, "json", {"missing key \"", key, "\""});
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  (void)as_object(key);
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  Object& members = std::get<Object>(value_);
  members.push_back({std::string(key), Json()});
  return members.back().value;
}

void Json::push_back(Json value) {
  if (is_null()) value_ = Array();
  (void)as_array("push_back");
  std::get<Array>(value_).push_back(std::move(value));
}

bool Json::operator==(const Json& other) const { return value_ == other.value_; }

bool Json::Member::operator==(const Member& other) const {
  return key == other.key && value == other.value;
}

}  // namespace gyre
