#include "gyre/data/token_batches.h"

#include <cstring>
#include <string>
#include <utility>

#include "gyre/base/counted.h"
#include "gyre/base/error.h"
#include "gyre/data/draw.h"

namespace gyre {

TokenBatches::TokenBatches(std::vector<int32_t> tokens, int64_t rows, int64_t block, uint64_t seed,
                           const char* what, const char* op)
    : tokens_(std::move(tokens)), rows_(rows), block_(block), seed_(seed) {
  if (rows < 1 || block < 1) {
    throw Error(Code::value, op,
                "rows and block must be 1 or more, are " + std::to_string(rows) + " and " +
                    std::to_string(block),
                ">= 1", std::to_string(rows < 1 ? rows : block));
  }
  if (this->tokens() <= block) {
    throw Error(Code::value, op,
                "the " + std::string(what) + " has " + counted(this->tokens(), "token") +
                    ", too few for a block of " + std::to_string(block) +
                    "; more text, a smaller `block` or another `val_fraction` will do",
                "> " + std::to_string(block), std::to_string(this->tokens()));
  }
}

TokenBatch TokenBatches::at(int64_t number) const {
  TokenBatch batch{empty({rows_, block_}, DType::i32), empty({rows_, block_}, DType::i32)};
  auto places = static_cast<uint64_t>(tokens() - block_);
  size_t bytes = static_cast<size_t>(block_) * sizeof(int32_t);
  for (int64_t r = 0; r < rows_; ++r) {
    const int32_t* from =
        tokens_.data() + draw(seed_, static_cast<uint64_t>(rows_ * number + r)) % places;
    std::memcpy(batch.inputs.data<int32_t>() + r * block_, from, bytes);
    std::memcpy(batch.targets.data<int32_t>() + r * block_, from + 1, bytes);
  }
  return batch;
}

}  // namespace gyre
