#include "gyre/io/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

std::string parse_message(std::string_view text, const JsonOptions& options = {}) {
  return message_of(Code::parse, [&] { (void)Json::parse(text, options); });
}

TEST(Json, ParsesEveryType) {
  const Json value = Json::parse(
      " {\"n\":null,\"t\":true,\"f\":false,\"i\":-12,\"r\":1.5,\"s\":\"a\\u00e9\\ud83d\\ude00\","
      "\"a\":[1,[2],{}],\"o\":{\"x\":0}}\n");
  EXPECT_TRUE(value.at("n").is_null());
  EXPECT_TRUE(value.at("t").as_boolean());
  EXPECT_FALSE(value.at("f").as_boolean());
  EXPECT_EQ(value.at("i").as_integer(), -12);
  EXPECT_EQ(value.at("i").as_real(), -12.0);
  EXPECT_EQ(value.at("r").as_real(), 1.5);
  EXPECT_EQ(value.at("s").as_string(), "a\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(value.at("a").as_array().size(), 3u);
  EXPECT_EQ(value.at("o").at("x").as_integer(), 0);
  EXPECT_EQ(value.find("missing"), nullptr);
  EXPECT_EQ(value.at("i").find("x"), nullptr);
}

TEST(Json, KeyOrderIsKept) {
  const std::string text = R"({"z":1,"a":2,"m":{"y":[],"b":{}},"":3})";
  EXPECT_EQ(Json::parse(text).dump(), text);
}

TEST(Json, IntegersAreExact) {
  for (const char* text :
       {"0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808"}) {
    const Json value = Json::parse(text);
    EXPECT_TRUE(value.is_integer()) << text;
    EXPECT_EQ(value.dump(), text);
  }
  const Json large = Json::parse("9223372036854775808");
  EXPECT_FALSE(large.is_integer());
  EXPECT_EQ(large.as_real(), 9223372036854775808.0);
}

TEST(Json, DoublesRoundTrip) {
  uint64_t state = 1;
  for (int i = 0; i < 100000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double value;
    std::memcpy(&value, &state, sizeof value);
    if (!std::isfinite(value)) continue;
    const Json back = Json::parse(Json(value).dump());
    ASSERT_FALSE(back.is_integer()) << Json(value).dump();
    ASSERT_EQ(back.as_real(), value);
  }
  for (const double value : {0.0, -0.0, 1.0, 0.1, 1e300, 5e-324, 1e15, 1e16, 123456789012.0}) {
    const Json back = Json::parse(Json(value).dump());
    EXPECT_FALSE(back.is_integer());
    EXPECT_EQ(back.as_real(), value);
    EXPECT_EQ(std::signbit(back.as_real()), std::signbit(value));
  }
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Json, StringsRoundTrip) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF";
  EXPECT_EQ(Json::parse(Json(all).dump()).as_string(), all);
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  const std::string mark = "\xEF\xBF\xBD";
  for (const char* bad : {"\x80", "\xC0", "\xC1", "\xFF", "\xF5", "\xC3"}) {
    EXPECT_EQ(Json("a" + std::string(bad) + "b").dump(), "\"a" + mark + "b\"");
  }
  EXPECT_EQ(Json("\xED\xA0\x80").dump(), "\"" + mark + mark + mark + "\"");  // a surrogate
  EXPECT_EQ(Json("\xE2\x82").dump(), "\"" + mark + "\"");                    // cut short
}

TEST(Json, PrettyForm) {
  Json value;
  value["name"] = "x";
  value["sizes"].push_back(1);
  value["sizes"].push_back(2.5);
  value["none"] = Json::array();
  value["empty"] = Json::object();
  value["name"] = "y";
  EXPECT_EQ(value.dump(2),
            "{\n  \"name\": \"y\",\n  \"sizes\": [\n    1,\n    2.5\n  ],\n  \"none\": [],\n"
            "  \"empty\": {}\n}");
  EXPECT_EQ(Json::parse(value.dump(2)), value);
  EXPECT_NE(Json::parse(value.dump(2)), Json(1));
}

TEST(Json, ErrorsSayLineAndColumn) {
  EXPECT_TRUE(contains(parse_message("{\"a\": 1,\n \"b\": x}"), "line 2, column 7"));
  EXPECT_TRUE(contains(parse_message("[1, 2"), "line 1, column 6"));
  EXPECT_TRUE(contains(parse_message(""), "line 1, column 1"));
  EXPECT_TRUE(contains(parse_message("[\"\xC3\xA9\" x"), "line 1, column 6"));  // in characters
  EXPECT_TRUE(contains(parse_message("1 2"), "line 1, column 3"));
}

