#include "gyre/relation/fixpoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "gyre/relation/body_search.h"
#include "tests/fewer.h"
#include "tests/naive_fixpoint.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr Term var(uint32_t v) { return {true, v}; }
constexpr Term num(uint32_t c) { return {false, c}; }

Literal atom(int relation, std::vector<Term> terms) {
  return {Literal::positive, relation, std::move(terms)};
}

// T(x,y) <- E(x,y); T(x,z) <- T(x,y), E(y,z), where E is relation 0 and T relation 1.
std::vector<HornRule> paths() {
  return {{atom(1, {var(0), var(1)}), {atom(0, {var(0), var(1)})}, 2},
          {atom(1, {var(0), var(2)}), {atom(1, {var(0), var(1)}), atom(0, {var(1), var(2)})}, 3}};
}

std::vector<Relation> chain(uint32_t edges) {
  std::vector<Relation> relations{Relation(2), Relation(2)};
  for (uint32_t i = 0; i < edges; ++i) relations[0].insert(std::vector<uint32_t>{i, i + 1});
  return relations;
}

void expect_equal(const naive::Program& program, const std::vector<naive::Tuples>& expected,
                  const std::string& what) {
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(naive::tuples_of(program.relations[i]), expected[i]) << what << ", relation " << i;
    ASSERT_EQ(program.relations[i].size(), static_cast<int64_t>(expected[i].size())) << what;
  }
}

constexpr MatrixUse kMatrixUses[] = {MatrixUse::decide, MatrixUse::never, MatrixUse::always};

TEST(Fixpoint, MatchesTheDefinitionOnRandomPrograms) {
  for (uint64_t seed = 0; seed < fewer(400U); ++seed) {
    const naive::Program program(seed, seed % 2 == 0);
    const auto expected = program.expected();
    for (MatrixUse use : kMatrixUses) {
      naive::Program evaluated = program;
      for (const auto& stratum : evaluated.strata) {
        fixpoint(evaluated.relations, stratum, {.matrices = use});
      }
      expect_equal(evaluated, expected, "seed " + std::to_string(seed));
    }
  }
}

TEST(Fixpoint, LayoutsOfTheInputsChangeNothing) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const naive::Program program(seed, seed % 2 == 0);
    const auto expected = program.expected();
    for (RelationLayout layout :
         {RelationLayout::rows, RelationLayout::bits, RelationLayout::sets}) {
      naive::Program evaluated = program;
      for (Relation& relation : evaluated.relations) {
        if (relation.arity() == 2) relation.set_layout(layout);
      }
      for (const auto& stratum : evaluated.strata) {
        fixpoint(evaluated.relations, stratum,
                 {.closures = seed % 3 > 0, .matrices = kMatrixUses[seed % 3]});
      }
      expect_equal(evaluated, expected, "seed " + std::to_string(seed));
    }
  }
}

// Rules of one relation T = 1 over E = 0 and F = 2, which may be a closure.
std::vector<HornRule> random_closure(naive::Draws& draws) {
  std::vector<HornRule> rules;
  const int steps[] = {0, static_cast<int>(2 * draws.below(2))};
  const uint32_t kinds = 1 + draws.below(7);
  auto step = [&](int relation, uint32_t a, uint32_t b) {
    return draws.below(4) ? atom(relation, {var(a), var(b)}) : atom(relation, {var(b), var(a)});
  };
  const Literal head = atom(1, {var(0), var(1)});
  for (int relation : steps) rules.push_back({head, {step(relation, 0, 1)}, 2});
  if (draws.below(3) == 0) rules.push_back({atom(1, {var(0), var(0)}), {step(2, 0, 1)}, 2});
  const Literal from = atom(1, {var(0), var(2)}), to = atom(1, {var(2), var(1)});
  if (kinds & 1) rules.push_back({head, {from, step(steps[1], 2, 1)}, 3});
  if (kinds & 2) rules.push_back({head, {step(steps[0], 0, 2), to}, 3});
  if (kinds & 4) rules.push_back({head, {to, from}, 3});
  if (draws.below(4) == 0) rules.push_back({head, {atom(1, {var(1), var(0)})}, 2});
  for (HornRule& rule : rules) {
    if (draws.below(12) == 0) rule.body.push_back(naive::false_comparison(0, draws));
  }
  return rules;
}

