#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/text/bpe/byte_bpe.h"

namespace gyre {

struct BpeTrainerOptions {
  int32_t vocab_size = 4096;           ///< includes special tokens and the 256 bytes
  int64_t min_frequency = 0;           ///< minimum count of a pair to be merged
  std::vector<std::string> special{};  ///< special tokens; these get the first ids
};

/// Trains a byte-level BPE (Sennrich et al. 2016, on bytes, split by GPT-2's pattern): repeatedly
/// merges the most frequent pair, ties broken by the smaller pair of ids, until the vocabulary is
/// full. The result depends only on the multiset of pieces.
class BpeTrainer {
 public:
  /// Error{value} if vocab_size is too small for the bytes and the special tokens, and for an empty
  /// or duplicate special token.
  explicit BpeTrainer(BpeTrainerOptions options);

  /// Counts the pieces of a text. Merges never cross the ends of texts.
  void add(std::string_view text);

  /// Calls `progress(learned, wanted)` after each merge; an exception it throws stops training.
  [[nodiscard]] std::unique_ptr<ByteBpe> train(
      FunctionRef<void(int32_t learned, int32_t wanted)> progress) const;
  [[nodiscard]] std::unique_ptr<ByteBpe> train() const;

  /// Why train() gives a vocabulary of `tokens` and not of `vocab_size`; empty if it has that size.
  [[nodiscard]] std::string why_fewer(int64_t tokens) const;

  [[nodiscard]] int64_t pieces() const { return pieces_; }  ///< number of pieces added

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view piece) const;
  };

  BpeTrainerOptions options_;
  int64_t pieces_ = 0;
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> counts_;
};

}  // namespace gyre
