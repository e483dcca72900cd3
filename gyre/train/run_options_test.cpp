#include "gyre/train/run_options.h"

#include <gtest/gtest.h>

#include "gyre/io/record_json.h"
#include "tests/thrown.h"

namespace gyre {

struct SwimOptions {
  std::string out = "pool";
  int64_t lanes = 3, laps = 10, pause = 0;
};
GYRE_FIELDS(SwimOptions, GYRE_FIELD(out, "", .tags = kThisProcessOnly), GYRE_FIELD(lanes, ""),
            GYRE_FIELD(laps, "", .tags = kResumable),
            GYRE_FIELD(pause, "", .tags = kThisProcessOnly));

namespace {

using Names = std::vector<std::string>;

TEST(ChangesOfRun, KeepResumableGivenAndThisRunOnlyFields) {
  const Json stored = record_to_json(SwimOptions{.lanes = 5, .laps = 20});
  const auto changes = [&](const SwimOptions& now, const Names& given) {
    return changes_of_run("swim", record_of<SwimOptions>, record_to_json(now), stored, given);
  };
  EXPECT_EQ(changes({}, {}).dump(), R"({"out":"pool","pause":0})");
  EXPECT_EQ(changes({.out = "sea", .laps = 30, .pause = 2}, {"laps"}).dump(),
            R"({"out":"sea","laps":30,"pause":2})");
  EXPECT_EQ(changes({.lanes = 5}, {"lanes"}).dump(), R"({"out":"pool","pause":0})") << "unchanged";
  const Error other = error_of([&] { changes({.lanes = 6}, {"lanes"}); });
  EXPECT_EQ(other.code, Code::value);
  EXPECT_STREQ(other.what(), "swim: the run in pool has `lanes` 5 and cannot be resumed with 6");
  EXPECT_EQ(other.expected + " " + other.actual, "5 6");
}

}  // namespace
}  // namespace gyre