TEST(Fixpoint, ClosuresMatchTheDefinition) {
  int closures = 0;
  for (uint64_t seed = 0; seed < fewer(600U); ++seed) {
    naive::Draws draws(seed);
    std::vector<Relation> relations(3, Relation(2));
    const uint32_t nodes = 2 + draws.below(seed % 20 == 0 ? 24 : 10);
    for (size_t r : {0, 1, 2}) {
      const uint32_t edges = draws.below(r == 1 ? 2 : nodes + 2);
      for (uint32_t e = 0; e < edges; ++e) {
        relations[r].insert(std::vector<uint32_t>{draws.below(nodes), draws.below(nodes)});
      }
    }
    if (seed % 2) relations[1] = Relation(2);
    const std::vector<HornRule> rules = random_closure(draws);
    std::vector<naive::Tuples> expected;
    for (const Relation& relation : relations) expected.push_back(naive::tuples_of(relation));
    naive::fixpoint(expected, rules);
    for (MatrixUse use : kMatrixUses) {
      for (bool closure : {true, false}) {
        std::vector<Relation> evaluated = relations;
        const FixpointReport report =
            fixpoint(evaluated, rules, {.closures = closure, .matrices = use});
        closures += evaluated[1].layout() == RelationLayout::sets;
        ASSERT_EQ(naive::tuples_of(evaluated[1]), expected[1]) << seed;
        ASSERT_EQ(report.derived, evaluated[1].size() - relations[1].size()) << seed;
        for (const auto& tuple : expected[1]) ASSERT_TRUE(evaluated[1].contains(tuple));
        const std::vector<uint32_t> sorted = evaluated[1].sorted();
        evaluated[1].set_layout(RelationLayout::rows);
        ASSERT_EQ(evaluated[1].sorted(), sorted);
      }
    }
  }
  EXPECT_GT(closures, fewer(600));
}

TEST(Fixpoint, RulesThatNeverHoldAddNothingToAClosure) {
  const Literal never{Literal::not_equal, -1, {var(0), var(0)}};
  for (size_t which : {0, 1}) {
    auto relations = chain(3);
    std::vector<HornRule> rules = paths();
    rules[which].body.push_back(never);
    const FixpointReport report = fixpoint(relations, rules);
    EXPECT_EQ(relations[1].size(), which == 0 ? 0 : 3);
    EXPECT_TRUE(contains(report.plans[which], "nothing")) << report.plans[which];
  }
}

// What a base rule adds may be too large for the arrays of a closure.
TEST(Fixpoint, ClosuresOfLargeNumbersAreThoseOfSmallOnes) {
  for (const uint32_t large : {uint32_t{1} << 28, uint32_t{1} << 31, UINT32_MAX}) {
    for (const bool before : {false, true}) {
      std::vector<Relation> relations(3, Relation(2));
      relations[0].insert_all(std::vector<uint32_t>{1, 2, 5, 7});
      relations[2].insert_all(std::vector<uint32_t>{1, large, 0, 1});
      if (before) relations[0].insert_all(std::vector<uint32_t>{7, large});
      const std::vector<HornRule> rules{
          {atom(1, {var(0), var(1)}), {atom(2, {var(0), var(1)})}, 2},
          {atom(1, {var(0), var(2)}), {atom(1, {var(0), var(1)}), atom(0, {var(1), var(2)})}, 3}};
      fixpoint(relations, rules);
      EXPECT_EQ(relations[1].sorted(), (std::vector<uint32_t>{0, 1, 0, 2, 1, large})) << large;
    }
  }
}

