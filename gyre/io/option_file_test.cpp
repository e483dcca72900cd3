#include "gyre/io/option_file.h"

#include <gtest/gtest.h>

#include "gyre/base/system/file.h"
#include "gyre/tensor/dtype.h"
#include "tests/thrown.h"

namespace gyre {

enum class Pace : uint8_t { slow, fast };
inline constexpr const char* kPaceNames[] = {"slow", "fast"};
template <>
inline constexpr std::span<const char* const> kChoices<Pace> = kPaceNames;

struct WalkOptions {
  int64_t steps = 3;
  double width = 0.5;
  Pace pace = Pace::slow;
  DType weights = DType::f32;
  std::vector<std::string> ways{};
};
GYRE_FIELDS(WalkOptions, GYRE_FIELD(steps, "", .alias = "paces,strides", .least = 0),
            GYRE_FIELD(width, ""), GYRE_FIELD(pace, ""), GYRE_FIELD(weights, ""),
            GYRE_FIELD(ways, "", .tags = kCommas));

namespace {

using Names = std::vector<std::string>;

class OptionFiles : public testing::Test {
 protected:
  void TearDown() override { remove_tree(path_); }
  Names set(std::string_view text, Names given = {}) {
    write_file_atomic(path_, text);
    read_option_file("walk", path_, walk_, given);
    return given;
  }
  /// The message of the Error{value}, which names the file.
  std::string refused(std::string_view text, const Names& given = {}) {
    const Error error = error_of([&] { set(text, given); });
    EXPECT_EQ(error.code, Code::value) << error.what();
    EXPECT_EQ(error.op, "walk");
    EXPECT_TRUE(contains(error.what(), path_)) << error.what();
    return error.what();
  }

  std::string path_ = testing::TempDir() + "gyre_walk.json";
  WalkOptions walk_;
};

TEST_F(OptionFiles, DoNotOverrideExplicitOptions) {
  EXPECT_EQ(set(R"({"pace": "fast", "strides": 9, "ways": ["north", "a,b"]})", {"steps", "width"}),
            (Names{"steps", "width", "pace", "ways"}));
  EXPECT_EQ(walk_.pace, Pace::fast);
  EXPECT_EQ(walk_.steps, 3) << "set explicitly";
  EXPECT_EQ(walk_.width, 0.5);
  EXPECT_EQ(walk_.ways, (Names{"north", "a,b"}));
  EXPECT_EQ(set(R"({"paces": 9, "ways": "a,b"})"), (Names{"steps", "ways"}));
  EXPECT_EQ(walk_.steps, 9);
  EXPECT_EQ(walk_.ways, (Names{"a", "b"}));
  EXPECT_EQ(set("{}"), Names());
}

TEST_F(OptionFiles, ErrorsNameTheKey) {
  EXPECT_TRUE(contains(refused(R"({"step": 1})"), "unknown option step; did you mean steps?"));
  EXPECT_TRUE(contains(refused(R"({"stride": 1})"), "did you mean strides?"));
  EXPECT_TRUE(contains(refused(R"({"steps": 1, "paces": 2})"), "got steps twice, also as paces"));
  EXPECT_TRUE(contains(refused(R"({"steps": "many"})"), ": steps: expected an integer"));
  EXPECT_TRUE(
      contains(refused(R"({"pace": "idle"})"), "expected pace to be one of slow, fast, got idle"));
  EXPECT_TRUE(contains(refused(R"({"weights": "f12"})"), ": weights: 'f12' is not one of"));
  EXPECT_TRUE(contains(refused(R"({"ways": 3})"), ": ways: expected an array"));
  EXPECT_TRUE(contains(refused(R"({"ways": [3]})"), ": ways: expected a string"));
  EXPECT_TRUE(contains(refused(R"({"steps": -1})"), ": `steps` must be 0 or more, got -1"));
}

TEST_F(OptionFiles, AreRejectedAsAWhole) {
  const auto message = [&](std::string_view text) {
    return message_of(Code::parse, [&] { set(text); });
  };
  EXPECT_TRUE(contains(message(R"({"steps": 1, "steps": 2})"), path_ + ": "));
  EXPECT_TRUE(contains(message(R"({"steps": 1, "steps": 2})"), "steps"));
  EXPECT_TRUE(contains(message("[1]"), path_ + ": expected an object"));
  EXPECT_TRUE(contains(message(""), path_));
  EXPECT_EQ(code_of([&] {
              Names none;
              read_option_file("walk", path_ + ".none", walk_, none);
            }),
            Code::io);
  Names given{"width"};
  write_file_atomic(path_, R"({"steps": 1, "pace": "idle"})");
  EXPECT_EQ(code_of([&] { read_option_file("walk", path_, walk_, given); }), Code::value);
  EXPECT_EQ(given, Names{"width"});
  EXPECT_EQ(walk_.steps, 3) << "set before the error";
}

TEST_F(OptionFiles, OverriddenOptionsAreCheckedToo) {
  const Names all{"steps", "pace"};
  EXPECT_TRUE(contains(refused(R"({"steps": "many"})", all), ": steps: expected an integer"));
  EXPECT_TRUE(contains(refused(R"({"pace": "idle"})", all), "expected pace to be one of"));
  EXPECT_TRUE(contains(refused(R"({"steps": 1, "paces": 2})", all), "got steps twice"));
  EXPECT_TRUE(contains(refused(R"({"steps": -1})", all), "`steps` must be 0 or more"));
}

}  // namespace
}  // namespace gyre
