#include "gyre/models/generation/schema/json_schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"

namespace gyre {
namespace {

constexpr const char* kSchemaOp = "json_schema";
using NodeKind = SchemaNode::Kind;

constexpr std::array<std::string_view, 10> kAnnotations = {
    "title",    "description", "$schema",     "$id",        "$comment",
    "examples", "default",     "definitions", "deprecated", "$defs"};
constexpr std::array<std::string_view, 6> kTypes = {"string",  "number", "integer",
                                                    "boolean", "null",   "array"};

bool is_annotation(std::string_view key) {
  return std::ranges::find(kAnnotations, key) != kAnnotations.end();
}

[[noreturn]] void refuse_schema(Code code, const Message& message) {
  throw Error(code, kSchemaOp, message);
}

// The keyword may stand beside these alone.
void require_only(const Json& schema, std::string_view keyword,
                  std::initializer_list<std::string_view> beside) {
  for (const auto& [key, value] : schema.as_object()) {
    if (key == keyword || is_annotation(key) || std::ranges::find(beside, key) != beside.end())
      continue;
    refuse_schema(Code::unsupported,
                  "\"" + key + "\" beside \"" + std::string(keyword) + "\" is not supported");
  }
}

// The text of a key, without quotes.
std::string key_text(const std::string& key) {
  const std::string quoted = Json(key).dump();
  return quoted.substr(1, quoted.size() - 2);
}

int64_t sum_or_none(int64_t a, int64_t b) {
  return a == INT64_MAX || b == INT64_MAX ? INT64_MAX : a + b;
}

bool has_type(const Json& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  if (!value.is_number()) return false;
  return type == "number" || value.as_real() == std::floor(value.as_real());
}

}  // namespace

/// Turns a schema into nodes.
class SchemaReader {
 public:
  SchemaReader(const Json& schema, std::vector<SchemaNode>& nodes)
      : document_(schema), nodes_(nodes) {
    (void)place(schema);
    measure();
    if (nodes_[0].shortest == INT64_MAX)
      refuse_schema(Code::value, "no finite value satisfies the schema");
  }

 private:
  // The node of a schema, read once: schemas may refer to themselves.
  int32_t place(const Json& schema) {
    const auto known = placed_.find(&schema);
    if (known != placed_.end()) return known->second;
    const int32_t at = add();
    placed_[&schema] = at;
    const SchemaNode made = read(schema);
    nodes_[static_cast<size_t>(at)] = made;
    return at;
  }
  int32_t add(SchemaNode node = {}) {
    nodes_.push_back(std::move(node));
    return static_cast<int32_t>(nodes_.size()) - 1;
  }
  static SchemaNode literals(std::vector<std::string> texts) {
    std::ranges::sort(texts);
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    return {.kind = NodeKind::literals, .literals = std::move(texts)};
  }

  // Any value: made once, since its objects and arrays hold any value.
  int32_t any() {
    if (any_ >= 0) return any_;
    any_ = add();
    SchemaNode choice;
    for (const std::string_view type : kTypes) choice.choices.push_back(add(of_type(type, {})));
    choice.choices.push_back(add({.kind = NodeKind::object, .rest = any_}));
    nodes_[static_cast<size_t>(any_)] = choice;
    return any_;
  }

  SchemaNode read(const Json& schema) {
    if (schema.is_boolean())
      return schema.as_boolean() ? SchemaNode{.choices = {any()}} : SchemaNode{};
    if (!schema.is_object())
      refuse_schema(Code::value, "expected a schema, got " + schema.dump().substr(0, 80));
    if (schema.find("$ref")) return reference(schema);
    if (schema.find("anyOf")) return alternatives(schema);
    if (schema.find("const") || schema.find("enum")) return constants(schema);
    require_known(schema);
    const Json* type = schema.find("type");
    if (!type) return untyped(schema);
    if (type->is_string()) return of_type(type->as_string(), schema);
    SchemaNode choice;
    for (const Json& one : type->as_array("type"))
      choice.choices.push_back(add(of_type(one.as_string("type"), schema)));
    return choice;
  }

  static void require_known(const Json& schema) {
    constexpr std::array<std::string_view, 7> kKnown = {
        "type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems"};
    for (const auto& [key, value] : schema.as_object()) {
      if (is_annotation(key) || std::ranges::find(kKnown, key) != kKnown.end()) continue;
      refuse_schema(Code::unsupported, "keyword \"" + key + "\" is not supported");
    }
  }

  // Keywords of objects and arrays bind those alone.
  SchemaNode untyped(const Json& schema) {
    SchemaNode choice;
    for (const std::string_view type : kTypes) choice.choices.push_back(add(of_type(type, schema)));
    choice.choices.push_back(add(object(schema)));
    return choice;
  }

  SchemaNode of_type(std::string_view type, const Json& schema) {
    if (type == "string") return {.kind = NodeKind::string};
    if (type == "number") return {.kind = NodeKind::number};
    if (type == "integer") return {.kind = NodeKind::integer};
    if (type == "boolean") return literals({"true", "false"});
    if (type == "null") return literals({"null"});
    if (type == "array") return array(schema);
    if (type == "object") return object(schema);
    refuse_schema(Code::value, "\"" + std::string(type) + "\" is not a type");
  }

  SchemaNode array(const Json& schema) {
    SchemaNode node{.kind = NodeKind::array};
    const Json* items = schema.is_object() ? schema.find("items") : nullptr;
    if (items && items->is_array())
      refuse_schema(Code::unsupported, "\"items\" as a list is not supported");
    node.rest = items ? place(*items) : any();
    node.least = count_of(schema, "minItems", 0);
    node.most = count_of(schema, "maxItems", INT64_MAX);
    return node;
  }

