#include "gyre/data/token_batches.h"

#include <cstring>
#include <string>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/counted.h"
#include "gyre/data/draw.h"

namespace gyre {

TokenBatches::TokenBatches(std::vector<int32_t> tokens, int64_t rows, int64_t block, uint64_t seed,
                           const char* what, const char* op, const char* remedy)
    : tokens_(std::move(tokens)), rows_(rows), block_(block), seed_(seed) {
  check(what, op, remedy);
}

TokenBatches::TokenBatches(std::shared_ptr<const TokenFile> file, int64_t vocabulary, int64_t rows,
                           int64_t block, uint64_t seed, const char* what, const char* op,
                           const char* remedy)
    : file_(std::move(file)), vocabulary_(vocabulary), rows_(rows), block_(block), seed_(seed) {
  if (vocabulary < 1) {
    throw mismatch(Code::value, op, "the vocabulary size must be 1 or more", ">= 1", vocabulary);
  }
  check(what, op, remedy);
}

void TokenBatches::check(const char* what, const char* op, const char* remedy) const {
  if (rows_ < 1 || block_ < 1) {
    throw Error(Code::value, op, {"rows and block must be 1 or more, got ", rows_, " and ", block_},
                ">= 1", std::to_string(rows_ < 1 ? rows_ : block_));
  }
  if (tokens() <= block_) {
    throw Error(Code::value, op,
                {"the ", what, " has ", counted(tokens(), "token"), ", too few for a block of ",
                 block_, "; use more text or a smaller `sequence_length`", remedy},
                {"> ", block_}, tokens());
  }
}

TokenBatch TokenBatches::at(int64_t number) const {
  TokenBatch batch{empty({rows_, block_}, DType::i32), empty({rows_, block_}, DType::i32)};
  const auto places = static_cast<uint64_t>(tokens() - block_);
  const size_t bytes = static_cast<size_t>(block_) * sizeof(int32_t);
  std::vector<int32_t> window(file_ ? static_cast<size_t>(block_) + 1 : 0);
  for (int64_t r = 0; r < rows_; ++r) {
    const auto begin = draw(seed_, static_cast<uint64_t>(rows_ * number + r)) % places;
    if (file_) file_->read(static_cast<int64_t>(begin), window, vocabulary_);
    const int32_t* from = file_ ? window.data() : tokens_.data() + begin;
    std::memcpy(batch.inputs.data<int32_t>() + r * block_, from, bytes);
    std::memcpy(batch.targets.data<int32_t>() + r * block_, from + 1, bytes);
  }
  return batch;
}

}  // namespace gyre