TEST(Fixpoint, ContinuedAfterAddedTuplesEqualsAFreshOne) {
  int continued = 0;
  for (uint64_t seed = 0; seed < fewer(400U); ++seed) {
    naive::Program program(seed, seed % 2 == 0);
    naive::Draws draws(seed + 1000);
    std::vector<Relation> added;
    for (int arity : naive::Program::kArities) added.emplace_back(arity);
    naive::Program fresh(seed, seed % 2 == 0);
    for (const auto& stratum : program.strata) {
      fixpoint(program.relations, stratum, {.closures = true, .matrices = kMatrixUses[seed % 3]});
    }
    for (int i = 0; i < 3; ++i) {
      const size_t r = draws.below(5);
      const auto tuple = program.random_tuple(naive::Program::kArities[r], draws);
      if (program.relations[r].contains(tuple)) continue;
      added[r].insert(tuple);
      fresh.relations[r].insert(tuple);
    }
    try {
      for (const auto& stratum : program.strata) {
        continue_fixpoint(program.relations, stratum, added,
                          {.closures = true, .matrices = kMatrixUses[seed % 3]});
      }
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::value) << e.what();  // a negated relation has grown
      continue;
    }
    ++continued;
    const auto expected = fresh.expected();
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(naive::tuples_of(program.relations[i]), expected[i]) << seed << " " << i;
    }
  }
  EXPECT_GE(continued, fewer(200));
}

TEST(Fixpoint, CyclicBodiesMatchTheDefinition) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    naive::Draws draws(seed);
    std::vector<Relation> relations(3, Relation(2));
    relations.emplace_back(3);
    const uint32_t nodes = 2 + draws.below(8);
    for (size_t r = 0; r < 2; ++r) {
      for (uint32_t e = draws.below(30); e > 0; --e) {
        relations[r].insert(std::vector<uint32_t>{draws.below(nodes), draws.below(nodes)});
      }
      constexpr RelationLayout kLayouts[] = {RelationLayout::rows, RelationLayout::bits,
                                             RelationLayout::sets};
      relations[r].set_layout(kLayouts[draws.below(3)]);
    }
    HornRule rule{atom(3, {var(draws.below(3)), var(draws.below(3)), var(1)}), {}, 4};
    const uint32_t length = 3 + draws.below(2);
    auto add = [&](uint32_t a, uint32_t b) {
      const int relation = static_cast<int>(draws.below(2));
      rule.body.push_back(draws.below(2) ? atom(relation, {var(a), var(b)})
                                         : atom(relation, {var(b), var(a)}));
    };
    for (uint32_t i = 0; i < length; ++i) add(i, (i + 1) % length);
    while (draws.below(2)) add(draws.below(2), 2);
    if (draws.below(2)) rule.body.push_back({Literal::less, -1, {var(0), var(2)}});
    if (draws.below(2)) rule.body.push_back({Literal::negative, 0, {var(1), var(0)}});
    std::vector<naive::Tuples> expected;
    for (const Relation& relation : relations) expected.push_back(naive::tuples_of(relation));
    int64_t count = 0;
    naive::for_bindings(rule.body, expected, 0, naive::Binding(4),
                        [&](const naive::Binding&) { ++count; });
    EXPECT_EQ(count_bindings(relations, rule.body, 4), count) << seed;
    naive::fixpoint(expected, {&rule, 1});
    const FixpointReport report = fixpoint(relations, {&rule, 1});
    EXPECT_EQ(naive::tuples_of(relations[3]), expected[3]) << seed;
    EXPECT_TRUE(contains(report.plans[0], "cyclic")) << report.plans[0];
  }
}

