// Any bytes as a list of edges are parsed or rejected with an Error; every edge is between two
// nodes, and the transitive closure contains it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/data/edge_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    gyre::EdgeList list = gyre::parse_edges({reinterpret_cast<const char*>(data), size}, "file");
    const gyre::Taxonomy taxonomy = gyre::make_taxonomy(std::move(list.names), list.edges);
    const gyre::Closure closed = gyre::transitive_closure(taxonomy, 1 << 16);
    for (const gyre::TaxonomyEdge& e : list.edges) {
      if (e.below == e.above || e.below >= taxonomy.nodes()) std::abort();
      const auto above = closed.taxonomy.above_of(e.below);
      if (!std::binary_search(above.begin(), above.end(), e.above)) std::abort();
    }
  } catch (const gyre::Error&) {
  }
  return 0;
}
