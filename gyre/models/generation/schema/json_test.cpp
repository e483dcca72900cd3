#include <gtest/gtest.h>

#include <random>
#include <set>

#include "gyre/base/error.h"
#include "gyre/models/generation/schema/json_mask.h"
#include "gyre/text/char_tokenizer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

bool accepts(const char* schema, std::string_view text) {
  const JsonSchema parsed(Json::parse(schema));
  JsonText json(parsed);
  for (const char byte : text) {
    if (!json.push(static_cast<uint8_t>(byte))) return false;
  }
  return json.complete();
}

TEST(JsonText, AcceptsTheJsonOfASchema) {
  constexpr const char* kPerson = R"({"type": "object", "additionalProperties": false,
      "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "a\"b": {"const": null}},
      "required": ["name"]})";
  EXPECT_TRUE(accepts(kPerson, R"({"name":"x"})"));
  EXPECT_TRUE(accepts(kPerson, R"({"age": -10, "name": "x\n\u00e9é"})"));
  EXPECT_TRUE(accepts(kPerson, R"({"name":"","a\"b":null})"));
  for (const char* text :
       {R"({})", R"({"age":1})", R"({"name":1})", R"({"name":"x","name":"y"})", R"({"nam":"x"})",
        R"({"name":"x","age":1.5})", R"({"name":"x","age":01})", R"({"name":"x",})",
        R"({"name":"x"  })", R"({ "name":"x"})", R"({"name":"x"}})", R"({"name":"x)",
        R"({"name":"\ud800"})", R"({"name":"\x"})", "{\"name\":\"\xff\"}", "{\"name\":\"\n\"}",
        R"({"name":"x","a\"b":0})"})
    EXPECT_FALSE(accepts(kPerson, text)) << text;
  constexpr const char* kList = R"({"type": "array", "items": {"type": ["number", "null"]},
                                    "minItems": 1, "maxItems": 3})";
  EXPECT_TRUE(accepts(kList, "[1.5e-3, null,0]"));
  for (const char* text :
       {"[]", "[1,2,3,4]", "[1,]", "[1 ]", "[.5]", "[1.]", "[1e]", "[\"a\"]", "1"})
    EXPECT_FALSE(accepts(kList, text)) << text;
  EXPECT_TRUE(accepts(R"({"enum": [1, 12, "a", {"b": [1]}]})", "12"));
  EXPECT_TRUE(accepts(R"({"enum": [1, 12, "a", {"b": [1]}]})", "1"));
  EXPECT_TRUE(accepts(R"({"enum": [1, 12, "a", {"b": [1]}]})", R"({"b":[1]})"));
  EXPECT_FALSE(accepts(R"({"enum": [1, 12]})", "2"));
  EXPECT_TRUE(accepts(R"({"type": "integer", "enum": [1, "a"]})", "1"));
  EXPECT_FALSE(accepts(R"({"type": "integer", "enum": [1, "a"]})", "\"a\""));
  constexpr const char* kTree = R"({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object",
      "properties": {"l": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]}},
      "required": ["l"], "additionalProperties": false}}})";
  EXPECT_TRUE(accepts(kTree, R"({"l":{"l":{"l":null}}})"));
  EXPECT_FALSE(accepts(kTree, R"({"l":{"l":{"l":1}}})"));
  EXPECT_TRUE(accepts("{}", R"({"a":[{"":[]},true,1E5,"x"],"b":{}})"));
  EXPECT_TRUE(accepts(R"({"additionalProperties": {"type": "string"}, "type": "object",
                          "properties": {"ab": {"type": "null"}}})",
                      R"({"abc":"x","a":"y","ab":null,"z":""})"));
  EXPECT_FALSE(accepts(R"({"additionalProperties": {"type": "string"}, "type": "object",
                           "properties": {"ab": {"type": "null"}}})",
                       R"({"ab":"x"})"));
}

