// Embeds the mammals of WordNet in the Poincare disk and tells from a mammal's two coordinates
// which of the twelve largest groups it belongs to, by four classifiers (Ganea et al. 2018, section
// 4, have the first three):
//   hyperbolic  nn::PoincareMLR of the points of the disk
//   linear      its Euclidean twin: a linear softmax of the same points
//   tangent     a linear softmax of their images under log0
//   plane       a linear softmax of an embedding in the Euclidean plane: another problem, for there
//               the groups are clusters, and what is above what is lost (compare the figures of
//               `gyre embed`)
// Every mammal is judged by classifiers that were trained on the other four fifths. Printed are the
// share of mammals put into their group and the mean over the groups of F1. Exits with 0 when the
// hyperbolic classifier beats its twin in F1 at every seed, and in the mean share.
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

constexpr int64_t kDim = 2, kGroups = 12, kFolds = 5;

struct Mammals {
  Taxonomy taxonomy = wordnet_taxonomy("mammals");
  Branches branches = branches_of(taxonomy, transitive_reduction(taxonomy), kGroups);
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

/// The mammals that have a group, shuffled.
struct Grouped {
  std::vector<int64_t> nodes, groups;

  Grouped(const Branches& branches, int64_t seed) {
    for (size_t i = 0; i < branches.branch.size(); ++i) {
      if (branches.branch[i] >= 0) nodes.push_back(static_cast<int64_t>(i));
    }
    std::shuffle(nodes.begin(), nodes.end(), std::mt19937(static_cast<unsigned>(seed)));
    for (int64_t node : nodes) groups.push_back(branches.branch[static_cast<size_t>(node)]);
  }
};

/// Columns brought to mean 0 and deviation 1: a linear classifier loses nothing and learns sooner.
Tensor standardized(const Tensor& x) {
  return (x - mean(x, 0)) / sqrt(mean((x - mean(x, 0)) * (x - mean(x, 0)), 0));
}

/// Points drawn along their radii to a mean square distance of 6^2 from the origin. The leaves of
/// a good embedding are 12 and more away: there a plane's score is its distance but for a band of
/// e^-12, and does not tell a gradient where the plane should go.
Tensor drawn_nearer(const Tensor& x) {
  Tensor far = poincare_dist0(x, 1.0);
  return poincare_scalar(6.0 / sqrt(mean(far * far)), x, 1.0);
}

void train(nn::Layer& layer, const Tensor& points, const Tensor& groups, double lr) {
  const ScheduleOptions rates{.lr = lr, .steps = 1500};
  Adam optimizer(layer.parameters());
  for (int64_t step = 0; step < rates.steps; ++step) {
    cross_entropy(layer(points), groups).backward();
    optimizer.set_lr(learning_rate(rates, step));
    optimizer.step();
    optimizer.zero_grad();
  }
}

/// Right answers over all, and the mean over groups of 2 right / (answered + there).
struct Score {
  double share = 0, f1 = 0;
};

/// The score of layers of a kind, each trained on four fifths of the points and asked of the rest.
template <class Layer>
Score score_of(const Tensor& coordinates, double lr, const Grouped& mammals, int64_t seed) {
  const auto count = static_cast<int64_t>(mammals.nodes.size());
  const Tensor points = index_select(coordinates, 0, tensor(mammals.nodes, {count}));
  const Tensor groups = tensor(mammals.groups, {count});
  std::vector<double> right(kGroups), answered(kGroups), there(kGroups);
  for (int64_t fold = 0; fold < kFolds; ++fold) {
    std::vector<int64_t> learnt, kept;
    for (int64_t i = 0; i < count; ++i) (i % kFolds == fold ? kept : learnt).push_back(i);
    const Tensor train_on = tensor(learnt, {static_cast<int64_t>(learnt.size())});
    const Tensor ask = tensor(kept, {static_cast<int64_t>(kept.size())});
    Generator draws{static_cast<uint64_t>(seed), static_cast<uint64_t>(fold)};
    Layer layer({.in = kDim, .out = kGroups}, &draws);
    train(layer, index_select(points, 0, train_on), index_select(groups, 0, train_on), lr);
    NoGrad off;
    const Tensor found = argmax(layer(index_select(points, 0, ask)), 1);
    for (size_t i = 0; i < kept.size(); ++i) {
      const auto is = static_cast<size_t>(mammals.groups[static_cast<size_t>(kept[i])]);
      const auto said = static_cast<size_t>(found.data<int64_t>()[i]);
      right[is] += is == said;
      ++answered[said];
      ++there[is];
    }
  }
  Score score;
  for (size_t g = 0; g < kGroups; ++g) {
    score.share += right[g] / static_cast<double>(count);
    score.f1 += 2 * right[g] / (answered[g] + there[g]) / kGroups;
  }
  return score;
}

struct Column {
  const char* name;
  Score score = {}, total = {};
};

int main(int argc, char** argv) {
  int64_t seeds = 2, epochs = 0;
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
  std::printf("groups:");
  for (uint32_t head : mammals.branches.heads) {
    std::printf(" %s", std::string(mammals.taxonomy.names[head]).c_str());
  }
  Column columns[] = {{"hyperbolic"}, {"linear"}, {"tangent"}, {"plane"}};
  Column &hyperbolic = columns[0], &linear = columns[1], &tangent = columns[2], &plane = columns[3];
  std::printf("\nshare right / mean F1\nseed");
  for (const Column& column : columns) std::printf("  %13s", column.name);
  std::printf("\n");
  Json figures = Json::array();
  bool beaten = true;
  for (int64_t seed = 1; seed <= seeds; ++seed) {
    const Grouped grouped(mammals.branches, seed);
    const Tensor disk = embedded(mammals.taxonomy, Geometry::poincare, seed, epochs);
    const Tensor flat = embedded(mammals.taxonomy, Geometry::euclidean, seed, epochs);
    const Tensor logs = poincare_log0(disk, 1.0);
    hyperbolic.score = score_of<nn::PoincareMLR>(drawn_nearer(disk), 0.05, grouped, seed);
    // the problem of these is convex, but long: steps as large as these get the twin farthest
    linear.score = score_of<nn::Linear>(standardized(disk), 20, grouped, seed);
    tangent.score = score_of<nn::Linear>(standardized(logs), 20, grouped, seed);
    plane.score = score_of<nn::Linear>(standardized(flat), 20, grouped, seed);
    beaten = beaten && hyperbolic.score.f1 > linear.score.f1;

    Json figure = Json::object();
    figure["seed"] = seed;
    std::printf("%4ld", static_cast<long>(seed));
    for (Column& column : columns) {
      figure[column.name]["share"] = column.score.share;
      figure[column.name]["f1"] = column.score.f1;
      column.total.share += column.score.share;
      column.total.f1 += column.score.f1;
      std::printf("  %.3f / %.3f", column.score.share, column.score.f1);
    }
    std::printf("\n");
    std::fflush(stdout);
    figures.push_back(std::move(figure));
  }
  std::printf("mean");
  for (const Column& column : columns) {
    std::printf("  %.3f / %.3f", column.total.share / static_cast<double>(seeds),
                column.total.f1 / static_cast<double>(seeds));
  }
  std::printf("\n");
  if (!json.empty()) write_file_atomic(json, figures.dump() + "\n");
  return beaten && hyperbolic.total.share > linear.total.share ? 0 : 1;
}