// The same tuples by closures, joins and matrices.
TEST(Fixpoint, WaysOfEvaluationAgreeOnLargerRelations) {
  const Term x = var(0), y = var(1), a = var(2), b = var(3);
  const std::vector<HornRule> same_generation{
      {atom(1, {x, y}), {atom(0, {a, x}), atom(0, {a, y}), {Literal::not_equal, -1, {x, y}}}, 3},
      {atom(1, {x, y}), {atom(0, {a, x}), atom(1, {a, b}), atom(0, {b, y})}, 4}};
  const std::vector<HornRule> points_to{
      {atom(1, {x, y}), {atom(0, {x, y})}, 2},
      {atom(1, {x, y}), {atom(0, {x, a}), atom(1, {a, b}), atom(1, {b, y})}, 4},
      {atom(1, {x, y}), {atom(0, {a, b}), atom(1, {a, x}), atom(1, {b, y})}, 4}};
  for (const auto& rules : {paths(), same_generation, points_to}) {
    for (const uint32_t edges : {50U, 90U, 200U}) {
      naive::Draws draws(edges);
      std::vector<Relation> relations(2, Relation(2));
      for (uint32_t e = 0; e < edges; ++e) {
        relations[0].insert(std::vector<uint32_t>{draws.below(70), draws.below(70)});
      }
      std::vector<uint32_t> expected;
      for (MatrixUse use : kMatrixUses) {
        for (bool closures : {true, false}) {
          std::vector<Relation> evaluated = relations;
          fixpoint(evaluated, rules, {.closures = closures, .matrices = use});
          if (expected.empty()) expected = evaluated[1].sorted();
          EXPECT_EQ(evaluated[1].sorted(), expected);
        }
      }
    }
  }
}

// Rules without recursion whose bodies have many bindings.
TEST(Fixpoint, DenseProductsMatchTheirJoins) {
  const Term x = var(0), y = var(1), a = var(2), b = var(3);
  const std::vector<std::vector<HornRule>> programs{
      {{atom(1, {x, y}), {atom(0, {x, a}), atom(0, {a, y})}, 3}},
      {{atom(1, {x, y}), {atom(0, {a, x}), atom(0, {a, y})}, 3},
       {atom(1, {x, y}), {atom(0, {x, y})}, 2}},
      {{atom(1, {x, y}),
        {atom(0, {x, a}), atom(0, {b, a}), atom(0, {b, y}), {Literal::not_equal, -1, {x, y}}},
        4}}};
  for (const auto& rules : programs) {
    naive::Draws draws(7);
    std::vector<Relation> relations(2, Relation(2));
    for (uint32_t e = 0; e < 3000; ++e) {
      relations[0].insert(std::vector<uint32_t>{draws.below(90), draws.below(100)});
    }
    std::vector<Relation> joined = relations, decided = relations;
    fixpoint(joined, rules, {.matrices = MatrixUse::never});
    const FixpointReport report = fixpoint(decided, rules);
    EXPECT_EQ(decided[1].sorted(), joined[1].sorted());
    EXPECT_EQ(report.plans[0], "product of bit matrices");
    EXPECT_EQ(decided[1].layout(), RelationLayout::bits);
  }
}

TEST(Fixpoint, ReportsWhatItDid) {
  auto relations = chain(10);
  const FixpointReport report = fixpoint(relations, paths());
  EXPECT_EQ(report.derived, 55);
  EXPECT_EQ(relations[1].size(), 55);
  EXPECT_GE(report.iterations, 1);
  ASSERT_EQ(report.plans.size(), 2U);
  EXPECT_FALSE(report.plans[0].empty());
  EXPECT_EQ(fixpoint(relations, paths()).derived, 0);
}

TEST(Fixpoint, RelationsWithoutColumnsAreConditions) {
  std::vector<Relation> relations{Relation(0), Relation(1), Relation(0)};
  const std::vector<HornRule> rules{{atom(0, {}), {atom(1, {num(7)})}, 0}, {atom(2, {}), {}, 0}};
  relations[1].insert(std::vector<uint32_t>{6});
  fixpoint(relations, rules);
  EXPECT_EQ(relations[0].size(), 0);
  EXPECT_EQ(relations[2].size(), 1);
  relations[1].insert(std::vector<uint32_t>{7});
  fixpoint(relations, rules);
  EXPECT_EQ(relations[0].size(), 1);
  EXPECT_TRUE(relations[0].contains({}));
}

TEST(Fixpoint, EqualityBindsVariables) {
  std::vector<Relation> relations{Relation(1), Relation(2)};
  relations[0].insert(std::vector<uint32_t>{4});
  const std::vector<HornRule> rules{{atom(1, {var(1), var(2)}),
                                     {{Literal::equal, -1, {var(1), num(9)}},
                                      atom(0, {var(0)}),
                                      {Literal::equal, -1, {var(2), var(0)}}},
                                     3}};
  fixpoint(relations, rules);
  EXPECT_EQ(relations[1].sorted(), (std::vector<uint32_t>{9, 4}));
}

