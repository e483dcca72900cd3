#pragma once
#include "gyre/base/philox.h"
#include "gyre/nn/layer.h"

namespace gyre {

struct EmbeddingOptions {
  int64_t count = 0, width = 0;
};
GYRE_FIELDS(EmbeddingOptions,
            GYRE_FIELD(count, "vocabulary size", .alias = "num_embeddings", .least = 1),
            GYRE_FIELD(width, "size of each embedding vector", .alias = "embedding_dim",
                       .least = 1));

namespace nn {

/// Lookup table of embeddings: indices [...] to [..., width]; weight [count, width].
class Embedding : public Layer {
 public:
  /// Weight from N(0, 1). Error{value} for sizes below 1.
  explicit Embedding(const EmbeddingOptions& options, Generator* generator = nullptr);

  /// Error{index} for an index outside the table.
  Tensor operator()(const Tensor& indices) const override;
  void visit(Visitor& visitor) override;

  Tensor weight;
};

}  // namespace nn
}  // namespace gyre
