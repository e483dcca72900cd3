#include "gyre/packed/compress/choose_formats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gyre/nn/linear.h"
#include "gyre/nn/sequential.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/packed/packed.h"

namespace gyre {
namespace {

using Items = std::vector<std::vector<FormatOption>>;

FormatOption total(const Items& items, const std::vector<size_t>& chosen) {
  FormatOption sum;
  for (size_t i = 0; i < items.size(); ++i) {
    sum.bytes += items[i][chosen[i]].bytes;
    sum.error += items[i][chosen[i]].error;
  }
  return sum;
}

// Errors of a quarter for twice the bytes, as rates of bits give them, and somewhat off.
Items random_items(size_t count, int64_t largest, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto up_to = [&](int64_t n) {
    return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  Items items(count);
  for (auto& options : items) {
    const int64_t bytes = up_to(largest);
    const auto size = static_cast<double>(up_to(1000));
    for (int bits = 4; bits >= 1; --bits)
      options.push_back({bits * bytes + up_to(9), size * std::exp2(-2 * bits)});
  }
  return items;
}

double least_of_all(const Items& items, int64_t most) {
  double least = INFINITY;
  std::vector<size_t> chosen(items.size());
  for (bool more = true; more;) {
    const FormatOption sum = total(items, chosen);
    if (sum.bytes <= most) least = std::min(least, sum.error);
    more = false;
    for (size_t i = 0; i < items.size() && !more; ++i) {
      chosen[i] = (chosen[i] + 1) % items[i].size();
      more = chosen[i] != 0;
    }
  }
  return least;
}

TEST(LeastError, IsThatOfAllCombinations) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Items items = random_items(6, 1000, seed);
    const int64_t fewest = total(items, least_error(items, 0)).bytes;
    EXPECT_EQ(least_of_all(items, fewest - 1), INFINITY);
    for (int64_t most = fewest; most < 4 * fewest; most += fewest / 7 + 1) {
      const FormatOption found = total(items, least_error(items, most));
      EXPECT_LE(found.bytes, most);
      EXPECT_DOUBLE_EQ(found.error, least_of_all(items, most)) << seed << " " << most;
    }
  }
}

TEST(LeastError, ManyItemsUseWhatIsAllowed) {
  const Items items = random_items(300, 100'000'000, 7);
  const FormatOption smallest = total(items, least_error(items, 0));
  double before = smallest.error;
  for (double times : {1.1, 2.0, 3.2}) {
    const auto most = static_cast<int64_t>(times * static_cast<double>(smallest.bytes));
    const FormatOption found = total(items, least_error(items, most));
    EXPECT_LE(found.bytes, most);
    EXPECT_GT(static_cast<double>(found.bytes), 0.999 * static_cast<double>(most));
    EXPECT_LT(found.error, before);
    before = found.error;
  }
}

TEST(LeastError, FewestBytesWhereNothingFits) {
  const Items items{{{40, 1}, {20, 4}, {20, 3}}, {{5, 1}, {7, 0}}};
  EXPECT_EQ(least_error(items, -1), (std::vector<size_t>{2, 0}));
  EXPECT_EQ(least_error(items, 26), (std::vector<size_t>{2, 0}));
  EXPECT_EQ(least_error(items, 27), (std::vector<size_t>{2, 1}));
  EXPECT_EQ(least_error(items, 100), (std::vector<size_t>{0, 1}));
  EXPECT_TRUE(least_error({}, 0).empty());
}

// Two layers of nearly the same size, the second with numbers ten times as large.
class ChooseFormats : public testing::Test {
 protected:
  ChooseFormats() {
    Generator g{3, 0};
    model_.add(std::make_unique<nn::Linear>(LinearOptions{128, 160}, &g));
    model_.add(std::make_unique<nn::Linear>(LinearOptions{160, 128}, &g));
    std::vector<NamedTensor> state = model_.state_dict();
    state[2].tensor = (state[2].tensor * Tensor(10.0)).detach();
    model_.lend_state(state);
  }
  std::vector<PlannedTensor> plan(const char* rule = nullptr) {
    CompressPolicy policy;
    if (rule) policy.rules.push_back(format_rule(rule));
    return plan_formats(model_, policy);
  }
  // Of a file whose own header takes 1,000 bytes.
  static uint64_t bytes_of(const std::vector<PlannedTensor>& plan) {
    uint64_t bytes = 1000;
    for (const PlannedTensor& t : plan) {
      bytes += t.format ? packed_layout(*t.format, t.tensor.shape(), "").bytes()
                        : static_cast<uint64_t>(t.tensor.numel()) * 4;
    }
    return bytes;
  }
  nn::Sequential model_;
};

TEST_F(ChooseFormats, LargerWeightsGetMoreBits) {
  std::vector<PlannedTensor> p = plan();
  const auto choose = [&](uint64_t most) {
    return choose_formats(p, most, [&] { return bytes_of(p); });
  };
  const uint64_t smallest = choose(0), largest = choose(1 << 20);
  EXPECT_EQ(p[0].format->name, std::string("q8_0"));
  EXPECT_EQ(choose(smallest), smallest);
  EXPECT_EQ(p[2].format->name, std::string("D1"));
  EXPECT_GT(choose(smallest - 1), smallest - 1);
  const uint64_t most = smallest + (largest - smallest) / 4, length = choose(most);
  EXPECT_LE(length, most);
  EXPECT_LT(p[2].format->error, p[0].format->error);
  EXPECT_FALSE(p[1].format || p[3].format) << "biases stay";
}

TEST_F(ChooseFormats, SensitiveWeightsGetMoreBits) {
  std::vector<PlannedTensor> p = plan();
  const auto length = [&] { return bytes_of(p); };
  const uint64_t smallest = choose_formats(p, 0, length);
  const uint64_t largest = choose_formats(p, 1 << 20, length),
                 most = smallest + (largest - smallest) / 4;
  p[0].sensitivity = 1e6;  // its weights are the smaller ones
  EXPECT_LE(choose_formats(p, most, length), most);
  EXPECT_LT(p[0].format->error, p[2].format->error);
}

TEST_F(ChooseFormats, WeightsTooLargeForRingsGetAnotherFormat) {
  std::vector<PlannedTensor> p = plan();
  p[0].tensor = p[0].tensor.detach() * Tensor(1e5);
  choose_formats(p, 0, [&] { return bytes_of(p); });
  EXPECT_EQ(p[0].format->name, std::string("q8_0"));
  EXPECT_EQ(p[2].format->name, std::string("D1"));
}

TEST_F(ChooseFormats, RulesAreKept) {
  for (const char* rule : {"0.weight=T4", "0.weight=f32"}) {
    std::vector<PlannedTensor> p = plan(rule);
    const Codec* format = p[0].format;
    const uint64_t most = bytes_of(p) - 2000;
    EXPECT_LE(choose_formats(p, most, [&] { return bytes_of(p); }), most);
    EXPECT_EQ(p[0].format, format);
    EXPECT_GT(p[2].format->error, codec(PackedFormat::D4).error);
  }
}

TEST_F(ChooseFormats, HeadersThatGrowWithTheWordsAreLeftRoom) {
  std::vector<PlannedTensor> p = plan();
  const auto length = [&] { return bytes_of(p) + bytes_of(p) / 10; };
  const uint64_t most = length() - 500;
  EXPECT_LE(choose_formats(p, most, length), most);
  EXPECT_GT(choose_formats(p, most, length), most * 3 / 4);
}

TEST_F(ChooseFormats, WeightsThatAreNotFiniteAreLeftToCompress) {
  model_.state_dict()[0].tensor.data<float>()[5] = NAN;
  std::vector<PlannedTensor> p = plan();
  EXPECT_GT(choose_formats(p, 1 << 20, [&] { return bytes_of(p); }), 0u);
}

}  // namespace
}  // namespace gyre
