#include "gyre/io/record_json.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/record_part.h"
#include "gyre/base/text/comma_list.h"
#include "gyre/base/text/nearest.h"
#include "gyre/tensor/dtype.h"
#include "gyre/tensor/shape.h"

namespace gyre {
namespace {

Json value_of(const Field& field, const void* object) {
  switch (field.type) {
    case Field::flag:
      return field_value<bool>(object, field);
    case Field::integer:
      return field_value<int64_t>(object, field);
    case Field::real:
      return field_value<double>(object, field);
    case Field::text:
      return field_value<std::string>(object, field);
    case Field::texts: {
      Json texts = Json::array();
      for (const std::string& text : field_value<std::vector<std::string>>(object, field))
        texts.push_back(text);
      return texts;
    }
    case Field::dtype:
      return name_of(field_value<DType>(object, field));
    case Field::shape: {
      Json sizes = Json::array();
      for (int64_t size : field_value<Shape>(object, field)) sizes.push_back(size);
      return sizes;
    }
    case Field::choice:
      return field.choices[field_value<uint8_t>(object, field)];
  }
  return {};
}

uint8_t choice_of(const Record& record, const Field& field, const std::string& name) {
  std::string known;
  for (size_t i = 0; i < field.choices.size(); ++i) {
    if (name == field.choices[i]) return static_cast<uint8_t>(i);
    known += (i ? ", " : "") + std::string(field.choices[i]);
  }
  throw mismatch(Code::value, record.name, {"expected ", field.name, " to be one of ", known},
                 known, name);
}

DType dtype_named(const Field& field, const std::string& name) {
  try {
    return dtype_of(name);
  } catch (const Error& error) {
    throw Error(error.code, error.op, field.name + (": " + error.message()), error.expected,
                error.actual);
  }
}

std::vector<std::string> texts_of(const Field& field, const Json& value) {
  if (value.is_string()) return split_texts(field, value.as_string());
  std::vector<std::string> texts;
  for (const Json& text : value.as_array(field.name)) texts.push_back(text.as_string(field.name));
  return texts;
}

void set(const Record& record, const Field& field, void* object, const Json& value) {
  switch (field.type) {
    case Field::flag:
      field_value<bool>(object, field) = value.as_boolean(field.name);
      return;
    case Field::integer:
      field_value<int64_t>(object, field) = value.as_integer(field.name);
      return;
    case Field::real:
      field_value<double>(object, field) = value.as_real(field.name);
      return;
    case Field::text:
      field_value<std::string>(object, field) = value.as_string(field.name);
      return;
    case Field::texts:
      field_value<std::vector<std::string>>(object, field) = texts_of(field, value);
      return;
    case Field::dtype:
      field_value<DType>(object, field) = dtype_named(field, value.as_string(field.name));
      return;
    case Field::shape: {
      Shape sizes;
      if (value.is_integer()) {
        field_value<Shape>(object, field) = Shape{value.as_integer()};
        return;
      }
      for (const Json& size : value.as_array(field.name)) {
        sizes.push_back(size.as_integer(field.name));
      }
      field_value<Shape>(object, field) = sizes;
      return;
    }
    case Field::choice:
      field_value<uint8_t>(object, field) = choice_of(record, field, value.as_string(field.name));
      return;
  }
}

}  // namespace

const Field& field_named(const char* op, const Record& record, std::string_view name) {
  if (const Field* field = find_field(record, name)) return *field;
  std::vector<std::string> known;
  for (const Field& field : record.fields) {
    for (std::string& each : names_of(field)) known.push_back(std::move(each));
  }
  std::string hint = suggestion(name, known);
  for (size_t i = 0; i < known.size() && (i > 0 || hint.empty()); ++i)
    hint += (i == 0 ? "; options: " : ", ") + known[i];
  throw Error(Code::value, op, {"unknown option ", name, hint}, {}, name);
}

std::vector<std::string> own_names(const char* op, const Record& record,
                                   std::span<const std::string> names) {
  std::vector<std::string> own;
  for (const std::string& name : names) own.emplace_back(field_named(op, record, name).name);
  return own;
}

Json record_to_json(const Record& record, const void* object) {
  Json json = Json::object();
  for (const Field& field : record.fields) json[field.name] = value_of(field, object);
  return json;
}

Json changed_fields(const Record& record, const void* object, const void* plain) {
  const Json before = record_to_json(record, plain), after = record_to_json(record, object);
  Json changed = Json::object();
  for (const Json::Member& member : after.as_object()) {
    if (!(member.value == before.at(member.key))) changed[member.key] = member.value;
  }
  return changed;
}

Json options_of_text(std::string_view text, const char* what) {
  Json options = Json::object();
  auto refuse = [&](std::string_view part) {
    throw Error(
        Code::value, what,
        {"expected name=value pairs separated by commas or a JSON object, got '", part, "'"},
        "name=value,...", part);
  };
  if (text.starts_with('{')) {
    try {
      return Json::parse(text, {.unique_keys = true});
    } catch (const Error&) {
      refuse(text);
    }
  }
  while (!text.empty()) {
    const std::string_view part = take_item(text);
    const size_t equals = part.find('=');
    if (equals == 0 || equals == part.npos) refuse(part);
    const std::string_view name = trim(part.substr(0, equals));
    const std::string_view value = trim(part.substr(equals + 1));
    if (options.find(name)) throw Error(Code::value, what, {"got ", name, " twice"});
    try {
      options[name] = Json::parse(value);
    } catch (const Error&) {
      options[name] = Json(value);
    }
  }
  return options;
}

void record_from_json(const Record& record, void* object, const Json& json) {
  std::vector<const Field*> set_before;
  for (const Json::Member& member : json.as_object(record.name)) {
    const Field& field = field_named(record.name, record, member.key);
    if (std::find(set_before.begin(), set_before.end(), &field) != set_before.end()) {
      throw Error(Code::value, record.name, {"got ", field.name, " twice, also as ", member.key},
                  {}, member.key);
    }
    set_before.push_back(&field);
    set(record, field, object, member.value);
  }
}

}  // namespace gyre
