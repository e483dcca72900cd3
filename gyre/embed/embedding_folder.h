#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gyre/embed/reconstruction.h"
#include "gyre/embed/training/embedding_trainer.h"
#include "gyre/embed/training/point_table.h"
#include "gyre/io/json.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Where an embedding stands, apart from its points.
struct EmbeddingState {
  EmbeddingTrainer::Position position{};
  std::optional<double> loss{};             ///< of the last epoch that is done
  std::optional<Reconstruction> figures{};  ///< of the last evaluation
  int64_t evaluated = -1;                   ///< the epoch of that evaluation
  int64_t best_epoch = 0;                   ///< of the lowest mean rank; 0: none
  Reconstruction best{};                    ///< of that evaluation
  int64_t worse = 0;                        ///< evaluations since the best
  Json options{};                           ///< what the training was told
};

/// The folder of an embedding: taxonomy.safetensors, written once; checkpoint.safetensors, replaced
/// as a whole; embedding.safetensors and embedding.tsv. Every file but the last can be told from a
/// damaged one. Errors of all: io; parse and value, naming a file that is missing or damaged.
class EmbeddingFolder {
 public:
  explicit EmbeddingFolder(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool holds_training() const;

  void write_taxonomy(const Taxonomy& taxonomy) const;
  [[nodiscard]] Taxonomy read_taxonomy() const;

  /// `best` are the points of the best epoch where they are to be kept, or null.
  void write_checkpoint(const EmbeddingState& state, const PointTable& points,
                        const PointTable* best) const;
  struct Checkpoint {
    EmbeddingState state;
    PointTable points;
    std::optional<PointTable> best;
  };
  [[nodiscard]] Checkpoint read_checkpoint() const;

  /// embedding.safetensors: `embedding`, f64 [nodes, dim] in the geometry's own coordinates, and
  /// the geometry's name as metadata; embedding.tsv: `name<TAB>x1<TAB>x2...`, a line a node, with
  /// the digits that give back the same numbers.
  void write_embedding(const Taxonomy& taxonomy, const PointTable& points) const;
  [[nodiscard]] PointTable read_embedding() const;

 private:
  std::string path_;
};

}  // namespace gyre
