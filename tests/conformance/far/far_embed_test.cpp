#include <gtest/gtest.h>
#include <unistd.h>

#include "gyre/base/system/file.h"
#include "gyre/embed/embed.h"
#include "gyre/embed/training/embedding_trainer.h"
#include "gyre/ops/create/create.h"
#include "tests/conformance/far/far.h"
#include "tests/recorded.h"

// Embeddings trained on the test device: the files that the CPU gives, and nothing read back within
// an epoch.

namespace gyre::conformance {
namespace {

struct QuietEmbedding : Recorded<EmbedSink> {
  void advanced(const EmbedProgress&) override {}
  void evaluated(int64_t, const Reconstruction&, bool) override {}
};

// A tree, each of whose nodes has three children.
constexpr uint32_t kNodes = 60;
std::string edges() {
  std::string text;
  for (uint32_t i = 1; i < kNodes; ++i)
    text += "n" + std::to_string(i) + "\tn" + std::to_string((i - 1) / 3) + "\n";
  return text;
}

class FarEmbedding : public testing::TestWithParam<Geometry> {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "gyre_far_embedding_" + std::to_string(getpid());
    remove_tree(root_);
    create_directories(root_);
    write_file_atomic(root_ + "/edges.tsv", edges());
  }
  void TearDown() override {
    set_default_device({});
    remove_tree(root_);
  }
  [[nodiscard]] EmbedOptions options() const {
    EmbedOptions o;
    o.data = root_ + "/edges.tsv";
    o.closure = true;
    o.model = GetParam();
    o.epochs = 12;
    o.burn_in = 2;
    o.negatives = 9;
    o.batch_size = 8;
    o.lr = 0.1;
    o.dim = 3;
    o.evaluation.every = 2;
    o.evaluation.patience = 100;
    o.checkpoints.every = 4;
    return o;
  }
  // The files of a run that stops after 5 epochs and is resumed.
  [[nodiscard]] std::vector<std::string> files_of(const char* name, Device device) const {
    set_default_device(device);
    QuietEmbedding quiet;
    EmbedOptions o = options();
    o.run.out = root_ + "/" + name;
    o.checkpoints.stop_at = 5;
    embed(o, {}, quiet);
    o.checkpoints.stop_at = 0;
    o.checkpoints.resume = true;
    embed(o, {}, quiet);
    std::vector<std::string> found;
    for (const char* file :
         {"embedding.safetensors", "embedding.tsv", "checkpoint.safetensors", "disk.svg"})
      found.push_back(read_file(o.run.out + "/" + file));
    return found;
  }

  std::string root_;
};

TEST_P(FarEmbedding, GivesTheFilesOfTheCpu) {
  const std::vector<std::string> near = files_of("near", {});
  FarDevice device;
  const FarCounts before = far_counts();
  EXPECT_TRUE(files_of("far", FarDevice::kDevice) == near);
  EXPECT_GT(far_counts().runs, before.runs + 100);
  EXPECT_EQ(far_counts().live, before.live);
}

TEST_P(FarEmbedding, ReadsTheLossOnceAnEpoch) {
  NameTable names;
  std::vector<TaxonomyEdge> above;
  for (uint32_t i = 0; i < kNodes; ++i) {
    names.add("n" + std::to_string(i));
    if (i > 0) above.push_back({i, (i - 1) / 3});
  }
  const Taxonomy taxonomy = make_taxonomy(std::move(names), above);
  const EmbedOptions o = options();
  auto trained = [&](Device where) {
    set_default_device(where);
    PointTable points(GetParam(), kNodes, o.dim, 1);
    EmbeddingTrainer trainer(taxonomy, o, points);
    EmbeddingTrainer::Position at;
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      const FarCounts before = far_counts();
      EXPECT_TRUE(trainer.run_epoch(epoch, at, [] { return false; }));
      EXPECT_EQ(far_counts().downloads - before.downloads, where.kind == Device::cpu ? 0 : 1);
    }
    std::vector<double> found = to_vector<double>(points.coordinates());
    found.push_back(at.loss);
    return found;
  };
  const std::vector<double> near = trained({});
  FarDevice device;
  EXPECT_EQ(trained(FarDevice::kDevice), near);
}

INSTANTIATE_TEST_SUITE_P(Geometries, FarEmbedding,
                         testing::Values(Geometry::poincare, Geometry::lorentz,
                                         Geometry::euclidean),
                         [](const auto& info) {
                           return std::string(kGeometryNames[static_cast<size_t>(info.param)]);
                         });

}  // namespace
}  // namespace gyre::conformance