  static int64_t count_of(const Json& schema, std::string_view key, int64_t otherwise) {
    const Json* found = schema.is_object() ? schema.find(key) : nullptr;
    if (!found) return otherwise;
    const int64_t count = found->as_integer(key);
    if (count < 0) refuse_schema(Code::value, {key, " is negative"});
    return count;
  }

  SchemaNode object(const Json& schema) {
    SchemaNode node{.kind = NodeKind::object};
    const Json* others = schema.is_object() ? schema.find("additionalProperties") : nullptr;
    if (!others) {
      node.rest = any();
    } else if (!others->is_boolean() || others->as_boolean()) {
      node.rest = place(*others);
    }
    const Json none = Json::object();
    const Json* given = schema.is_object() ? schema.find("properties") : nullptr;
    for (const auto& [key, value] : (given ? *given : none).as_object("properties"))
      node.properties.push_back({key_text(key), place(value), false});
    const Json* required = schema.is_object() ? schema.find("required") : nullptr;
    if (required) {
      for (const Json& key : required->as_array("required"))
        require(node, key_text(key.as_string("required")));
    }
    std::ranges::sort(node.properties, {}, &SchemaNode::Property::key);
    if (node.properties.size() > JsonSchema::kMostProperties) {
      refuse_schema(Code::unsupported, {"an object has ", node.properties.size(),
                                        " properties, at most ", JsonSchema::kMostProperties});
    }
    return node;
  }

  static void require(SchemaNode& node, const std::string& key) {
    for (SchemaNode::Property& p : node.properties) {
      if (p.key == key) return void(p.required = true);
    }
    if (node.rest < 0) {
      refuse_schema(Code::value, "\"" + key + "\" is required, but additionalProperties is false");
    }
    node.properties.push_back({key, node.rest, true});
  }

  SchemaNode alternatives(const Json& schema) {
    require_only(schema, "anyOf", {});
    SchemaNode choice;
    for (const Json& one : schema.at("anyOf").as_array("anyOf"))
      choice.choices.push_back(place(one));
    return choice;
  }

  static SchemaNode constants(const Json& schema) {
    require_only(schema, schema.find("const") ? "const" : "enum", {"type"});
    const Json* type = schema.find("type");
    std::vector<std::string> texts;
    const auto take = [&](const Json& value) {
      if (type && !has_type(value, type->as_string("type"))) return;
      texts.push_back(value.dump());
    };
    if (const Json* value = schema.find("const")) {
      take(*value);
    } else {
      for (const Json& one : schema.at("enum").as_array("enum")) take(one);
    }
    return literals(std::move(texts));
  }

  // "#/$defs/node": a path in the document.
  SchemaNode reference(const Json& schema) {
    require_only(schema, "$ref", {});
    const std::string& path = schema.at("$ref").as_string("$ref");
    if (!path.starts_with("#"))
      refuse_schema(Code::unsupported, "$ref: \"" + path + "\" is not local (#/...)");
    const Json* at = &document_;
    for (size_t from = 1; from < path.size();) {
      const size_t end = std::min(path.find('/', from + 1), path.size());
      std::string key = path.substr(from + 1, end - from - 1);
      for (const auto& [code, text] : {std::pair("~1", "/"), std::pair("~0", "~")}) {
        for (size_t found; (found = key.find(code)) != std::string::npos;)
          key.replace(found, 2, text);
      }
      at = at->is_object() && path[from] == '/' ? at->find(key) : nullptr;
      if (!at) refuse_schema(Code::value, "$ref: \"" + path + "\" is not in the schema");
      from = end;
    }
    return {.choices = {place(*at)}};
  }

  // The lengths of shortest values are the least solution of their equations.
  void measure() {
    for (bool changed = true; changed;) {
      changed = false;
      for (SchemaNode& node : nodes_) {
        const int64_t length = shortest_of(node);
        if (length < node.shortest) node.shortest = length, changed = true;
      }
    }
  }

  [[nodiscard]] int64_t shortest_of(const SchemaNode& node) const {
    int64_t length = INT64_MAX;
    switch (node.kind) {
      case NodeKind::choice:
        for (const int32_t c : node.choices) length = std::min(length, shortest(c));
        return length;
      case NodeKind::literals:
        for (const std::string& text : node.literals)
          length = std::min(length, static_cast<int64_t>(text.size()));
        return length;
      case NodeKind::string:
        return 2;
      case NodeKind::number:
      case NodeKind::integer:
        return 1;
      case NodeKind::array: {
        if (node.least > node.most) return INT64_MAX;
        if (node.least == 0) return 2;
        const int64_t one = shortest(node.rest);
        if (one > (INT64_MAX >> 1) / node.least) return INT64_MAX;
        return node.least * (one + 1) + 1;  // a comma each but the last, two brackets
      }
      case NodeKind::object:
        break;
    }
    length = 2;
    bool first = true;
    for (const SchemaNode::Property& p : node.properties) {
      if (!p.required) continue;
      const int64_t key = static_cast<int64_t>(p.key.size()) + (first ? 3 : 4);
      length = sum_or_none(length, sum_or_none(key, shortest(p.node)));
      first = false;
    }
    return length;
  }
  [[nodiscard]] int64_t shortest(int32_t node) const {
    return nodes_[static_cast<size_t>(node)].shortest;
  }

  const Json& document_;
  std::vector<SchemaNode>& nodes_;
  std::map<const Json*, int32_t> placed_;
  int32_t any_ = -1;
};

JsonSchema::JsonSchema(const Json& schema) { (void)SchemaReader(schema, nodes_); }

JsonSchema JsonSchema::from(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') return JsonSchema(Json::parse(text));
  return in_file(text, [&] { return JsonSchema(Json::read(text)); });
}

}  // namespace gyre
