#include "gyre/text/bpe/bpe_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gyre/base/error.h"
#include "gyre/io/json.h"
#include "gyre/text/bpe/byte_letters.h"
#include "gyre/text/splitters/gpt2_split.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

std::string sample_text() {
  std::string text;
  uint64_t state = 11;
  for (int i = 0; i < 3000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += "aabbcd e\n\xC3\xA9"[(state >> 40) % 11];
  }
  return text;
}

/// Naive trainer: recounts all pairs for each merge.
std::vector<std::pair<std::string, std::string>> by_definition(const std::string& text,
                                                               int merges) {
  std::vector<std::vector<std::string>> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = gpt2_piece_end(text, at);
    auto& word = words.emplace_back();
    for (; at < end; ++at) word.push_back(letters_of_bytes(text.substr(at, 1)));
  }
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) {
    tokens.push_back(letters_of_bytes(std::string(1, static_cast<char>(byte))));
  }
  std::sort(tokens.begin(), tokens.end());  // UTF-8 sorts like code points
  const auto id = [&](const std::string& token) {
    return std::find(tokens.begin(), tokens.end(), token) - tokens.begin();
  };
  std::vector<std::pair<std::string, std::string>> found;
  while (static_cast<int>(found.size()) < merges) {
    std::map<std::pair<std::ptrdiff_t, std::ptrdiff_t>, int> counts;  // sorted by ids
    for (const auto& word : words) {
      for (size_t i = 0; i + 1 < word.size(); ++i) ++counts[{id(word[i]), id(word[i + 1])}];
    }
    if (counts.empty()) break;
    const auto best = std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) {
      return a.second < b.second;  // ties: the smaller pair first
    });
    const std::string left = tokens[static_cast<size_t>(best->first.first)];
    const std::string right = tokens[static_cast<size_t>(best->first.second)];
    found.emplace_back(left, right);
    tokens.push_back(left + right);
    for (auto& word : words) {
      for (size_t i = 0; i + 1 < word.size(); ++i) {
        if (word[i] != left || word[i + 1] != right) continue;
        word[i] += right;
        word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
  }
  return found;
}

std::vector<std::pair<std::string, std::string>> merges_of(const ByteBpe& bpe) {
  std::vector<std::pair<std::string, std::string>> merges;
  for (const Merge& merge : bpe.merges()) {
    merges.emplace_back(bpe.token(merge.left), bpe.token(merge.right));
  }
  return merges;
}

TEST(BpeTrainer, AgreesWithTheDefinition) {
  const std::string text = sample_text();
  BpeTrainer trainer({.vocab_size = 256 + 120});
  trainer.add(text);
  const std::unique_ptr<ByteBpe> bpe = trainer.train();
  EXPECT_EQ(bpe->vocab_size(), 376);
  EXPECT_EQ(merges_of(*bpe), by_definition(text, 120));
  EXPECT_EQ(bpe->decode(bpe->encode(text)), text);
}

TEST(BpeTrainer, OrderOfTextsDoesNotMatter) {
  const std::string text = sample_text();
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  BpeTrainer forward({.vocab_size = 400}), backward({.vocab_size = 400});
  for (const std::string& line : lines) forward.add(line);
  std::reverse(lines.begin(), lines.end());
  for (const std::string& line : lines) backward.add(line);
  EXPECT_EQ(forward.train()->to_json().dump(), backward.train()->to_json().dump());
  EXPECT_EQ(forward.pieces(), backward.pieces());
}

TEST(BpeTrainer, TiesGoToTheSmallerPair) {
  BpeTrainer trainer({.vocab_size = 257});
  trainer.add("zy ba cd");  // the pieces "zy", " ba", " cd": every pair once
  const std::unique_ptr<ByteBpe> bpe = trainer.train();
  EXPECT_EQ(merges_of(*bpe), (std::vector<std::pair<std::string, std::string>>{{"b", "a"}}));
}

TEST(BpeTrainer, StopsWhenNoPairIsLeft) {
  BpeTrainer trainer({.vocab_size = 100000});
  trainer.add("abc abc");
  int32_t last = 0, calls = 0;
  const std::unique_ptr<ByteBpe> bpe = trainer.train([&](int32_t learned, int32_t wanted) {
    EXPECT_EQ(wanted, 100000);
    EXPECT_EQ(learned, 256 + ++calls);
    last = learned;
  });
  EXPECT_EQ(bpe->vocab_size(), 259);  // ab (or bc), abc, and with the space
  EXPECT_EQ(last, 259);
  EXPECT_EQ(
      trainer.why_fewer(bpe->vocab_size()),
      "the vocabulary has 259 tokens instead of 100000: no pair of tokens is left in the text");
  EXPECT_EQ(trainer.why_fewer(100000), "");
  EXPECT_EQ(bpe->encode("abc abc").size(), 2u);
}

TEST(BpeTrainer, RarePairsAreNotMerged) {
  BpeTrainer trainer({.vocab_size = 1000, .min_frequency = 3});
  trainer.add("ab ab ab cd cd");
  for (const auto& [left, right] : merges_of(*trainer.train())) {
    EXPECT_EQ((left + right).find('c'), std::string::npos);
  }
  EXPECT_GT(trainer.train()->vocab_size(), 256);
  EXPECT_TRUE(contains(trainer.why_fewer(trainer.train()->vocab_size()),
                       "instead of 1000: no pair of tokens is left that is 3 times in the text"));
}

TEST(BpeTrainer, SpecialTokensComeFirst) {
  BpeTrainer trainer({.vocab_size = 260, .special = {"<|end|>", "<pad>"}});
  trainer.add("aaaa aaaa <|end|>");
  const std::unique_ptr<ByteBpe> bpe = trainer.train();
  EXPECT_EQ(bpe->vocab_size(), 260);
  EXPECT_EQ(bpe->id("<|end|>"), 0);
  EXPECT_EQ(bpe->id("<pad>"), 1);
  EXPECT_EQ(bpe->id("!"), 2);
  EXPECT_EQ(bpe->encode("<pad>", Specials::as_tokens), (std::vector<int32_t>{1}));
}

TEST(BpeTrainer, EmptyTextGivesTheBytes) {
  const std::unique_ptr<ByteBpe> bpe = BpeTrainer({.vocab_size = 300}).train();
  EXPECT_EQ(bpe->vocab_size(), 256);
  EXPECT_EQ(bpe->decode(bpe->encode("any \xFF")), "any \xFF");
}

TEST(BpeTrainer, RejectsInvalidOptions) {
  const auto refused = [](BpeTrainerOptions options) {
    EXPECT_EQ(code_of([&] { BpeTrainer trainer(std::move(options)); }), Code::value);
  };
  refused({.vocab_size = 255});
  refused({.vocab_size = 256, .special = {"<s>"}});
  refused({.vocab_size = 300, .special = {"<s>", "<s>"}});
  refused({.vocab_size = 300, .special = {"a"}});
  refused({.vocab_size = 300, .special = {""}});
}

TEST(BpeTrainer, ProgressExceptionsStopTraining) {
  BpeTrainer trainer({.vocab_size = 300});
  trainer.add(sample_text());
  struct Stop {};
  EXPECT_THROW((void)trainer.train([](int32_t, int32_t) { throw Stop(); }), Stop);
}

}  // namespace
}  // namespace gyre
