#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gyre/embed/reconstruction.h"
#include "gyre/embed/training/embedding_trainer.h"
#include "gyre/embed/training/point_table.h"
#include "gyre/io/json.h"
#include "gyre/relation/taxonomy.h"
#include "gyre/train/loop.h"

namespace gyre {

/// State of an embedding run, apart from its points. Steps of the loop are epochs.
struct EmbeddingState : LoopState {
  EmbeddingTrainer::Position position{};  ///< in the next epoch
  double loss = Reconstruction::kNone;    ///< of the last completed epoch
  Reconstruction figures{};               ///< of the last evaluation
  int64_t evaluated = -1;                 ///< epoch of that evaluation
  Reconstruction best{};                  ///< of the evaluation with the lowest mean rank
  Json options{};                         ///< options of the run
};

/// The folder of an embedding: taxonomy.safetensors, written once; checkpoint.safetensors, replaced
/// atomically; embedding.safetensors and embedding.tsv. All but the last have checksums. Errors of
/// all functions: io; parse and value, naming a file that is missing or damaged.
class EmbeddingFolder {
 public:
  explicit EmbeddingFolder(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool holds_training() const;

  void write_taxonomy(const Taxonomy& taxonomy) const;
  [[nodiscard]] Taxonomy read_taxonomy() const;

  struct Checkpoint {
    EmbeddingState state;
    PointTable points;
    std::optional<PointTable> best;  ///< the points of the best epoch if they are kept
  };
  void write_checkpoint(const Checkpoint& checkpoint) const;
  [[nodiscard]] Checkpoint read_checkpoint() const;

  /// embedding.safetensors: `embedding`, f64 [nodes, dim] in the geometry's own coordinates, with
  /// the geometry's name as metadata; embedding.tsv: `name<TAB>x1<TAB>x2...`, one line per node,
  /// with digits that round-trip exactly.
  void write_embedding(const Taxonomy& taxonomy, const PointTable& points) const;
  [[nodiscard]] PointTable read_embedding() const;

 private:
  std::string path_;
};

}  // namespace gyre
