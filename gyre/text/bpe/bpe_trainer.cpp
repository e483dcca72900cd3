#include "gyre/text/bpe/bpe_trainer.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/piece_hash.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/bpe/byte_letters.h"
#include "gyre/text/splitters/gpt2_split.h"

namespace gyre {
namespace {

constexpr int32_t kBytes = 256;
constexpr float kSparse = 0.5;  // elements per bucket: most searches look at one

/// Training state: distinct pieces as symbols, and for each adjacent pair its count and the pieces
/// that may contain it.
class Learner {
 public:
  explicit Learner(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
    for (size_t id = 0; id < tokens_.size(); ++id) {
      ids_.emplace(tokens_[id], static_cast<int32_t>(id));
    }
    for (int byte = 0; byte < kBytes; ++byte) {
      const char bytes[] = {static_cast<char>(byte)};
      byte_ids_.push_back(ids_.at(letters_of_bytes(std::string_view(bytes, 1))));
    }
    pair_index_.max_load_factor(kSparse);
  }

  void add(std::string_view piece, int64_t count) {
    if (piece.size() < 2) return;
    const auto word = static_cast<uint32_t>(words_.size());
    words_.push_back({symbols_.size(), piece.size(), count});
    for (const char byte : piece) symbols_.push_back(byte_ids_[static_cast<uint8_t>(byte)]);
    const int32_t* symbols = symbols_.data() + words_.back().begin;
    for (size_t i = 0; i + 1 < piece.size(); ++i) grow(symbols[i], symbols[i + 1], word, count);
  }

  /// Merges until there are `wanted` tokens or no pair occurs `min_frequency` times.
  void learn(int32_t wanted, int64_t min_frequency, FunctionRef<void(int32_t, int32_t)> progress) {
    queue_grown();
    while (static_cast<int32_t>(tokens_.size()) < wanted && !queue_.empty()) {
      Candidate best = queue_.top();
      queue_.pop();
      const int64_t count = pairs_[best.pair].count;
      if (count <= 0) continue;
      if (count != best.count) {  // other merges have reduced the count
        best.count = count;
        queue_.push(best);
        continue;
      }
      if (count < min_frequency) break;
      merge(best);
      progress(static_cast<int32_t>(tokens_.size()), wanted);
    }
  }

  std::vector<std::string> take_tokens() { return std::move(tokens_); }
  std::vector<Merge> take_merges() { return std::move(merges_); }

 private:
  struct Word {
    size_t begin, length;  // in symbols_
    int64_t count;
  };
  struct Pair {
    int64_t count = 0;
    bool grown = false;  // count has increased since last queued
    std::vector<uint32_t> words;
  };
  struct Candidate {
    int64_t count;
    int32_t left, right;
    uint32_t pair;                                  // index in pairs_
    bool operator<(const Candidate& other) const {  // max-heap
      if (count != other.count) return count < other.count;
      return left != other.left ? left > other.left : right > other.right;
    }
  };
  struct PairHash {
    size_t operator()(uint64_t pair) const {
      pair *= 0x9E3779B97F4A7C15;
      return pair ^ pair >> 32;
    }
  };

  static uint64_t key(int32_t left, int32_t right) {
    return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
  }

  void grow(int32_t left, int32_t right, uint32_t word, int64_t count) {
    const auto [found, is_new] =
        pair_index_.try_emplace(key(left, right), static_cast<uint32_t>(pairs_.size()));
    if (is_new) pairs_.emplace_back();
    Pair& pair = pairs_[found->second];
    pair.count += count;
    if (pair.words.empty() || pair.words.back() != word) pair.words.push_back(word);
    if (!pair.grown) grown_.push_back({0, left, right, found->second});
    pair.grown = true;
  }

  void shrink(int32_t left, int32_t right, int64_t count) {
    pairs_[pair_index_.at(key(left, right))].count -= count;
  }

  void queue_grown() {
    for (Candidate& candidate : grown_) {
      Pair& pair = pairs_[candidate.pair];
      pair.grown = false;
      candidate.count = pair.count;
      if (pair.count > 0) queue_.push(candidate);
    }
    grown_.clear();
  }

  void merge(const Candidate& best) {
    const std::string token =
        tokens_[static_cast<size_t>(best.left)] + tokens_[static_cast<size_t>(best.right)];
    const auto [found, is_new] = ids_.try_emplace(token, static_cast<int32_t>(tokens_.size()));
    if (is_new) tokens_.push_back(token);
    merges_.push_back({best.left, best.right, found->second});
    const std::vector<uint32_t> words = std::exchange(pairs_[best.pair].words, {});
    for (const uint32_t word : words) merge_in(word, merges_.back());
    pairs_[best.pair].count = 0;
    queue_grown();
  }

