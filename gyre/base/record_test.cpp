#include "gyre/base/record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "gyre/base/error.h"
#include "gyre/base/record_part.h"

namespace gyre {

enum class Fruit : uint8_t { apple, pear };
inline constexpr const char* kFruits[] = {"apple", "pear"};
template <>
inline constexpr std::span<const char* const> kChoices<Fruit> = kFruits;

struct Basket {
  bool full = true;
  int64_t count = 3;
  double weight = 1.5;
  std::string owner = "nobody";
  Fruit fruit = Fruit::pear;
};
GYRE_FIELDS(Basket, GYRE_FIELD(full, "is it full"),
            GYRE_FIELD(count, "pieces", .tags = 1, .alias = "n,number_of_pieces", .least = 0,
                       .most = 9),
            GYRE_FIELD(weight, "in kg", .above = 0), GYRE_FIELD(owner, "whose"),
            GYRE_FIELD(fruit, "which"));

struct Delivery {
  int64_t number = 7;
  Basket basket, gift;
  bool paid = false;
};
GYRE_RECORD(Delivery, GYRE_FIELD(paid, "is it paid", .heading = "Payment"),
            GYRE_PART(basket, .heading = "Content", .tags = 4),
            GYRE_PART(gift, .prefix = "gift_", .except = "full,owner"),
            GYRE_FIELD(number, "which one"));

struct Limits {
  int64_t free = 0, least = 5;
  double real = 0, share = 0.5, most = 1, above = 1, below = 0, both = 0.5;
};
GYRE_FIELDS(Limits, GYRE_FIELD(free, ""), GYRE_FIELD(least, "", .least = 5), GYRE_FIELD(real, ""),
            GYRE_FIELD(share, "", .least = 0, .below = 1), GYRE_FIELD(most, "", .most = 2),
            GYRE_FIELD(above, "", .above = 0.5), GYRE_FIELD(below, "", .below = 1),
            GYRE_FIELD(both, "", .above = 0, .most = 1));

namespace {

TEST(Record, JoinsTheFieldsOfItsPartsInOrder) {
  const Record& whole = record_of<Delivery>;
  const char* names[] = {"paid",  "full",       "count",       "weight",     "owner",
                         "fruit", "gift_count", "gift_weight", "gift_fruit", "number"};
  ASSERT_EQ(whole.fields.size(), std::size(names));
  for (size_t i = 0; i < std::size(names); ++i) EXPECT_STREQ(whole.fields[i].name, names[i]);
  const Field &count = *find_field(whole, "count"), &gift = *find_field(whole, "gift_count");
  EXPECT_EQ(count.offset, offsetof(Delivery, basket) + offsetof(Basket, count));
  EXPECT_EQ(gift.offset, offsetof(Delivery, gift) + offsetof(Basket, count));
  EXPECT_EQ(gift.type, Field::integer);
  EXPECT_EQ(count.tags, 5u);
  EXPECT_EQ(gift.tags, 1u);
  EXPECT_STREQ(count.heading, "Content");
  EXPECT_STREQ(whole.fields[0].heading, "Payment");
  EXPECT_EQ(find_field(whole, "n"), &count);  // not of the part with a prefix
  EXPECT_EQ(find_field(whole, "number"), &whole.fields[9]);
}

TEST(Record, NamesTheNumberThatIsOutOfBounds) {
  const auto refused = [](auto set, const char* bounds, const char* value) {
    Limits limits;
    set(limits);
    try {
      check_record("op", limits);
      ADD_FAILURE() << bounds;
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::value);
      EXPECT_EQ(e.op, "op");
      EXPECT_EQ(e.expected, bounds);
      EXPECT_EQ(e.actual, value);
      EXPECT_NE(std::string(e.what()).find("` must be " + e.expected + ", got " + e.actual),
                std::string::npos)
          << e.what();
    }
  };
  EXPECT_NO_THROW(check_record("op", Limits()));
  refused([](Limits& l) { l.least = 4; }, "5 or more", "4");
  refused([](Limits& l) { l.real = FieldTraits::kInfinity; }, "a finite number", "inf");
  refused([](Limits& l) { l.real = std::nan(""); }, "a finite number", "nan");
  refused([](Limits& l) { l.share = 1; }, "in [0, 1)", "1");
  refused([](Limits& l) { l.share = -0.5; }, "in [0, 1)", "-0.5");
  refused([](Limits& l) { l.most = 2.5; }, "at most 2", "2.5");
  refused([](Limits& l) { l.above = 0.5; }, "above 0.5", "0.5");
  refused([](Limits& l) { l.below = 1; }, "below 1", "1");
  refused([](Limits& l) { l.both = 0; }, "in (0, 1]", "0");
  EXPECT_EQ(bounds_of(record_of<Basket>.fields[1]), "from 0 to 9");
  EXPECT_EQ(bounds_of(record_of<Limits>.fields[0]), "an integer");
  EXPECT_EQ(bounds_of(make_field<int64_t>("n", "", 0, {.above = 0, .below = 9})), "from 1 to 8");
}

TEST(Record, FieldsComeInOrderWithTypesAndPlaces) {
  const Record& r = record_of<Basket>;
  EXPECT_STREQ(r.name, "Basket");
  EXPECT_EQ(r.size, sizeof(Basket));
  ASSERT_EQ(r.fields.size(), 5u);
  Field::Type types[] = {Field::flag, Field::integer, Field::real, Field::text, Field::choice};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(r.fields[i].type, types[i]);
  EXPECT_EQ(r.fields[2].offset, offsetof(Basket, weight));
  EXPECT_STREQ(r.fields[3].doc, "whose");
  ASSERT_EQ(r.fields[4].choices.size(), 2u);
  EXPECT_STREQ(r.fields[4].choices[1], "pear");
}

TEST(Record, FindsFieldsByName) {
  EXPECT_EQ(find_field(record_of<Basket>, "count"), &record_of<Basket>.fields[1]);
  EXPECT_EQ(find_field(record_of<Basket>, "coun"), nullptr);
  EXPECT_EQ(find_field(record_of<Basket>, ""), nullptr);
  EXPECT_EQ(find_field(record_of<Basket>, "number_of_pieces"), &record_of<Basket>.fields[1]);
  EXPECT_EQ(find_field(record_of<Basket>, "n,number_of_pieces"), nullptr);
  EXPECT_EQ(names_of(record_of<Basket>.fields[1]),
            (std::vector<std::string>{"count", "n", "number_of_pieces"}));
}

TEST(Record, ConstructsDefaultsAndDestroys) {
  alignas(Basket) std::byte memory[sizeof(Basket)];
  record_of<Basket>.construct(memory);
  auto* basket = reinterpret_cast<Basket*>(memory);
  EXPECT_EQ(basket->count, 3);
  EXPECT_EQ(basket->owner, "nobody");
  EXPECT_EQ(basket->fruit, Fruit::pear);
  basket->owner = std::string(1000, 'x');  // the leak checker reports it if not freed
  record_of<Basket>.destroy(memory);
}

}  // namespace
}  // namespace gyre
