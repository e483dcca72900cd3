#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/embed/embedding_folder.h"

namespace gyre {

/// A node and how far it is from the one that was asked for.
struct Neighbour {
  std::string name;
  double distance = 0;
};

/// What an embedding says of a node.
struct EmbeddingAnswer {
  std::string name;
  std::vector<Neighbour> neighbours;  ///< the nearest first
  std::vector<Neighbour> ancestors;   ///< the nodes above it, that which is above fewest first
};

/// An embedding that lies in a folder, read once: nodes, their points, and answers. A word is the
/// name of a node, or its lemma: `dog` is dog.n.01 where no node is called so.
class Embedding {
 public:
  /// Errors: those of EmbeddingFolder; value, when its files are not of one embedding.
  explicit Embedding(const EmbeddingFolder& folder);

  [[nodiscard]] const Taxonomy& taxonomy() const { return taxonomy_; }
  /// In the order of the taxonomy's names.
  [[nodiscard]] const PointTable& points() const { return points_; }
  /// The node of a word. Error{value} for one that never occurs, with one that is like it.
  [[nodiscard]] uint32_t node(std::string_view word) const;
  /// Errors: those of node.
  [[nodiscard]] double distance(std::string_view a, std::string_view b) const;
  /// The nearest nodes, and those above. Errors: those of node; value, for a negative number.
  [[nodiscard]] EmbeddingAnswer query(std::string_view word, int64_t neighbours) const;

 private:
  std::string path_;
  Taxonomy taxonomy_;
  PointTable points_;
};

}  // namespace gyre
