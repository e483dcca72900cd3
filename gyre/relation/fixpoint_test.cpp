#include "gyre/relation/fixpoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

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

TEST(Fixpoint, MatchesTheDefinitionOnRandomPrograms) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    naive::Program program(seed, seed % 4 == 0);
    const auto expected = program.expected();
    for (const auto& stratum : program.strata) fixpoint(program.relations, stratum);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(naive::tuples_of(program.relations[i]), expected[i]) << seed << " " << i;
    }
  }
}

TEST(Fixpoint, ContinuedAfterAddedTuplesEqualsAFreshOne) {
  int continued = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    naive::Program program(seed, seed % 2 == 0);
    naive::Draws draws(seed + 1000);
    std::vector<Relation> added;
    for (int arity : naive::Program::kArities) added.emplace_back(arity);
    naive::Program fresh(seed, seed % 2 == 0);
    for (const auto& stratum : program.strata) fixpoint(program.relations, stratum);
    for (int i = 0; i < 3; ++i) {
      const size_t r = draws.below(5);
      const auto tuple = program.random_tuple(naive::Program::kArities[r], draws);
      if (program.relations[r].contains(tuple)) continue;
      added[r].insert(tuple);
      fresh.relations[r].insert(tuple);
    }
    try {
      for (const auto& stratum : program.strata) {
        continue_fixpoint(program.relations, stratum, added);
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
  EXPECT_GE(continued, 200);
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
    }
  }
}

}  // namespace
}  // namespace gyre
