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
};
GYRE_FIELDS(WalkOptions, GYRE_FIELD(steps, ""), GYRE_FIELD(width, ""), GYRE_FIELD(pace, ""),
            GYRE_FIELD(weights, ""));

namespace {

using Names = std::vector<std::string>;

class OptionFiles : public testing::Test {
 protected:
  void TearDown() override { remove_tree(path_); }
  OptionFile file(std::string_view text) const {
    write_file_atomic(path_, text);
    return OptionFile("walk", path_);
  }
  Names set(std::string_view text, Names given = {}) {
    OptionFile options = file(text);
    options.take("way", [&](const Json& way) { way_ = way.as_string("way"); });
    options.set(walk_, given);
    return given;
  }
  /// The message of the Error{value}, which names the file.
  std::string refused(std::string_view text) {
    const Error error = error_of([&] { set(text); });
    EXPECT_EQ(error.code, Code::value) << error.what();
    EXPECT_EQ(error.op, "walk");
    EXPECT_TRUE(contains(error.what(), path_)) << error.what();
    return error.what();
  }

  std::string path_ = testing::TempDir() + "gyre_walk.json", way_;
  WalkOptions walk_;
};

TEST_F(OptionFiles, DoNotOverrideExplicitOptions) {
  EXPECT_EQ(set(R"({"pace": "fast", "steps": 9, "way": "north"})", {"steps", "width"}),
            (Names{"steps", "width", "pace"}));
  EXPECT_EQ(walk_.pace, Pace::fast);
  EXPECT_EQ(walk_.steps, 3) << "set explicitly";
  EXPECT_EQ(walk_.width, 0.5);
  EXPECT_EQ(way_, "north");
  EXPECT_EQ(set("{}"), Names());
}

TEST_F(OptionFiles, ErrorsNameTheKey) {
  EXPECT_TRUE(contains(refused(R"({"step": 1})"), "unknown option step; did you mean steps?"));
  EXPECT_TRUE(contains(refused(R"({"wya": "x"})"), "did you mean way?"))
      << "not a field, but a known key";
  EXPECT_TRUE(contains(refused(R"({"steps": "many"})"), ": steps: expected an integer"));
  EXPECT_TRUE(contains(refused(R"({"pace": "idle"})"), "pace is one of slow, fast, not idle"));
  EXPECT_TRUE(contains(refused(R"({"weights": "f12"})"), ": weights: 'f12' is not one of"));
  EXPECT_TRUE(contains(refused(R"({"way": 3})"), ": way: expected a string"));
  EXPECT_EQ(way_, "");
}

TEST_F(OptionFiles, AreRejectedAsAWhole) {
  const auto message = [&](std::string_view text) {
    return message_of(Code::parse, [&] { file(text); });
  };
  EXPECT_TRUE(contains(message(R"({"steps": 1, "steps": 2})"), path_ + ": "));
  EXPECT_TRUE(contains(message(R"({"steps": 1, "steps": 2})"), "steps"));
  EXPECT_TRUE(contains(message("[1]"), path_ + ": expected an object"));
  EXPECT_TRUE(contains(message(""), path_));
  EXPECT_EQ(code_of([&] { OptionFile("walk", path_ + ".none"); }), Code::io);
  Names given{"width"};
  const OptionFile wrong = file(R"({"steps": 1, "pace": "idle"})");
  EXPECT_EQ(code_of([&] { wrong.set(walk_, given); }), Code::value);
  EXPECT_EQ(given, Names{"width"});
}

}  // namespace
}  // namespace gyre