TEST(Fixpoint, RejectsInvalidRules) {
  std::vector<Relation> relations{Relation(2), Relation(2)};
  auto said = [&](const HornRule& rule) {
    return message_of(Code::value, [&] { fixpoint(relations, {&rule, 1}); });
  };
  const Literal head = atom(1, {var(0), var(1)}), edge = atom(0, {var(0), var(1)});
  EXPECT_TRUE(contains(said({head, {atom(0, {var(0), var(0)})}, 2}), "binds variable 1"));
  EXPECT_TRUE(
      contains(said({head, {edge, {Literal::less, -1, {var(0), var(2)}}}, 3}), "binds variable 2"));
  EXPECT_TRUE(contains(said({head, {edge}, 1}), "a variable below 1, got 1"));
  EXPECT_TRUE(contains(said({head, {atom(0, {var(0)})}, 2}), "2 terms"));
  EXPECT_TRUE(contains(said({head, {atom(5, {var(0)})}, 2}), "a relation below 2, got 5"));
  EXPECT_TRUE(contains(said({atom(2, {var(0)}), {edge}, 2}), "a relation below 2"));
  EXPECT_TRUE(contains(said({{Literal::negative, 1, {var(0), var(1)}}, {edge}, 2}), "the head"));
  EXPECT_TRUE(contains(said({head, {edge, {Literal::negative, 1, {var(0), var(1)}}}, 2}),
                       "negated relation"));
}

TEST(Fixpoint, RejectsAddedTuplesThatDoNotFit) {
  auto relations = chain(3);
  std::vector<Relation> few{Relation(2)}, other{Relation(2), Relation(1)};
  EXPECT_EQ(code_of([&] { continue_fixpoint(relations, paths(), few); }), Code::shape);
  EXPECT_EQ(code_of([&] { continue_fixpoint(relations, paths(), other); }), Code::shape);
}

PassedLimit limit_passed(const FixpointOptions& options, uint32_t edges, int* rule = nullptr) {
  auto relations = chain(edges);
  try {
    fixpoint(relations, paths(), options);
  } catch (const LimitError& e) {
    EXPECT_EQ(e.code, Code::resource);
    if (rule) *rule = e.rule;
    return e.limit;
  }
  ADD_FAILURE() << "no limit was passed";
  return PassedLimit::stopped;
}

TEST(FixpointLimits, EachHasItsError) {
  int rule = -2;
  FixpointOptions options;
  options.limits.tuples = 54;
  EXPECT_EQ(limit_passed(options, 10, &rule), PassedLimit::tuples);
  EXPECT_EQ(rule, 1);
  options.limits.tuples = 55;
  auto relations = chain(10);
  EXPECT_EQ(fixpoint(relations, paths(), options).derived, 55);
  options = {};
  options.limits.iterations = 0;
  EXPECT_EQ(limit_passed(options, 10), PassedLimit::iterations);
  options = {};
  options.limits.bytes = 1 << 20;
  EXPECT_EQ(limit_passed(options, 3000), PassedLimit::bytes);
  options = {};
  options.limits.seconds = 0;
  EXPECT_EQ(limit_passed(options, 10), PassedLimit::seconds);
}

// Relations and rules whose evaluation takes long: by a closure, by joins, and by matrices.
struct LongWork {
  const char* name;
  FixpointOptions options;
  bool cyclic;
};

const LongWork kLongWorks[] = {
    {"closure", {}, false},
    {"joins", {.closures = false, .matrices = MatrixUse::never}, false},
    {"matrices", {.closures = false, .matrices = MatrixUse::always}, true}};

// Seconds. 0.15 are usual; sanitizers and busy machines take more, the whole of a work minutes.
constexpr double kPrompt = 20;