  void merge_in(uint32_t index, const Merge& merge) {
    Word& word = words_[index];
    int32_t* symbols = symbols_.data() + word.begin;
    size_t kept = 0;
    for (size_t i = 0; i < word.length; ++i) {
      if (symbols[i] != merge.left || i + 1 == word.length || symbols[i + 1] != merge.right) {
        symbols[kept++] = symbols[i];
        continue;
      }
      if (kept > 0) {
        shrink(symbols[kept - 1], merge.left, word.count);
        grow(symbols[kept - 1], merge.product, index, word.count);
      }
      if (i + 2 < word.length) {
        shrink(merge.right, symbols[i + 2], word.count);
        grow(merge.product, symbols[i + 2], index, word.count);
      }
      symbols[kept++] = merge.product;
      ++i;
    }
    word.length = kept;
  }

  std::vector<std::string> tokens_;  // in printable byte form
  std::unordered_map<std::string, int32_t> ids_;
  std::vector<int32_t> byte_ids_;
  std::vector<Merge> merges_;
  std::vector<Word> words_;
  std::vector<int32_t> symbols_;
  std::vector<Pair> pairs_;
  std::unordered_map<uint64_t, uint32_t, PairHash> pair_index_;
  std::vector<Candidate> grown_;
  std::priority_queue<Candidate> queue_;
};

/// Special tokens, then the bytes in the order of their printable letters.
std::vector<std::string> first_tokens(const std::vector<std::string>& special) {
  std::vector<char32_t> letters;
  for (int byte = 0; byte < kBytes; ++byte) {
    letters.push_back(letter_of_byte(static_cast<uint8_t>(byte)));
  }
  std::sort(letters.begin(), letters.end());
  std::vector<std::string> tokens = special;
  for (const char32_t letter : letters) append_utf8(tokens.emplace_back(), letter);
  return tokens;
}

}  // namespace

size_t BpeTrainer::Hash::operator()(std::string_view piece) const { return piece_hash(piece); }

BpeTrainer::BpeTrainer(BpeTrainerOptions options) : options_(std::move(options)) {
  const auto least = static_cast<int64_t>(options_.special.size()) + kBytes;
  if (options_.vocab_size < least) {
    throw Error(Code::value, "bpe_trainer",
                {"vocab_size must fit all bytes and special tokens: ", options_.vocab_size,
                 " is too small for 256 bytes and ", least - kBytes, " special tokens"},
                {"at least ", least}, options_.vocab_size);
  }
  counts_.max_load_factor(kSparse);
  (void)Vocabulary(first_tokens(options_.special));  // throws for duplicates
  for (const std::string& special : options_.special) {
    if (special.empty())
      throw Error(Code::value, "bpe_trainer",
                  "expected non-empty special tokens, got an empty one");
  }
}

void BpeTrainer::add(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = gpt2_piece_end(text, at);
    const std::string_view piece = text.substr(at, end - at);
    if (const auto found = counts_.find(piece); found != counts_.end()) {
      ++found->second;
    } else {
      counts_.emplace(piece, 1);
    }
    ++pieces_;
    at = end;
  }
}

std::string BpeTrainer::why_fewer(int64_t tokens) const {
  if (tokens >= options_.vocab_size) return "";
  const Message reason = options_.min_frequency > 1
                             ? Message{"no pair of tokens is left that is ", options_.min_frequency,
                                       " times in the text"}
                             : Message{"no pair of tokens is left in the text"};
  return Message{"the vocabulary has ", tokens, " tokens instead of ",
                 options_.vocab_size,   ": ",   reason}
      .text;
}

std::unique_ptr<ByteBpe> BpeTrainer::train() const {
  return train([](int32_t, int32_t) {});
}

std::unique_ptr<ByteBpe> BpeTrainer::train(FunctionRef<void(int32_t, int32_t)> progress) const {
  Learner learner(first_tokens(options_.special));
  for (const auto& [piece, count] : counts_) learner.add(piece, count);
  learner.learn(options_.vocab_size, options_.min_frequency, progress);
  ByteBpeParts parts;
  parts.tokens = learner.take_tokens();
  parts.merges = learner.take_merges();
  for (const std::string& special : options_.special) {
    const auto id = static_cast<int32_t>(parts.added.size());
    parts.added.push_back({.content = special, .id = id, .special = true});
  }
  return std::make_unique<ByteBpe>(std::move(parts));
}

}  // namespace gyre
