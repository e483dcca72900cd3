#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/data/draw.h"
#include "gyre/data/wordnet.h"
#include "gyre/logic/program.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre::bench {
namespace {

logic::NamedTuples drawn(const char* name, uint64_t seed, uint64_t nodes, uint64_t pairs) {
  logic::NamedTuples t{name, 2};
  for (uint64_t e = 0; e < 2 * pairs; ++e) {
    t.symbols.push_back({std::to_string(draw(seed, e) % nodes), true, false, {}});
  }
  return t;
}

logic::NamedTuples tree(const char* name, uint64_t seed, uint64_t nodes) {
  logic::NamedTuples t{name, 2};
  for (uint64_t i = 1; i < nodes; ++i) {
    t.symbols.push_back({std::to_string(draw(seed, i) % i), true, false, {}});
    t.symbols.push_back({std::to_string(i), true, false, {}});
  }
  return t;
}

// Both ends a b / n of two draws below n: few nodes have many edges.
logic::NamedTuples skewed(const char* name, uint64_t seed, uint64_t nodes, uint64_t edges) {
  logic::NamedTuples t{name, 2};
  for (uint64_t e = 0; e < edges; ++e) {
    for (uint64_t end = 0; end < 2; ++end) {
      const uint64_t a = draw(seed, 4 * e + 2 * end) % nodes,
                     b = draw(seed, 4 * e + 2 * end + 1) % nodes;
      t.symbols.push_back({std::to_string(a * b / nodes), true, false, {}});
    }
  }
  return t;
}

logic::NamedTuples nouns(const char* name) {
  const Taxonomy taxonomy = wordnet_nouns();
  logic::NamedTuples t{name, 2};
  for (uint32_t node = 0; node < taxonomy.nodes(); ++node) {
    for (const uint32_t above : taxonomy.above_of(node)) {
      t.symbols.push_back({std::to_string(node), true, false, {}});
      t.symbols.push_back({std::to_string(above), true, false, {}});
    }
  }
  return t;
}

constexpr const char* kClosure =
    "domain N = {}\nrelation E(x: N, y: N)\nT(x, y) <- E(x, y)\nT(x, z) <- T(x, y), E(y, z)\n"
    "Count = T(x, y)\n";
constexpr const char* kSameGeneration =
    "domain N = {}\nrelation E(x: N, y: N)\nT(x, y) <- E(p, x), E(p, y), x != y\n"
    "T(x, y) <- E(a, x), T(a, b), E(b, y)\nCount = T(x, y)\n";
constexpr const char* kJoin =
    "domain N = {}\nrelation E(x: N, y: N)\nT(x, z) <- E(x, y), E(y, z)\nCount = T(x, y)\n";
constexpr const char* kPointsTo =
    "domain N = {}\nrelation Addr(x: N, y: N)\nrelation Assign(x: N, y: N)\nrelation Load(x: N, y: "
    "N)\n"
    "relation Store(x: N, y: N)\nT(y, x) <- Addr(y, x)\nT(y, x) <- Assign(y, z), T(z, x)\n"
    "T(y, w) <- Load(y, x), T(x, z), T(z, w)\nT(z, w) <- Store(y, x), T(y, z), T(x, w)\n"
    "Count = T(x, y)\n";
constexpr const char* kTriangles =
    "domain N = {}\nrelation E(x: N, y: N)\nCount = E(x, y) E(y, z) E(z, x)\n";

// Computes the count from loaded relations; the number of results is checked where it is known.
Ready counted(const char* text, int64_t nodes, const logic::ProgramInputs& inputs, int64_t wanted) {
  const auto program = std::make_shared<logic::Program>(logic::Program::parse(
      fmt::format(fmt::runtime(text), nodes), "bench", op_table(), optimizer_table(), {}, inputs));
  return {[program, wanted] {
    program->forget();
    const auto found = static_cast<int64_t>(program->tensor("Count").item());
    if (wanted != 0 && found != wanted) {
      throw Error(Code::numeric, "bench", {"expected ", wanted, " results, got ", found});
    }
  }};
}

// sizes: nodes, pairs, seed, results
Ready over_drawn_pairs(const char* text, const Work& w) {
  return counted(
      text, w.sizes[0],
      {.relations = {drawn("E", static_cast<uint64_t>(w.sizes[2]),
                           static_cast<uint64_t>(w.sizes[0]), static_cast<uint64_t>(w.sizes[1]))}},
      w.sizes[3]);
}
Ready closure(const Work& w, const Settings&) { return over_drawn_pairs(kClosure, w); }
Ready same_generation(const Work& w, const Settings&) {
  return over_drawn_pairs(kSameGeneration, w);
}
Ready join(const Work& w, const Settings&) { return over_drawn_pairs(kJoin, w); }
Ready tree_closure(const Work& w, const Settings&) {
  return counted(kClosure, w.sizes[0],
                 {.relations = {tree("E", 2, static_cast<uint64_t>(w.sizes[0]))}}, w.sizes[3]);
}
Ready noun_closure(const Work& w, const Settings&) {
  return counted(kClosure, w.sizes[0], {.relations = {nouns("E")}}, w.sizes[3]);
}
Ready points_to(const Work& w, const Settings&) {
  const auto n = static_cast<uint64_t>(w.sizes[0]);
  return counted(kPointsTo, w.sizes[0],
                 {.relations = {drawn("Addr", 4, n, 800), drawn("Assign", 5, n, 1200),
                                drawn("Load", 6, n, 300), drawn("Store", 7, n, 300)}},
                 w.sizes[3]);
}
Ready triangles(const Work& w, const Settings&) {
  return counted(kTriangles, w.sizes[0],
                 {.relations = {skewed("E", 8, static_cast<uint64_t>(w.sizes[0]),
                                       static_cast<uint64_t>(w.sizes[1]))}},
                 w.sizes[3]);
}

constexpr const char* kShortestPaths =
    "domain N = {}\ntensor W[x: N, y: N]\nD[x, y] min= W[x, y]\nD[x, z] min= D[x, y] + W[y, z]\n";

// sizes: nodes, pairs, seed. Lengths of all pairs from the tensor of weights, infinite where there
// is no edge, to the number of finite ones.
Ready shortest_paths(const Work& w, const Settings&) {
  const int64_t n = w.sizes[0];
  const auto nodes = static_cast<uint64_t>(n), seed = static_cast<uint64_t>(w.sizes[2]);
  std::vector<double> weights(static_cast<size_t>(n * n), std::numeric_limits<double>::infinity());
  for (uint64_t e = 0; e < static_cast<uint64_t>(w.sizes[1]); ++e) {
    double& weight = weights[draw(seed, 2 * e) % nodes * nodes + draw(seed, 2 * e + 1) % nodes];
    weight = std::min(weight, static_cast<double>(1 + draw(10, e) % 100));
  }
  const Tensor matrix = tensor(weights, {n, n});
  const auto program = std::make_shared<logic::Program>(
      logic::Program::parse(fmt::format(fmt::runtime(kShortestPaths), n), "bench", op_table(),
                            optimizer_table(), {}, {.tensors = {{"W", matrix}}}));
  return {[program, matrix] {
    program->bind("W", matrix);  // so that the results are computed anew
    sum(isfinite(program->tensor("D"))).item();
  }};
}

constexpr Work work(const char* name, const char* definition,
                    Ready (*prepare)(const Work&, const Settings&), std::array<int64_t, 4> sizes,
                    int repeats = 5) {
  Work w{name, "ms", definition, prepare, sizes};
  w.repeats = repeats;
  w.warm = 1;
  return w;
}

constexpr Work kClosureWorks[] = {
    work("closure_graph", "transitive closure by a program: 10,000 random edges, 1,000 nodes",
         closure, {1000, 10000, 1, 1000000}),
    work("closure_tree", "transitive closure of a random tree, 100,000 nodes", tree_closure,
         {100000, 0, 0, 1235623}),
    work("closure_tree_1m", "transitive closure of a random tree, 1,000,000 nodes", tree_closure,
         {1000000, 0, 0, 14652572}, 3),
    work("closure_nouns", "transitive closure of WordNet's nouns", noun_closure,
         {82115, 0, 0, 743241}),
    work("closure_g5k", "transitive closure of 25,000 random pairs over 5,000", closure,
         {5000, 25000, 3, 24735701}),
    work("closure_g10k", "transitive closure of 100,000 random pairs over 10,000", closure,
         {10000, 100000, 3, 100000000}),
    work("same_generation_5k", "same generation over 25,000 random pairs of 5,000", same_generation,
         {5000, 25000, 3, 24710875}),
    work("join_sparse", "one join of 1,000,000 random pairs over 1,000,000 with itself", join,
         {1000000, 1000000, 3, 1000881}),
    work("points_to", "Andersen's points-to analysis, 2,000 variables", points_to,
         {2000, 0, 0, 230892}),
    work("triangles", "triangles of 1,000,000 edges over 100,000 nodes", triangles,
         {100000, 1000000, 8, 8137}, 3),
    work("shortest_paths", "shortest paths of all pairs of 2,000 nodes with 20,000 weighted edges",
         shortest_paths, {2000, 20000, 9, 0}, 3)};

}  // namespace

std::span<const Work> closure_works() { return kClosureWorks; }

}  // namespace gyre::bench
