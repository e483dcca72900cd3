#include <memory>

#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/data/wordnet.h"
#include "gyre/embed/reconstruction.h"
#include "gyre/embed/training/embedding_trainer.h"

namespace gyre::bench {
namespace {

constexpr double kMeanRank = 1.2;
constexpr int64_t kEvery = 50;  // epochs between evaluations, the default of `gyre embed`

// Trains until the mean rank reaches kMeanRank.
void embed_until_ranked(const Taxonomy& taxonomy, int64_t dim) {
  EmbedOptions options;
  options.dim = dim;
  options = suited(options, taxonomy.nodes());
  PointTable points(options.model, taxonomy.nodes(), dim, static_cast<uint64_t>(options.run.seed));
  EmbeddingTrainer trainer(taxonomy, options, points);
  EmbeddingTrainer::Position position;
  for (int64_t epoch = 0; epoch < options.epochs;) {
    trainer.run_epoch(epoch, position, [] { return false; });
    if (++epoch % kEvery == 0 && reconstruct(taxonomy, points).mean_rank <= kMeanRank) {
      return;
    }
  }
  throw Error(Code::numeric, "bench",
              "expected a mean rank of at most 1.2, but the embedding did not reach it");
}

Ready prepare(const Work& work, const Settings&) {
  auto taxonomy = std::make_shared<const Taxonomy>(wordnet_taxonomy("mammals"));
  const int64_t dim = work.sizes[0];
  return {[taxonomy, dim] { embed_until_ranked(*taxonomy, dim); }};
}

constexpr Work mammals_work() {
  Work w{"embed_mammals_5",
         "s",
         "WordNet's mammals in the 5-dimensional Poincaré ball, to a mean rank of 1.20",
         prepare,
         {5}};
  w.repeats = 3;
  w.warm = 0;
  return w;
}

constexpr Work kEmbedWorks[] = {mammals_work()};

}  // namespace

std::span<const Work> embed_works() { return kEmbedWorks; }

}  // namespace gyre::bench
