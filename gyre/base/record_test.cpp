#include "gyre/base/record.h"

#include <gtest/gtest.h>

#include <cstddef>

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
GYRE_FIELDS(Basket, GYRE_FIELD(full, "is it full"), GYRE_FIELD(count, "pieces"),
            GYRE_FIELD(weight, "in kg"), GYRE_FIELD(owner, "whose"), GYRE_FIELD(fruit, "which"));

struct Delivery {
  int64_t number = 7;
  Basket basket;
  bool paid = false;
};
GYRE_FIELDS_WITH(Delivery, basket, GYRE_FIELD(paid, "is it paid"), GYRE_FIELD(number, "which one"));

namespace {

TEST(Record, HasTheFieldsOfAPartBeforeItsOwn) {
  const Record &whole = record_of<Delivery>, &part = record_of<Basket>;
  EXPECT_STREQ(whole.name, "Delivery");
  ASSERT_EQ(whole.fields.size(), part.fields.size() + 2);
  for (size_t i = 0; i < part.fields.size(); ++i) {
    EXPECT_STREQ(whole.fields[i].name, part.fields[i].name);
    EXPECT_EQ(whole.fields[i].type, part.fields[i].type);
    EXPECT_EQ(whole.fields[i].offset, offsetof(Delivery, basket) + part.fields[i].offset);
  }
  EXPECT_STREQ(whole.fields[5].name, "paid");
  EXPECT_EQ(find_field(whole, "number")->offset, offsetof(Delivery, number));
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
