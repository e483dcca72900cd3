#include "gyre/train/log/event_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "gyre/base/crc32c.h"
#include "gyre/base/error.h"
#include "gyre/base/system/machine.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

uint32_t masked_crc(std::string_view bytes) {
  uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

// The complete records of a file; a truncated tail is ignored.
std::vector<std::string> records_of(std::string_view file) {
  std::vector<std::string> records;
  while (file.size() >= 12) {
    uint64_t length = little_endian(file.substr(0, 8));
    EXPECT_EQ(little_endian(file.substr(8, 4)), masked_crc(file.substr(0, 8)));
    if (file.size() < 16 + length) break;
    std::string_view bytes = file.substr(12, length);
    EXPECT_EQ(little_endian(file.substr(12 + length, 4)), masked_crc(bytes));
    records.emplace_back(bytes);
    file.remove_prefix(16 + length);
  }
  return records;
}

// A protocol buffers message: the bytes of every field, in order; numbers as 8 bytes.
struct Parsed {
  std::multimap<uint64_t, std::string> fields;

  explicit Parsed(std::string_view bytes) {
    while (!bytes.empty()) {
      uint64_t key = varint(bytes), field = key >> 3;
      uint64_t size = key % 8 == 1 ? 8 : key % 8 == 5 ? 4 : key % 8 == 2 ? varint(bytes) : 0;
      if (key % 8 == 0) {
        uint64_t value = varint(bytes);
        fields.emplace(field, std::string(reinterpret_cast<const char*>(&value), 8));
      } else {
        EXPECT_LE(size, bytes.size());
        size = std::min<uint64_t>(size, bytes.size());
        fields.emplace(field, bytes.substr(0, size));
        bytes.remove_prefix(size);
      }
    }
  }
  static uint64_t varint(std::string_view& bytes) {
    uint64_t value = 0;
    for (int shift = 0; !bytes.empty(); shift += 7) {
      unsigned char c = static_cast<unsigned char>(bytes[0]);
      bytes.remove_prefix(1);
      value |= uint64_t{c & 0x7Fu} << shift;
      if (c < 0x80) break;
    }
    return value;
  }
  bool has(uint64_t field) const { return fields.count(field) > 0; }
  std::string text(uint64_t field) const { return has(field) ? fields.find(field)->second : ""; }
  uint64_t number(uint64_t field) const { return little_endian(text(field)); }
  Parsed message(uint64_t field) const { return Parsed(text(field)); }
};

class Events : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "gyre_events";
    remove_tree(folder_);
    create_directories(folder_);
  }
  void TearDown() override { remove_tree(folder_); }

  static std::vector<Parsed> messages(const EventFile& file) {
    std::vector<Parsed> all;
    for (const std::string& record : records_of(read_file(file.path()))) all.emplace_back(record);
    return all;
  }
  // The scalars of an event by tag.
  static std::map<std::string, float> scalars(const Parsed& event) {
    std::map<std::string, float> found;
    Parsed summary = event.message(5);
    auto [begin, end] = summary.fields.equal_range(1);
    for (auto at = begin; at != end; ++at) {
      Parsed value(at->second);
      found[value.text(1)] = std::bit_cast<float>(static_cast<uint32_t>(value.number(2)));
    }
    return found;
  }
  std::string folder_;
};

TEST_F(Events, StartWithVersionAndSessionStart) {
  double before =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EventFile file(folder_, 300);
  std::vector<Parsed> all = messages(file);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text(3), "brain.Event:2");
  EXPECT_NEAR(std::bit_cast<double>(all[0].number(1)), before, 60);
  EXPECT_EQ(all[1].number(2), 301u) << "steps up to 300 are kept";
  EXPECT_EQ(all[1].message(7).number(1), 1u);
  std::string name = file.path().substr(folder_.size() + 1);
  EXPECT_TRUE(name.starts_with("events.out.tfevents.")) << name;
  EXPECT_TRUE(contains(name, "." + host_name() + ".gyre")) << name;
}

TEST_F(Events, HoldScalars) {
  EventFile file(folder_, 0);
  file.add(StepProgress{7, 200, 3.1, 1e-3, 0.5, 12345});
  file.add(Validation{7, {.loss = 2.25, .bits_per_byte = 1.5}, true});
  file.add(Validation{8, {.loss = 2.125}, true});
  file.scalar("accuracy", 1LL << 40, std::numeric_limits<double>::infinity());
  std::vector<Parsed> all = messages(file);
  ASSERT_EQ(all.size(), 6u);
  using Map = std::map<std::string, float>;
  EXPECT_EQ(scalars(all[2]), (Map{{"loss", 3.1f},
                                  {"lr", 1e-3f},
                                  {"gradient_norm", 0.5f},
                                  {"tokens_per_second", 12345.0f}}));
  EXPECT_EQ(all[2].number(2), 7u);
  EXPECT_EQ(scalars(all[3]), (Map{{"val_loss", 2.25f}, {"val_bits_per_byte", 1.5f}}));
  EXPECT_EQ(scalars(all[4]), (Map{{"val_loss", 2.125f}}));
  EXPECT_EQ(scalars(all[5]), (Map{{"accuracy", std::numeric_limits<float>::infinity()}}));
  EXPECT_EQ(all[5].number(2), uint64_t{1} << 40);
}

TEST_F(Events, HoldTexts) {
  EventFile file(folder_, 0);
  file.text("sample", 3, "a \xFF text");
  Parsed value = messages(file).at(2).message(5).message(1);
  EXPECT_EQ(value.text(1), "sample");
  EXPECT_EQ(value.message(8).number(1), 7u) << "a string";
  EXPECT_EQ(value.message(8).text(8), "a \xEF\xBF\xBD text");
  EXPECT_EQ(value.message(9).message(1).text(1), "text");
}

TEST_F(Events, OneFilePerRun) {
  EventFile first(folder_, 0), second(folder_, 5), third(folder_, 9);
  EXPECT_LT(first.path(), second.path()) << "TensorBoard reads them by name";
  EXPECT_LT(second.path(), third.path());
  first.scalar("x", 1, 1);
  EXPECT_EQ(messages(first).size(), 3u);
  EXPECT_EQ(messages(second).size(), 2u);
}

TEST_F(Events, TruncationLosesOnlyTheLastEvent) {
  EventFile file(folder_, 0);
  file.scalar("x", 1, 1);
  file.scalar("x", 2, 2);
  std::string all = read_file(file.path());
  EXPECT_EQ(records_of(all.substr(0, all.size() - 3)).size(), 3u);
}

TEST_F(Events, RequireTheFolder) {
  EXPECT_EQ(code_of([&] { EventFile file(folder_ + "/none", 0); }), Code::io);
}

}  // namespace
}  // namespace gyre
