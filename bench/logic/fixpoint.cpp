#include "gyre/relation/fixpoint.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/data/draw.h"
#include "gyre/data/wordnet.h"

namespace gyre::bench {
namespace {

Term var(uint32_t v) { return {true, v}; }

Literal atom(int relation, std::vector<Term> terms) {
  return {Literal::positive, relation, std::move(terms)};
}

Relation drawn_pairs(uint64_t seed, uint64_t nodes, uint64_t pairs) {
  std::vector<uint32_t> tuples;
  for (uint64_t e = 0; e < 2 * pairs; ++e) {
    tuples.push_back(static_cast<uint32_t>(draw(seed, e) % nodes));
  }
  Relation relation(2);
  relation.insert_all(tuples);
  return relation;
}

// Edges from parents to children.
Relation drawn_tree(uint64_t seed, uint64_t nodes) {
  std::vector<uint32_t> tuples;
  for (uint64_t i = 1; i < nodes; ++i) {
    tuples.push_back(static_cast<uint32_t>(draw(seed, i) % i));
    tuples.push_back(static_cast<uint32_t>(i));
  }
  Relation relation(2);
  relation.insert_all(tuples);
  return relation;
}

// Both ends a b / n of two draws below n: few nodes have many edges.
Relation skewed_pairs(uint64_t seed, uint64_t nodes, uint64_t edges) {
  std::vector<uint32_t> tuples;
  for (uint64_t e = 0; e < 2 * edges; ++e) {
    const uint64_t a = draw(seed, 2 * e) % nodes, b = draw(seed, 2 * e + 1) % nodes;
    tuples.push_back(static_cast<uint32_t>(a * b / nodes));
  }
  Relation relation(2);
  relation.insert_all(tuples);
  return relation;
}

void check_count(const char* work, int64_t found, int64_t wanted) {
  if (wanted != 0 && found != wanted) {
    throw Error(Code::numeric, work, {"expected ", wanted, " tuples, got ", found});
  }
}

// Evaluates rules whose head is relation 0 from loaded relations 1, 2, ... to the number of tuples.
Ready evaluated(const Work& w, std::vector<Relation> loaded, std::vector<HornRule> rules) {
  auto relations = std::make_shared<std::vector<Relation>>(1, Relation(2));
  for (Relation& relation : loaded) relations->push_back(std::move(relation));
  const char* name = w.name;
  const int64_t wanted = w.sizes[3];
  return {[relations, rules = std::move(rules), name, wanted] {
    relations->front() = Relation(2);
    fixpoint(*relations, rules);
    check_count(name, relations->front().size(), wanted);
  }};
}

std::vector<HornRule> closure_rules() {
  return {{atom(0, {var(0), var(1)}), {atom(1, {var(0), var(1)})}, 2},
          {atom(0, {var(0), var(2)}), {atom(0, {var(0), var(1)}), atom(1, {var(1), var(2)})}, 3}};
}

// sizes: nodes, pairs, seed, results
Ready graph(const Work& w, const Settings&) {
  return evaluated(
      w,
      {drawn_pairs(static_cast<uint64_t>(w.sizes[2]), static_cast<uint64_t>(w.sizes[0]),
                   static_cast<uint64_t>(w.sizes[1]))},
      closure_rules());
}

Ready tree(const Work& w, const Settings&) {
  return evaluated(w, {drawn_tree(2, static_cast<uint64_t>(w.sizes[0]))}, closure_rules());
}

Ready nouns(const Work& w, const Settings&) {
  const Taxonomy taxonomy = wordnet_nouns();
  Relation edges(2);
  for (uint32_t node = 0; node < taxonomy.nodes(); ++node) {
    for (uint32_t up : taxonomy.above_of(node)) edges.insert(std::vector<uint32_t>{node, up});
  }
  return evaluated(w, {std::move(edges)}, closure_rules());
}

Ready same_generation(const Work& w, const Settings&) {
  const Term x = var(0), y = var(1), a = var(2), b = var(3);
  return evaluated(
      w, {drawn_pairs(3, static_cast<uint64_t>(w.sizes[0]), static_cast<uint64_t>(w.sizes[1]))},
      {{atom(0, {x, y}), {atom(1, {a, x}), atom(1, {a, y}), {Literal::not_equal, -1, {x, y}}}, 3},
       {atom(0, {x, y}), {atom(1, {a, x}), atom(0, {a, b}), atom(1, {b, y})}, 4}});
}

Ready points_to(const Work& w, const Settings&) {
  enum { pt, addr, assign, load, store };
  const auto n = static_cast<uint64_t>(w.sizes[0]);
  const Term x = var(0), y = var(1), z = var(2), v = var(3);
  return evaluated(
      w,
      {drawn_pairs(4, n, 800), drawn_pairs(5, n, 1200), drawn_pairs(6, n, 300),
       drawn_pairs(7, n, 300)},
      {{atom(pt, {y, x}), {atom(addr, {y, x})}, 2},
       {atom(pt, {y, x}), {atom(assign, {y, z}), atom(pt, {z, x})}, 3},
       {atom(pt, {y, v}), {atom(load, {y, x}), atom(pt, {x, z}), atom(pt, {z, v})}, 4},
       {atom(pt, {z, v}), {atom(store, {y, x}), atom(pt, {y, z}), atom(pt, {x, v})}, 4}});
}

Ready triangles(const Work& w, const Settings&) {
  auto relations = std::make_shared<std::vector<Relation>>();
  relations->push_back(
      skewed_pairs(8, static_cast<uint64_t>(w.sizes[0]), static_cast<uint64_t>(w.sizes[1])));
  const std::vector<Literal> body{atom(0, {var(0), var(1)}), atom(0, {var(1), var(2)}),
                                  atom(0, {var(2), var(0)})};
  const char* name = w.name;
  const int64_t wanted = w.sizes[3];
  return {[relations, body, name, wanted] {
    check_count(name, count_bindings(*relations, body, 3), wanted);
  }};
}

// A chain of joins whose results stay sparse: E . E of a relation over many numbers.
Ready sparse_join(const Work& w, const Settings&) {
  const Term x = var(0), y = var(1), z = var(2);
  return evaluated(
      w, {drawn_pairs(3, static_cast<uint64_t>(w.sizes[0]), static_cast<uint64_t>(w.sizes[1]))},
      {{atom(0, {x, z}), {atom(1, {x, y}), atom(1, {y, z})}, 3}});
}

constexpr Work rules(const char* name, const char* definition,
                     Ready (*prepare)(const Work&, const Settings&), std::array<int64_t, 4> sizes,
                     int repeats = 7) {
  Work w{name, "ms", definition, prepare, sizes};
  w.repeats = repeats;
  w.warm = 1;
  return w;
}

constexpr Work kWorks[] = {
    rules("fixpoint_graph", "transitive closure of 10,000 random pairs over 1,000", graph,
          {1000, 10000, 1, 1000000}),
    rules("fixpoint_tree", "transitive closure of a random tree, 100,000 nodes", tree,
          {100000, 0, 0, 1235623}),
    rules("fixpoint_tree_1m", "transitive closure of a random tree, 1,000,000 nodes", tree,
          {1000000, 0, 0, 14652572}, 3),
    rules("fixpoint_nouns", "transitive closure of WordNet's nouns", nouns, {0, 0, 0, 743241}),
    rules("fixpoint_g5k", "transitive closure of 25,000 random pairs over 5,000", graph,
          {5000, 25000, 3, 24735701}),
    rules("fixpoint_g10k", "transitive closure of 100,000 random pairs over 10,000", graph,
          {10000, 100000, 3, 100000000}),
    rules("fixpoint_same_generation", "same generation over 25,000 random pairs of 5,000",
          same_generation, {5000, 25000, 0, 24710875}),
    rules("fixpoint_points_to", "Andersen's points-to analysis, 2,000 variables", points_to,
          {2000, 0, 0, 230892}),
    rules("fixpoint_triangles", "triangles of 1,000,000 skewed edges over 100,000 nodes", triangles,
          {100000, 1000000, 0, 8137}, 3),
    rules("fixpoint_sparse", "one join of 1,000,000 pairs over 1,000,000 with itself", sparse_join,
          {1000000, 1000000, 0, 1000881}, 5)};

}  // namespace

std::span<const Work> fixpoint_works() { return kWorks; }

}  // namespace gyre::bench
