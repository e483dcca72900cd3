#include "gyre/hyperbolic/nn/poincare_embedding.h"

#include <cmath>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/nn/init.h"
#include "gyre/op/samples.h"
#include "gyre/ops/index/index.h"

namespace gyre::nn {

static constexpr Arg kIndices[] = {{.name = "indices", .differentiable = false}};

PoincareEmbedding::PoincareEmbedding(const PoincareEmbeddingOptions& o, Generator* generator)
    : CurvedLayer("PoincareEmbedding", o.c, o.learn_c) {
  check_record("PoincareEmbedding", o);
  weight = uniform({o.count, o.width}, o.radius / std::sqrt(o.c), generator);
}

Tensor PoincareEmbedding::run(const Tensor& indices, const Tensor& c) const {
  return poincare_project(poincare_exp0(embedding(weight, indices), c), c);
}

void PoincareEmbedding::visit(Visitor& v) {
  v.parameter("weight", weight);
  CurvedLayer::visit(v);
}

constinit const LayerDef poincare_embedding_layer =
    define_layer<PoincareEmbedding, PoincareEmbeddingOptions>(
        "PoincareEmbedding", "embedding table of points of the Poincaré ball",
        [](LayerSamples& s) {
          using Options = PoincareEmbeddingOptions;
          Samples draw;
          s.add(Options{.count = 5, .width = 3}, {draw.integers({2, 4}, 0, 5)});
          s.add(Options{.count = 2, .width = 2, .radius = 0.5, .c = 0.7, .learn_c = true},
                {draw.integers({3}, 0, 2)});
          s.refuse(Code::value, Options{.count = 0, .width = 3});
          s.refuse(Code::value, Options{.count = 3, .width = 0});
          s.refuse(Code::value, Options{.count = 3, .width = 3, .radius = 0});
          s.refuse(Code::value, Options{.count = 3, .width = 3, .c = -1});
        },
        kIndices);

}  // namespace gyre::nn