std::vector<Relation> long_relations(const LongWork& work) {
  if (!work.cyclic) return chain(60'000);  // 1.8 G pairs
  std::vector<Relation> relations{Relation(2), Relation(2)};
  for (uint64_t e = 0; e < 40'000; ++e) {
    relations[0].insert(std::vector<uint32_t>{static_cast<uint32_t>(draw(1, 2 * e) % 20'000),
                                              static_cast<uint32_t>(draw(1, 2 * e + 1) % 20'000)});
  }
  return relations;
}

TEST(FixpointLimits, SecondsHold) {
  for (const LongWork& work : kLongWorks) {
    FixpointOptions options = work.options;
    options.limits.seconds = 0.05;
    std::vector<Relation> relations = long_relations(work);
    const auto start = std::chrono::steady_clock::now();
    try {
      fixpoint(relations, paths(), options);
      ADD_FAILURE() << work.name << ": no limit was passed";
    } catch (const LimitError& e) {
      EXPECT_EQ(e.limit, PassedLimit::seconds) << work.name;
    }
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    EXPECT_LT(used.count(), kPrompt) << work.name;
  }
}

TEST(FixpointLimits, TheStopFlagEndsEveryKindOfEvaluation) {
  for (const LongWork& work : kLongWorks) {
    std::atomic<bool> stop = false;
    FixpointOptions options = work.options;
    options.stop = &stop;
    std::vector<Relation> relations = long_relations(work);
    std::chrono::steady_clock::time_point set;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      set = std::chrono::steady_clock::now();
      stop = true;
    });
    try {
      fixpoint(relations, paths(), options);
      ADD_FAILURE() << work.name << ": not stopped";
    } catch (const LimitError& e) {
      EXPECT_EQ(e.limit, PassedLimit::stopped) << work.name;
    }
    const auto end = std::chrono::steady_clock::now();
    other.join();
    EXPECT_LT(std::chrono::duration<double>(end - set).count(), kPrompt) << work.name;
  }
}

TEST(FixpointLimits, BytesAndTuplesHoldInEveryKindOfEvaluation) {
  for (const LongWork& work : kLongWorks) {
    FixpointOptions options = work.options;
    options.limits.bytes = int64_t{100} << 20;
    std::vector<Relation> relations = long_relations(work);
    try {
      fixpoint(relations, paths(), options);
      ADD_FAILURE() << work.name << ": no limit was passed";
    } catch (const LimitError& e) {
      EXPECT_EQ(e.limit, PassedLimit::bytes) << work.name;
    }
    int64_t held = 0;
    for (const Relation& relation : relations) held += relation.bytes();
    EXPECT_LT(held, int64_t{110} << 20) << work.name;
    options.limits = {};
    options.limits.tuples = 100'000;
    relations = long_relations(work);
    try {
      fixpoint(relations, paths(), options);
      ADD_FAILURE() << work.name << ": no limit was passed";
    } catch (const LimitError& e) {
      EXPECT_EQ(e.limit, PassedLimit::tuples) << work.name;
    }
    EXPECT_LE(relations[1].size(), 110'000) << work.name;
  }
}

TEST(FixpointLimits, BytesHoldWhereALayoutChanges) {
  // the closure of a cycle is one set; as rows it would take 24 bytes a pair
  auto relations = chain(2000);
  relations[0].insert(std::vector<uint32_t>{2000, 0});
  fixpoint(relations, paths());
  EXPECT_EQ(relations[1].size(), 2001 * 2001);
  EXPECT_LT(relations[1].bytes(), 1 << 20);
  std::vector<Relation> added{Relation(2), Relation(2)};
  added[1].insert(std::vector<uint32_t>{5000, 0});
  FixpointOptions options;
  options.limits.bytes = 10 << 20;
  try {
    continue_fixpoint(relations, paths(), added, options);
    ADD_FAILURE() << "no limit was passed";
  } catch (const LimitError& e) {
    EXPECT_EQ(e.limit, PassedLimit::bytes);
  }
  EXPECT_EQ(relations[1].size(), 2001 * 2001);
}

TEST(Bindings, AreThoseOfTheBody) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const naive::Program program(seed);
    std::vector<naive::Tuples> sets;
    for (const Relation& relation : program.relations) {
      sets.push_back(naive::tuples_of(relation));
    }
    for (const HornRule& rule : program.strata[0]) {
      std::vector<uint32_t> wanted;
      for (const Term& term : rule.head.terms) {
        if (term.variable) wanted.push_back(term.value);
      }
      std::set<std::vector<uint32_t>> found;
      bool any = false;
      naive::for_bindings(rule.body, sets, 0, naive::Binding(4), [&](const naive::Binding& b) {
        std::vector<uint32_t> tuple;
        for (uint32_t v : wanted) tuple.push_back(*b[v]);
        found.insert(tuple);
        any = true;
      });
      std::vector<uint32_t> expected;
      for (const auto& t : found) expected.insert(expected.end(), t.begin(), t.end());
      EXPECT_EQ(bindings(program.relations, rule.body, 4, wanted), expected) << seed;
      EXPECT_EQ(holds(program.relations, rule.body, 4), any) << seed;
      std::set<naive::Binding> all;
      naive::for_bindings(rule.body, sets, 0, naive::Binding(4),
                          [&](const naive::Binding& b) { all.insert(b); });
      EXPECT_EQ(count_bindings(program.relations, rule.body, 4), static_cast<int64_t>(all.size()));
    }
  }
}

TEST(BodySearch, FindsTheBindingsOfRelationsThatGrow) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    naive::Program program(seed, seed % 2 == 0);
    naive::Draws draws(seed);
    BodySearch search(program.relations, {});
    for (int round = 0; round < 3; ++round) {
      for (const HornRule& rule : program.strata[0]) {
        std::vector<uint32_t> wanted;
        for (const Term& term : rule.head.terms) {
          if (term.variable) wanted.push_back(term.value);
        }
        const auto expected = bindings(program.relations, rule.body, rule.variables, wanted);
        EXPECT_EQ(search.bindings(rule.body, rule.variables, wanted), expected) << seed;
        EXPECT_EQ(search.holds(rule.body, rule.variables),
                  holds(program.relations, rule.body, rule.variables));
        // each row of a literal by itself
        const size_t last = draws.below(static_cast<uint32_t>(rule.body.size()));
        if (rule.body[last].kind != Literal::positive || wanted.empty()) continue;
        const Relation& of = program.relations[static_cast<size_t>(rule.body[last].relation)];
        Relation found(static_cast<int>(wanted.size()));
        std::vector<Term> out;
        for (const uint32_t variable : wanted) out.push_back({true, variable});
        for (int64_t row = 0; row < of.size(); ++row) {
          search.for_bindings(rule.body, rule.variables, out, {last, row, row + 1},
                              [&](const uint32_t* tuples, int64_t count) {
                                const auto numbers = static_cast<size_t>(count) * wanted.size();
                                found.insert_all({tuples, numbers});
                                return true;
                              });
        }
        EXPECT_EQ(found.sorted(), expected) << seed;
      }
      for (size_t r = 0; r < program.relations.size(); ++r)
        program.relations[r].insert(program.random_tuple(naive::Program::kArities[r], draws));
    }
  }
}

// So many results that their table grows by what the rest of the scan is expected to find.
TEST(Fixpoint, AJoinOfManyNumbersIsThatOfAMap) {
  naive::Draws draws(7);
  std::vector<Relation> relations(2, Relation(2));
  std::multimap<uint32_t, uint32_t> edges;
  for (int i = 0; i < 40000; ++i) {
    const uint32_t x = draws.below(20000), y = draws.below(20000);
    if (relations[0].insert(std::vector<uint32_t>{x, y})) edges.emplace(x, y);
  }
  std::set<std::pair<uint32_t, uint32_t>> expected;
  for (const auto& [x, y] : edges) {
    const auto [begin, end] = edges.equal_range(y);
    for (auto z = begin; z != end; ++z) expected.emplace(x, z->second);
  }
  fixpoint(relations, std::vector<HornRule>{{atom(1, {var(0), var(2)}),
                                             {atom(0, {var(0), var(1)}), atom(0, {var(1), var(2)})},
                                             3}});
  std::vector<uint32_t> tuples;
  for (const auto& [x, z] : expected) tuples.insert(tuples.end(), {x, z});
  EXPECT_EQ(relations[1].sorted(), tuples);
}

}  // namespace
}  // namespace gyre
