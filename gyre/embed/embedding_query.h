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

/// Asks the embedding in a folder for a node by its name, or by its lemma: `dog` is dog.n.01 where
/// no node is called so. Errors: those of EmbeddingFolder; value, a name that never occurs, with
/// one that is like it.
EmbeddingAnswer query_embedding(const EmbeddingFolder& folder, std::string_view word,
                                int64_t neighbours);

}  // namespace gyre
