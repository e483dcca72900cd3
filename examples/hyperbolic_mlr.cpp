// Embeds the mammals of WordNet in the Poincare disk and tells from a mammal's two coordinates
// which of the twelve largest groups it belongs to: by the hyperbolic classifier (nn::PoincareMLR)
// and by its Euclidean twin, a linear softmax, of the same points. Figures are shares of mammals
// that the classifiers were not trained on. The last column is the twin on an embedding in the
// plane, which is another problem: there the groups are clusters, and what is above what is lost
// (compare the figures of `gyre embed`). Exits with 0 when the hyperbolic classifier beats its
// twin.
//
//   example_hyperbolic_mlr [--seeds N] [--epochs N] [--json FILE]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gyre/base/file.h"
#include "gyre/embed/embedding_trainer.h"
#include "gyre/embed/taxonomy_branches.h"
#include "gyre/embed/wordnet.h"
#include "gyre/gyre.h"
#include "gyre/hyperbolic/nn/poincare_mlr.h"
using namespace gyre;

constexpr int64_t kDim = 2;

struct Mammals {
  Taxonomy taxonomy = wordnet_taxonomy("mammals");
  Branches branches = branches_of(taxonomy, transitive_reduction(taxonomy), 12);
};

/// Coordinates [nodes, 2] of an embedding, f32; `epochs` 0: what suits.
Tensor embedded(const Taxonomy& taxonomy, Geometry geometry, int64_t seed, int64_t epochs) {
  EmbedOptions options;
  options.model = geometry;
  options.epochs = epochs;
  options.seed = seed;
  PointTable points(geometry, taxonomy.nodes(), kDim, static_cast<uint64_t>(seed));
  EmbeddingSchedule schedule = schedule_of(suited(options, taxonomy.nodes()));
  EmbeddingTrainer trainer(taxonomy, schedule, points);
  EmbeddingTrainer::Position position;
  while (position.epoch < schedule.epochs) trainer.run_epoch(position, [] { return false; });
  return to(tensor(points.coordinates(), {taxonomy.nodes(), kDim}), DType::f32);
}

/// The nodes of a part of the mammals that have a branch.
struct Part {
  Tensor nodes, labels;
  Part(const Branches& branches, const std::vector<int64_t>& chosen) {
    std::vector<int64_t> label;
    for (int64_t node : chosen) label.push_back(branches.branch[static_cast<size_t>(node)]);
    const auto count = static_cast<int64_t>(chosen.size());
    nodes = tensor(chosen, {count});
    labels = tensor(label, {count});
  }
};

struct Split {
  Part learnt, kept;
  static Split of(const Branches& branches, int64_t seed) {
    std::vector<int64_t> nodes;
    for (size_t i = 0; i < branches.branch.size(); ++i) {
      if (branches.branch[i] >= 0) nodes.push_back(static_cast<int64_t>(i));
    }
    std::shuffle(nodes.begin(), nodes.end(), std::mt19937(static_cast<unsigned>(seed)));
    const auto cut = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() * 4 / 5);
    return {Part(branches, {nodes.begin(), cut}), Part(branches, {cut, nodes.end()})};
  }
};

/// The share of the kept nodes that a layer, trained on the others, puts into their branch.
double share_right(nn::Layer& layer, const Tensor& points, const Split& split) {
  const ScheduleOptions rates{.lr = 0.1, .steps = 1500};
  Adam optimizer(layer.parameters());
  Tensor learnt = index_select(points, 0, split.learnt.nodes);
  for (int64_t step = 0; step < rates.steps; ++step) {
    cross_entropy(layer(learnt), split.learnt.labels).backward();
    optimizer.set_lr(learning_rate(rates, step));
    optimizer.step();
    optimizer.zero_grad();
  }
  NoGrad off;
  Tensor found = argmax(layer(index_select(points, 0, split.kept.nodes)), 1);
  return mean(to(found == split.kept.labels, DType::f64)).item();
}

/// Columns brought to mean 0 and deviation 1: a linear classifier loses nothing and learns sooner.
Tensor standardized(const Tensor& x) {
  return (x - mean(x, 0)) / sqrt(mean((x - mean(x, 0)) * (x - mean(x, 0)), 0));
}

int main(int argc, char** argv) {
  int64_t seeds = 2, epochs = 100;
  std::string json;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--seeds")) seeds = std::atoll(argv[i + 1]);
    if (!std::strcmp(argv[i], "--epochs")) epochs = std::atoll(argv[i + 1]);
    if (!std::strcmp(argv[i], "--json")) json = argv[i + 1];
  }
  if (!file_exists("/usr/share/wordnet/data.noun")) {
    std::printf("Debian's wordnet-base is not there\n");
    return 77;
  }
  const Mammals mammals;
  const auto classes = static_cast<int64_t>(mammals.branches.heads.size());
  std::printf("branches:");
  for (uint32_t head : mammals.branches.heads) {
    std::printf(" %s", std::string(mammals.taxonomy.names[head]).c_str());
  }
  std::printf("\nseed  hyperbolic  linear  linear in the plane\n");
  Json figures = Json::array();
  double means[3] = {};
  for (int64_t seed = 1; seed <= seeds; ++seed) {
    const Split split = Split::of(mammals.branches, seed);
    Generator draws{static_cast<uint64_t>(seed), 0};
    nn::PoincareMLR curved({.in = kDim, .out = classes}, &draws);
    nn::Linear flat(kDim, classes, &draws), other(kDim, classes, &draws);
    const Tensor disk = embedded(mammals.taxonomy, Geometry::poincare, seed, epochs);
    const Tensor plane = embedded(mammals.taxonomy, Geometry::euclidean, seed, epochs);
    const double shares[] = {share_right(curved, disk, split),
                             share_right(flat, standardized(disk), split),
                             share_right(other, standardized(plane), split)};
    std::printf("%4ld  %10.3f  %6.3f  %6.3f\n", static_cast<long>(seed), shares[0], shares[1],
                shares[2]);
    Json figure = Json::object();
    figure["seed"] = seed;
    figure["hyperbolic"] = shares[0];
    figure["linear"] = shares[1];
    figure["linear_in_plane"] = shares[2];
    figures.push_back(std::move(figure));
    for (int i = 0; i < 3; ++i) means[i] += shares[i] / static_cast<double>(seeds);
  }
  std::printf("mean  %10.3f  %6.3f  %6.3f\n", means[0], means[1], means[2]);
  if (!json.empty()) write_file_atomic(json, figures.dump() + "\n");
  return means[0] > means[1] ? 0 : 1;
}
