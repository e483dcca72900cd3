#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gyre/data/token_file.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Rows of tokens and, at each position, the next token; both [rows, block] i32.
struct TokenBatch {
  Tensor inputs, targets;
};

/// Batches of random windows of a long token sequence. Row r of batch i starts at
/// draw(seed, rows i + r) mod (length - block), so batches can be accessed in any order.
class TokenBatches {
 public:
  /// Error{value}, naming the caller `op`, for rows or block below 1 and if the text, called `what`
  /// in the message, is not longer than a block; `remedy` is then another thing to change.
  TokenBatches(std::vector<int32_t> tokens, int64_t rows, int64_t block, uint64_t seed,
               const char* what = "text", const char* op = "batches", const char* remedy = "");

  /// The same for a token file, of which only the drawn windows are read. Error{value} also for a
  /// vocabulary below 1.
  TokenBatches(std::shared_ptr<const TokenFile> file, int64_t vocabulary, int64_t rows,
               int64_t block, uint64_t seed, const char* what = "text", const char* op = "batches",
               const char* remedy = "");

  /// Error{index} for a token of the file outside the vocabulary, with its position.
  [[nodiscard]] TokenBatch at(int64_t number) const;
  [[nodiscard]] int64_t tokens() const {
    return file_ ? file_->size() : static_cast<int64_t>(tokens_.size());
  }

 private:
  void check(const char* what, const char* op, const char* remedy) const;

  std::vector<int32_t> tokens_;
  std::shared_ptr<const TokenFile> file_;  // if not null, instead of tokens_
  int64_t vocabulary_ = 0;
  int64_t rows_, block_;
  uint64_t seed_;
};

}  // namespace gyre
