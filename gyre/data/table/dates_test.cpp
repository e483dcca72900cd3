#include "gyre/data/table/dates.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gyre {
namespace {

TEST(Dates, PartsOfKnownDays) {
  constexpr DateOrder kYear = DateOrder::year_first;
  EXPECT_EQ(date_part("1970-01-01", kYear, DatePart::days), 0);
  EXPECT_EQ(date_part("2000-03-01", kYear, DatePart::days), 11017);
  EXPECT_EQ(date_part("2024-02-29", kYear, DatePart::year), 2024);
  EXPECT_EQ(date_part("2024/2/29", kYear, DatePart::month), 2);
  EXPECT_EQ(date_part("2024-05-05", kYear, DatePart::weekday), 6);  // a Sunday
  EXPECT_EQ(date_part("31.12.2023", DateOrder::day_first, DatePart::month), 12);
  EXPECT_EQ(date_part("12/31/2023", DateOrder::month_first, DatePart::month), 12);
  for (const char* time :
       {"T12:00", " 12:00:00", "T12:00:00.25Z", "T12:00:00+02:00", "T12:00-0330"}) {
    EXPECT_EQ(date_part("1970-01-02" + std::string(time), kYear, DatePart::days), 1.5) << time;
  }
}

TEST(Dates, OtherTextsAreNone) {
  for (const char* text :
       {"", "2024", "2024-13-01", "2023-02-29", "2024-01", "24-01-01", "2024-01/01", "2024-01-01x",
        "2024-01-01T25:00", "2024-01-01T10", "1.5", "a-b-c", "2024-01-01T10:00+", "20240-01-01"}) {
    EXPECT_FALSE(date_part(text, DateOrder::year_first, DatePart::days)) << text;
  }
}

TEST(Dates, OneOrderForAll) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(date_order(Texts{"2024-01-02", "2023-12-31"}), DateOrder::year_first);
  EXPECT_EQ(date_order(Texts{"01.02.2024", "31.12.2023"}), DateOrder::day_first);
  EXPECT_EQ(date_order(Texts{"1/2/2024", "12/31/2023"}), DateOrder::month_first);
  EXPECT_FALSE(date_order(Texts{"13/1/2024", "1/13/2024"}));
  EXPECT_FALSE(date_order(Texts{}));
  EXPECT_FALSE(date_order(Texts{"NA"}));
  EXPECT_EQ(date_order(Texts{"2024-01-02", "n/a"}), DateOrder::year_first);
  EXPECT_TRUE(are_dates(Texts{"01/02/2024"}, DateOrder::month_first));
}

}  // namespace
}  // namespace gyre
