#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/embed/embedding_folder.h"

namespace gyre {

/// A node and its distance from the query.
struct Neighbour {
  std::string name;
  double distance = 0;
};

/// Result of a query.
struct EmbeddingAnswer {
  std::string name;
  std::vector<Neighbour> neighbours;  ///< nearest first
  std::vector<Neighbour> ancestors;   ///< most specific (fewest descendants) first
};

/// An embedding loaded from a folder, for queries. A word is the name of a node, or its lemma:
/// `dog` means dog.n.01 unless a node has that name.
class Embedding {
 public:
  /// Errors: those of EmbeddingFolder; value, if its files do not belong together.
  explicit Embedding(const EmbeddingFolder& folder);

  [[nodiscard]] const Taxonomy& taxonomy() const { return taxonomy_; }
  /// Points in the order of the taxonomy's names.
  [[nodiscard]] const PointTable& points() const { return points_; }
  /// The node of a word. Error{value} for an unknown word, with a suggestion.
  [[nodiscard]] uint32_t node(std::string_view word) const;
  /// Errors: those of node.
  [[nodiscard]] double distance(std::string_view a, std::string_view b) const;
  /// The nearest nodes and the ancestors. Errors: those of node; value, for a negative number.
  [[nodiscard]] EmbeddingAnswer query(std::string_view word, int64_t neighbours) const;

 private:
  std::string path_;
  Taxonomy taxonomy_;
  PointTable points_;
  PointRows rows_;  // of the points
};

}  // namespace gyre
