#include "gyre/nn/embedding.h"

#include "gyre/base/error.h"
#include "gyre/nn/init.h"
#include "gyre/ops/index/index.h"

namespace gyre::nn {

Embedding::Embedding(const EmbeddingOptions& o, Generator* generator) {
  if (o.count < 1 || o.width < 1) {
    throw Error(Code::value, "embedding",
                "count and width must be 1 or more, are " + std::to_string(o.count) + " and " +
                    std::to_string(o.width),
                ">= 1", std::to_string(o.count < 1 ? o.count : o.width));
  }
  weight = normal({o.count, o.width}, 1, generator);
}

Tensor Embedding::operator()(const Tensor& indices) const { return embedding(weight, indices); }

void Embedding::visit(Visitor& v) { v.parameter("weight", weight); }

}  // namespace gyre::nn
