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
  int32_t vocab_size = 4096;           ///< special tokens and the 256 bytes included
  int64_t min_frequency = 0;           ///< pairs seen less often are not merged
  std::vector<std::string> special{};  ///< special tokens, which get the first ids
};

/// Learns a byte-level BPE (Sennrich et al. 2016, on bytes, split by GPT-2's pattern): the pair
/// that occurs most often becomes a token, of equally frequent ones the smaller pair of ids, until
/// the vocabulary is full. The result depends on the texts as a multiset of pieces only.
class BpeTrainer {
 public:
  /// Errors: value, when vocab_size has no room for the bytes and the special tokens, or a special
  /// token is empty or comes twice.
  explicit BpeTrainer(BpeTrainerOptions options);

  /// Counts the pieces of a text. Nothing is merged across the ends of texts.
  void add(std::string_view text);

  /// `progress(learned, wanted)` is called after each merge; what it throws ends the training.
  [[nodiscard]] std::unique_ptr<ByteBpe> train(
      FunctionRef<void(int32_t learned, int32_t wanted)> progress) const;
  [[nodiscard]] std::unique_ptr<ByteBpe> train() const;

  [[nodiscard]] int64_t pieces() const { return pieces_; }  ///< all that were added

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
