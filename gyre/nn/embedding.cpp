#include "gyre/nn/embedding.h"

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/index/index.h"

namespace gyre::nn {

static constexpr Arg kIndices[] = {{.name = "indices", .differentiable = false}};

Embedding::Embedding(const EmbeddingOptions& o, Generator* generator) {
  check_record("Embedding", o);
  weight = normal({o.count, o.width}, 1, generator);
}

Tensor Embedding::operator()(const Tensor& indices) const { return embedding(weight, indices); }

void Embedding::visit(Visitor& v) { v.parameter("weight", weight); }

constinit const LayerDef embedding_layer = define_layer<Embedding, EmbeddingOptions>(
    "Embedding", "lookup table of learned embedding vectors, by index",
    [](LayerSamples& s) {
      Samples draw;
      s.add(EmbeddingOptions{5, 3}, {draw.integers({2, 4}, 0, 5)});
      s.add(EmbeddingOptions{1, 2}, {draw.integers({3}, 0, 1)});
      s.refuse(Code::value, EmbeddingOptions{0, 3});
      s.refuse(Code::value, EmbeddingOptions{3, 0});
    },
    kIndices);

}  // namespace gyre::nn
