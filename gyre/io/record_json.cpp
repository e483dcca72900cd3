#include "gyre/io/record_json.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/nearest.h"
#include "gyre/tensor/dtype.h"
#include "gyre/tensor/shape.h"

namespace gyre {
namespace {

template <class T>
const T& at(const void* object, const Field& field) {
  return *reinterpret_cast<const T*>(static_cast<const std::byte*>(object) + field.offset);
}
template <class T>
T& at(void* object, const Field& field) {
  return *reinterpret_cast<T*>(static_cast<std::byte*>(object) + field.offset);
}

Json value_of(const Field& field, const void* object) {
  switch (field.type) {
    case Field::flag:
      return at<bool>(object, field);
    case Field::integer:
      return at<int64_t>(object, field);
    case Field::real:
      return at<double>(object, field);
    case Field::text:
      return at<std::string>(object, field);
    case Field::dtype:
      return name_of(at<DType>(object, field));
    case Field::shape: {
      Json sizes = Json::array();
      for (int64_t size : at<Shape>(object, field)) sizes.push_back(size);
      return sizes;
    }
    case Field::choice:
      return field.choices[at<uint8_t>(object, field)];
  }
  return {};
}

uint8_t choice_of(const Record& record, const Field& field, const std::string& name) {
  std::string known;
  for (size_t i = 0; i < field.choices.size(); ++i) {
    if (name == field.choices[i]) return static_cast<uint8_t>(i);
    known += (i ? ", " : "") + std::string(field.choices[i]);
  }
  throw Error(Code::value, record.name,
              std::string(field.name) + " is one of " + known + ", not " + name, known, name);
}

DType dtype_named(const Field& field, const std::string& name) {
  try {
    return dtype_of(name);
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(error.code, error.op,
                std::string(field.name) + ": " + message.substr(error.op.size() + 2),
                error.expected, error.actual);
  }
}

void set(const Record& record, const Field& field, void* object, const Json& value) {
  switch (field.type) {
    case Field::flag:
      at<bool>(object, field) = value.as_boolean(field.name);
      return;
    case Field::integer:
      at<int64_t>(object, field) = value.as_integer(field.name);
      return;
    case Field::real:
      at<double>(object, field) = value.as_real(field.name);
      return;
    case Field::text:
      at<std::string>(object, field) = value.as_string(field.name);
      return;
    case Field::dtype:
      at<DType>(object, field) = dtype_named(field, value.as_string(field.name));
      return;
    case Field::shape: {
      Shape sizes;
      if (value.is_integer()) {
        at<Shape>(object, field) = Shape{value.as_integer()};
        return;
      }
      for (const Json& size : value.as_array(field.name)) {
        sizes.push_back(size.as_integer(field.name));
      }
      at<Shape>(object, field) = sizes;
      return;
    }
    case Field::choice:
      at<uint8_t>(object, field) = choice_of(record, field, value.as_string(field.name));
      return;
  }
}

}  // namespace

Json record_to_json(const Record& record, const void* object) {
  Json json = Json::object();
  for (const Field& field : record.fields) json[field.name] = value_of(field, object);
  return json;
}

Json options_of_text(std::string_view text, const char* what) {
  Json options = Json::object();
  auto refuse = [&](std::string_view part) {
    throw Error(Code::value, what,
                "expected name=value pairs separated by commas or a JSON object, got '" +
                    std::string(part) + "'",
                "name=value,...", std::string(part));
  };
  if (text.starts_with('{')) {
    try {
      return Json::parse(text, {.unique_keys = true});
    } catch (const Error&) {
      refuse(text);
    }
  }
  while (!text.empty()) {
    size_t end = std::min(text.find(','), text.size()), equals = text.find('=');
    std::string_view part = text.substr(0, end);
    if (equals == 0 || equals >= end) refuse(part);
    std::string_view value = part.substr(equals + 1);
    try {
      options[part.substr(0, equals)] = Json::parse(value);
    } catch (const Error&) {
      options[part.substr(0, equals)] = Json(value);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return options;
}

void record_from_json(const Record& record, void* object, const Json& json) {
  for (const Json::Member& member : json.as_object(record.name)) {
    const Field* field = find_field(record, member.key);
    if (!field) {
      std::vector<std::string> known;
      for (const Field& f : record.fields) known.emplace_back(f.name);
      throw Error(Code::value, record.name, "has no " + member.key + suggestion(member.key, known),
                  {}, member.key);
    }
    set(record, *field, object, member.value);
  }
}

}  // namespace gyre