TEST(JsonSchema, RefusesWhatItDoesNotKnow) {
  const auto code = [](const char* schema, const char* named) {
    const Error error = error_of([&] { JsonSchema(Json::parse(schema)); });
    EXPECT_TRUE(contains(error.what(), named)) << error.what();
    return error.code;
  };
  EXPECT_EQ(code(R"({"type": "string", "pattern": "a"})", "\"pattern\""), Code::unsupported);
  EXPECT_EQ(code(R"({"properties": {"a": {"minimum": 1}}})", "\"minimum\""), Code::unsupported);
  EXPECT_EQ(code(R"({"anyOf": [], "type": "string"})", "\"type\" beside \"anyOf\""),
            Code::unsupported);
  EXPECT_EQ(code(R"({"const": 1, "required": []})", "\"required\""), Code::unsupported);
  EXPECT_EQ(code(R"({"$ref": "http://x/y"})", "not local"), Code::unsupported);
  EXPECT_EQ(code(R"({"items": [{}]})", "\"items\" as a list"), Code::unsupported);
  EXPECT_EQ(code(R"({"$ref": "#/a"})", "is not in the schema"), Code::value);
  EXPECT_EQ(code(R"({"$ref": "#"})", "no finite value"), Code::value);
  EXPECT_EQ(code(R"({"type": "tree"})", "\"tree\" is not a type"), Code::value);
  EXPECT_EQ(code(R"({"minItems": -1})", "minItems is negative"), Code::value);
  EXPECT_EQ(code(R"({"type": "array", "minItems": 2, "maxItems": 1})", "no finite value"),
            Code::value);
  EXPECT_EQ(code(R"({"required": ["a"], "additionalProperties": false})", "is required"),
            Code::value);
  EXPECT_EQ(code(R"({"properties": {"a": 3}})", "expected a schema"), Code::value);
  EXPECT_EQ(code(R"({"type": "object", "required": ["a"], "properties": {"a": false}})",
                 "no finite value"),
            Code::value);
  std::string many = "{\"properties\": {";
  for (int i = 0; i < 200; ++i) many += (i ? ", \"" : "\"") + std::to_string(i) + "\": true";
  EXPECT_EQ(code((many + "}}").c_str(), "200 properties"), Code::unsupported);
  EXPECT_EQ(error_of([] { JsonSchema::from("/missing/schema.json"); }).code, Code::io);
}

constexpr const char* kSchemas[] = {
    R"({})",
    R"({"type": "object"})",
    R"({"type": "array", "minItems": 3, "items": {"type": "boolean"}})",
    R"({"type": "object", "additionalProperties": false, "required": ["kind", "size"],
        "properties": {"kind": {"enum": ["cat", "cats", "dog"]}, "size": {"type": "number"},
                       "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2}}})",
    R"({"anyOf": [{"type": "integer"}, {"type": "object", "required": ["a"],
        "properties": {"a": {"$ref": "#"}, "ab": {"type": "string"}}}]})",
};

// Texts by random bytes of which each is possible.
TEST(JsonText, RandomTextsEndWithinTheirBound) {
  std::mt19937 random(11);
  for (const char* schema : kSchemas) {
    const JsonSchema parsed(Json::parse(schema));
    for (int round = 0; round < 60; ++round) {
      JsonText text(parsed);
      std::string bytes;
      for (int64_t left = 60; !text.ended() && !(text.complete() && random() % 4 == 0); --left) {
        std::vector<uint8_t> possible;
        for (int b = 0; b < 256; ++b) {
          JsonText longer = text;
          if (!longer.push(static_cast<uint8_t>(b))) continue;
          const int64_t now = text.shortest_end(), then = longer.shortest_end();
          EXPECT_GE(then, now - 1) << bytes << " " << b;
          if (then <= std::max(left, now) - 1) possible.push_back(static_cast<uint8_t>(b));
        }
        if (possible.empty() && text.complete()) break;
        ASSERT_FALSE(possible.empty()) << bytes << " needs " << text.shortest_end();
        bytes += static_cast<char>(possible[random() % possible.size()]);
        ASSERT_TRUE(text.push(static_cast<uint8_t>(bytes.back())));
      }
      EXPECT_TRUE(text.complete()) << bytes;
      EXPECT_LE(bytes.size(), 64u);
      EXPECT_NO_THROW((void)Json::parse(bytes)) << bytes;
    }
  }
}

// The mask against trying every token from the beginning of the text.
TEST(JsonMask, AllowsWhatAByteWiseCheckAllows) {
  std::vector<std::string> tokens;
  std::set<std::string> seen;
  std::mt19937 random(3);
  const std::string letters = "\"\\{}[]:, ab1.-tru\xC3\xA9n";
  while (tokens.size() < 400) {
    std::string token;
    for (size_t n = 1 + random() % 4; token.size() < n;)
      token += letters[random() % letters.size()];
    if (seen.insert(token).second) tokens.push_back(token);
  }
  for (const char c : std::string_view("{}[]\":,abcdefgiklnorstuxyz0123456789.-"))
    if (seen.insert({c}).second) tokens.emplace_back(1, c);
  struct Words final : Tokenizer {
    explicit Words(std::vector<std::string> words)
        : Tokenizer(Vocabulary(std::move(words)), AddedTokens()) {}
    [[nodiscard]] Json to_json() const override { return {}; }
    void encode_text(std::string_view, bool, std::vector<int32_t>&) const override {}
    [[nodiscard]] std::string_view token_bytes(int32_t id) const override {
      return vocabulary().token(id);
    }
  };
  const Words words(tokens);
  const TokenBytes bytes(words);
  const std::vector<int32_t> ends{5};
  for (const char* schema : kSchemas) {
    const JsonSchema parsed(Json::parse(schema));
    for (int round = 0; round < 20; ++round) {
      JsonMask mask(bytes, parsed);
      JsonText text(parsed);
      for (int64_t left = 40; left > 0; --left) {
        std::vector<float> logits(tokens.size(), 0);
        if (!mask.apply(logits, left, ends)) break;
        std::vector<int32_t> allowed;
        for (size_t id = 0; id < tokens.size(); ++id) {
          JsonText longer = text;
          bool fits = true;
          for (const char c : tokens[id]) fits = fits && longer.push(static_cast<uint8_t>(c));
          fits = fits && longer.shortest_end() <= std::max(left, text.shortest_end()) - 1;
          fits = fits || (text.complete() && id == 5);
          ASSERT_EQ(logits[id] == 0, fits) << schema << " " << tokens[id];
          if (fits && id != 5) allowed.push_back(static_cast<int32_t>(id));
        }
        if (allowed.empty()) break;
        const int32_t id = allowed[random() % allowed.size()];
        for (const char c : tokens[static_cast<size_t>(id)])
          ASSERT_TRUE(text.push(static_cast<uint8_t>(c)));
        if (!mask.push(id)) break;
      }
      EXPECT_NO_THROW(mask.require_complete(true)) << schema;
    }
  }
}

TEST(JsonMask, SaysWhyItCannotGoOn) {
  const auto tokenizer = CharTokenizer::train("abc{}");
  const TokenBytes bytes(*tokenizer);
  const JsonSchema number(Json::parse(R"({"type": "number"})"));
  JsonMask mask(bytes, number);
  std::vector<float> logits(5, 0);
  EXPECT_TRUE(contains(error_of([&] { (void)mask.apply(logits, 9, {}); }).what(), "no token"));
  const Error cut = error_of([&] { mask.require_complete(true); });
  EXPECT_EQ(cut.code, Code::value);
  EXPECT_TRUE(contains(cut.what(), "max_tokens"));
  EXPECT_TRUE(contains(error_of([&] { mask.require_complete(false); }).what(), "`stop`"));
  EXPECT_EQ(error_of([&] { mask.push(0); }).code, Code::internal);
}

}  // namespace
}  // namespace gyre
