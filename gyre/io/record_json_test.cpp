#include "gyre/io/record_json.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/tensor/dtype.h"
#include "gyre/tensor/shape.h"
#include "tests/thrown.h"

namespace gyre {

enum class Colour : uint8_t { red, green };
inline constexpr const char* kColourNames[] = {"red", "green"};
template <>
inline constexpr std::span<const char* const> kChoices<Colour> = kColourNames;

struct EveryField {
  bool flag = false;
  int64_t count = 3;
  double rate = 0.1;
  std::string name = "x";
  DType dtype = DType::bf16;
  Shape shape{2, 3};
  Colour colour = Colour::green;
};
GYRE_FIELDS(EveryField, GYRE_FIELD(flag, ""), GYRE_FIELD(count, ""), GYRE_FIELD(rate, ""),
            GYRE_FIELD(name, ""), GYRE_FIELD(dtype, ""), GYRE_FIELD(shape, ""),
            GYRE_FIELD(colour, ""));

namespace {

Code code_of_reading(const char* json) {
  EveryField object;
  return code_of([&] { record_from_json(object, Json::parse(json)); });
}

TEST(RecordJson, WritesEveryKindOfFieldInOrder) {
  EXPECT_EQ(record_to_json(EveryField{}).dump(),
            R"({"flag":false,"count":3,"rate":0.1,"name":"x","dtype":"bf16","shape":[2,3],)"
            R"("colour":"green"})");
}

TEST(RecordJson, ReadsBackWhatItWrote) {
  EveryField from{true, -7, 1e-9, "a \"b\"", DType::i16, {}, Colour::red}, to;
  record_from_json(to, record_to_json(from));
  EXPECT_EQ(record_to_json(to), record_to_json(from));
}

TEST(RecordJson, LeavesFieldsThatAreNotNamed) {
  EveryField object;
  object.count = 9;
  record_from_json(object, Json::parse(R"({"rate": 2})"));
  EXPECT_EQ(object.count, 9);
  EXPECT_EQ(object.rate, 2.0);
}

TEST(RecordJson, RefusesWhatDoesNotFit) {
  EXPECT_EQ(code_of_reading(R"({"pace": 1})"), Code::value);
  EXPECT_EQ(code_of_reading(R"({"colour": "blue"})"), Code::value);
  EXPECT_EQ(code_of_reading(R"({"count": "many"})"), Code::parse);
  EXPECT_EQ(code_of_reading(R"({"dtype": "f12"})"), Code::dtype);
  EveryField object;
  EXPECT_TRUE(
      contains(message_of(Code::dtype,
                          [&] { record_from_json(object, Json::parse(R"({"dtype": "f12"})")); }),
               "dtype: dtype: 'f12' is not one of"))
      << "the field and its choices";
  EXPECT_EQ(code_of_reading(R"([1])"), Code::parse);
}

TEST(OptionsOfText, TakesPairsOrAnObject) {
  EXPECT_EQ(options_of_text("", "o").dump(), "{}");
  EXPECT_EQ(options_of_text("momentum=0.9,nesterov=true,name=x y", "o").dump(),
            R"({"momentum":0.9,"nesterov":true,"name":"x y"})");
  EXPECT_EQ(options_of_text("steps = 3, name= x y ", "o").dump(), R"({"steps":3,"name":"x y"})");
  EXPECT_EQ(options_of_text(R"({"eps": 1})", "o").dump(), R"({"eps":1})");
  for (const char* wrong : {"momentum", "=3", "a=1,,b=2", "a=1, a=2", "{", "{\"a\":1,\"a\":2}"}) {
    EXPECT_EQ(code_of([&] { (void)options_of_text(wrong, "o"); }), Code::value) << wrong;
  }
}

}  // namespace
}  // namespace gyre