TEST(Json, RejectsInvalidJson) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "'a'",
                           "01",
                           "+1",
                           "1.",
                           ".5",
                           "nan",
                           "Infinity",
                           "\"\t\"",
                           "\"\\x\"",
                           "\"\\ud800\"",
                           "\"\xFF\"",
                           "\"\xED\xA0\x80\"",
                           "\"abc",
                           "[1 2]",
                           "{\"a\" 1}",
                           "true false",
                           "tru",
                           "/* c */ 1",
                           "1e999",
                           "-1e999"}) {
    EXPECT_FALSE(parse_message(text).empty()) << text;
  }
  EXPECT_FALSE(parse_message(std::string_view("1\0", 2)).empty());
}

TEST(Json, MessagesStayShort) {
  EXPECT_LT(parse_message("[\"" + std::string(100000, 'x')).size(), 400u);
}

TEST(Json, DepthIsLimited) {
  const auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') +
           std::string(static_cast<size_t>(depth), ']');
  };
  EXPECT_NO_THROW((void)Json::parse(nested(128)));
  EXPECT_TRUE(contains(parse_message(nested(129)), "line 1, column 129"));
  EXPECT_TRUE(contains(parse_message(nested(1000000)), "nested more than 128 deep"));
  EXPECT_TRUE(contains(parse_message("{\"a\":{\"b\":1}}", {.max_depth = 1}), "nested"));
}

TEST(Json, RepeatedKeys) {
  const std::string text = R"({"a":1,"b":2,"a":3,"c":4,"a":5})";
  EXPECT_EQ(Json::parse(text).dump(), R"({"a":5,"b":2,"c":4})");
  EXPECT_TRUE(contains(parse_message(text, {.unique_keys = true}), "key \"a\" appears twice"));
  EXPECT_NO_THROW((void)Json::parse(R"({"a":{"a":1},"b":{"a":1}})", {.unique_keys = true}));
}

TEST(Json, WrongTypesAreNamed) {
  const Json value = Json::parse(R"({"n_head":"four","flag":1})");
  EXPECT_EQ(message_of(Code::parse, [&] { (void)value.at("n_head").as_integer("n_head"); }),
            "json: n_head: expected an integer, found a string");
  EXPECT_EQ(message_of(Code::parse, [&] { (void)value.at("n_layer"); }),
            "json: missing key \"n_layer\"");
  message_of(Code::parse, [&] { (void)value.at("flag").as_boolean("flag"); });
  message_of(Code::parse, [&] { (void)value.at("n_head").as_real(); });
  message_of(Code::parse, [&] { (void)value.at("flag").as_string(); });
  message_of(Code::parse, [&] { (void)value.at("flag").as_array(); });
  message_of(Code::parse, [&] { (void)value.at("flag").as_object(); });
  message_of(Code::parse, [&] { (void)value.at("flag").at("x"); });
  message_of(Code::parse, [] { Json(1)["x"] = 2; });
  message_of(Code::parse, [] { Json(1).push_back(2); });
  message_of(Code::value, [] { Json large(std::numeric_limits<uint64_t>::max()); });
  EXPECT_EQ(Json(uint64_t{7}).as_integer(), 7);
  EXPECT_EQ(Json(int8_t{-7}).as_integer(), -7);
}

TEST(Json, ReadNamesTheFile) {
  const std::string path = testing::TempDir() + "/gyre_json_test.json";
  write_file_atomic(path, "{\"a\": }");
  const std::string message = message_of(Code::parse, [&] { (void)Json::read(path); });
  EXPECT_TRUE(contains(message, path + ": line 1, column 7")) << message;
  write_file_atomic(path, "{\"a\": 1}");
  EXPECT_EQ(Json::read(path).at("a").as_integer(), 1);
  remove_tree(path);
  message_of(Code::io, [&] { (void)Json::read(path); });
}

/// Every truncation and every flipped bit is parsed or rejected; what is parsed round-trips.
TEST(Json, DamageIsReadOrRefused) {
  const std::string good = R"({"a":[1,-2.5e3,"\u00e9\n",true,null],"b":{"c":[],"d":{}}})";
  const auto check = [](const std::string& text) {
    try {
      const Json value = Json::parse(text);
      EXPECT_EQ(Json::parse(value.dump()), value);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Code::parse);
      return false;
    }
  };
  for (size_t cut = 0; cut < good.size(); ++cut) EXPECT_FALSE(check(good.substr(0, cut)));
  for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    check(bad);
  }
}

}  // namespace
}  // namespace gyre
