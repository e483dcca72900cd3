#include "cli/option_text.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "cli/command.h"
#include "gyre/base/error.h"
#include "gyre/base/record_part.h"
#include "gyre/base/text/comma_items.h"
#include "gyre/io/record_json.h"

namespace gyre {
namespace {

template <class T>
bool read_number(std::string_view text, T& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Converts text to the JSON value of the field; false if it cannot.
bool json_of(const Field& field, std::string_view text, Json& value) {
  int64_t whole = 0;
  double real = 0;
  switch (field.type) {
    case Field::flag:
      value = Json(text == "true");
      return true;
    case Field::integer:
      value = read_number(text, whole) ? Json(whole) : Json();
      return !value.is_null();
    case Field::real:
      value = read_number(text, real) ? Json(real) : Json();
      return !value.is_null();
    case Field::shape:
      value = Json::array();
      for (const std::string& item : items_of(text)) {
        if (!read_number(item, whole)) return false;
        value.push_back(whole);
      }
      return true;
    default:
      value = Json(text);
      return true;
  }
}

const char* wanted(const Field& field) {
  switch (field.type) {
    case Field::integer:
      return "an integer";
    case Field::real:
      return "a number";
    case Field::shape:
      return "comma-separated integers";
    default:
      return "another word";
  }
}

}  // namespace

std::string option_name(std::string_view field) {
  std::string name = "--" + std::string(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string with_options(std::string message, const Record& record) {
  for (const Field& field : record.fields) {
    std::string word = fmt::format("`{}`", field.name);
    for (size_t at; (at = message.find(word)) != std::string::npos;) {
      message.replace(at, word.size(), option_name(field));
    }
  }
  return message;
}

std::string value_name(const Field& field) {
  if (*field.metavar) return field.metavar;
  switch (field.type) {
    case Field::integer:
      return "N";
    case Field::real:
      return "X";
    case Field::dtype:
      return "DTYPE";
    case Field::shape:
      return "N,N";
    case Field::choice: {
      std::string names;
      for (const char* choice : field.choices)
        names += (names.empty() ? "" : "|") + std::string(choice);
      return names;
    }
    case Field::texts:
      return field.tags & kCommas ? "TEXT,TEXT" : "TEXT";
    default:
      return "TEXT";
  }
}

std::string value_text(const Record& record, const Field& field, const void* object) {
  Json value = record_to_json(record, object).at(field.name);
  if (field.type != Field::texts) return value.is_string() ? value.as_string() : value.dump();
  std::string list;
  for (const Json& text : value.as_array()) list += (list.empty() ? "" : ",") + text.as_string();
  return list;
}

void set_option(const Record& record, const Field& field, void* object,
                const std::vector<std::string>& texts) {
  Json value = Json::array(), members = Json::object();
  std::string name = option_name(field);
  if (field.type == Field::texts) {
    for (const std::string& text : texts) {
      for (const std::string& item : split_texts(field, text)) value.push_back(item);
    }
  } else if (!json_of(field, texts[0], value)) {
    throw UsageError(fmt::format("{}: expected {}, got '{}'", name, wanted(field), texts[0]), {},
                     wanted(field), texts[0]);
  }
  members[field.name] = std::move(value);
  try {
    record_from_json(record, object, members);
  } catch (const Error& error) {
    throw UsageError(error.expected.empty() ? fmt::format("{}: {}", name, error.message())
                                            : fmt::format("{}: expected one of {}, got {}", name,
                                                          error.expected, error.actual),
                     {}, error.expected, error.actual);
  }
}

}  // namespace gyre
