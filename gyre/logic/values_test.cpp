#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "gyre/logic/program.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"
#include "tests/naive_fixpoint.h"

// Order and arithmetic of the elements of domains, against their definition over integers.

namespace gyre::logic {
namespace {

using Tuple = std::vector<int64_t>;
using Tuples = std::set<Tuple>;
using Facts = std::map<std::string, Tuples>;

Program program(const std::string& text, const ProgramInputs& inputs = {},
                const ProgramOptions& options = {}) {
  return Program::parse(text, "test.tl", op_table(), optimizer_table(), options, inputs);
}

std::string code_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const ProgramError& e) {
    return name_of(e.diagnostics()[0].diagnostic.code);
  }
  return "";
}

Tuples tuples_of(const Answer& answer) {
  Tuples found;
  for (const auto& row : answer.rows) {
    Tuple tuple;
    for (const Symbol& s : row) tuple.push_back(std::stoll(s.text));
    found.insert(tuple);
  }
  return found;
}

NamedTuples named(const std::string& name, size_t arity, const Tuples& tuples) {
  NamedTuples all{name, arity};
  for (const Tuple& tuple : tuples) {
    for (const int64_t v : tuple) all.symbols.push_back({std::to_string(v), true, false, {}});
  }
  return all;
}

bool holds(const std::string& op, int64_t a, int64_t b) {
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  return op == "==" ? a == b : a != b;
}

// Rules over P(x) and E(x, y) that compare and compute, and what they derive.
struct Case {
  std::string op, constant_op, sum_op;
  int64_t scale, constant, offset;  // far apart, integers are symbols; otherwise numbered

  Case(naive::Draws& draws, int64_t scale) : scale(scale) {
    constexpr const char* kOps[] = {"<", "<=", ">", ">=", "==", "!="};
    op = kOps[draws.below(6)];
    constant_op = kOps[draws.below(4)];  // a constant that is compared for equality is an element
    sum_op = kOps[draws.below(4)];
    constant = scale * draws.below(20);
    offset = scale * (1 + draws.below(4));
  }

  [[nodiscard]] std::string rules() const {
    const std::string c = std::to_string(constant), o = std::to_string(offset);
    return "Pair(x, y) <- P(x), P(y), x " + op + " y\n" +              //
           "Some(x) <- P(x), x " + constant_op + " " + c + "\n" +      //
           "Turned(x) <- P(x), " + c + " " + constant_op + " x\n" +    //
           "Next(x) <- P(x), P(x + " + o + ")\n" +                     //
           "Shift(x, y + " + o + ") <- E(x, y)\n" +                    //
           "Sum(x, y) <- P(x), P(y), P(x + y)\n" +                     //
           "Far(x, y) <- E(x, y), x + " + o + " " + sum_op + " y\n" +  //
           "Up(x, y) <- E(x, y), x " + op + " y\n" +                   //
           "Up(x, z) <- Up(x, y), E(y, z), y " + op + " z\n";
  }

  [[nodiscard]] Facts derived(const Facts& facts) const {
    const Tuples &p = facts.at("P"), &e = facts.at("E");
    std::set<int64_t> elements;
    for (const auto& [name, tuples] : facts) {
      for (const Tuple& t : tuples) elements.insert(t.begin(), t.end());
    }
    for (int64_t i = 0; scale == 1 && i < *elements.rbegin(); ++i) elements.insert(i);
    Facts found;
    for (const Tuple& t : p) {
      const int64_t x = t[0];
      if (holds(constant_op, x, constant)) found["Some"].insert({x});
      if (holds(constant_op, constant, x)) found["Turned"].insert({x});
      if (p.contains({x + offset})) found["Next"].insert({x});
      for (const Tuple& u : p) {
        if (holds(op, x, u[0])) found["Pair"].insert({x, u[0]});
        if (p.contains({x + u[0]})) found["Sum"].insert({x, u[0]});
      }
    }
    for (const Tuple& t : e) {
      if (elements.contains(t[1] + offset)) found["Shift"].insert({t[0], t[1] + offset});
      if (holds(sum_op, t[0] + offset, t[1])) found["Far"].insert(t);
      if (holds(op, t[0], t[1])) found["Up"].insert(t);
    }
    for (bool grew = true; grew;) {
      grew = false;
      const Tuples known = found["Up"];
      for (const Tuple& t : known) {
        for (const Tuple& u : e) {
          if (t[1] == u[0] && holds(op, u[0], u[1]))
            grew |= found["Up"].insert({t[0], u[1]}).second;
        }
      }
    }
    return found;
  }
};

// Every relation of a case, by both ways of asking.
void expect_equal(Program& p, const Case& c, const Facts& facts, const std::string& what) {
  Facts wanted = c.derived(facts);
  for (const std::string name : {"Pair", "Some", "Turned", "Next", "Shift", "Sum", "Far", "Up"}) {
    const bool one = name == "Some" || name == "Turned" || name == "Next";
    const std::string query = name + (one ? "(u)?" : "(u, v)?");
    for (const std::string mode : {"", " @backward"}) {
      EXPECT_EQ(tuples_of(p.query(query + mode)), wanted[name]) << what << "\n"
                                                                << c.rules() << query + mode;
    }
  }
}

Tuple random_tuple(size_t arity, int64_t scale, naive::Draws& draws) {
  Tuple tuple;
  for (size_t i = 0; i < arity; ++i) tuple.push_back(scale * draws.below(16));
  return tuple;
}

TEST(LogicValues, RandomRulesOfIntegersMatchTheDefinition) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    naive::Draws draws(seed);
    const Case c(draws, seed % 2 ? 5000 : 1);
    Facts facts{{"P", {}}, {"E", {}}};
    std::string text;
    const auto draw_facts = [&](uint32_t count) {
      Facts fresh{{"P", {}}, {"E", {}}};
      for (uint32_t i = 0; i < count; ++i) {
        const size_t arity = 1 + draws.below(2);
        const Tuple t = random_tuple(arity, c.scale, draws);
        const std::string name = arity == 1 ? "P" : "E";
        fresh[name].insert(t);
        facts[name].insert(t);
      }
      return fresh;
    };
    draw_facts(2 + draws.below(14));
    facts["P"].insert({c.scale == 1 ? draws.below(16) : 15 * c.scale});
    facts["E"].insert(random_tuple(2, c.scale, draws));
    // the order of first sight is not that of the integers
    std::vector<std::pair<std::string, Tuple>> shuffled;
    for (const auto& [name, tuples] : facts) {
      for (const Tuple& t : tuples) shuffled.emplace_back(name, t);
    }
    for (size_t i = shuffled.size(); i-- > 1;)
      std::swap(shuffled[i], shuffled[draws.below(static_cast<uint32_t>(i) + 1)]);
    for (const auto& [name, t] : shuffled) {
      text += name + "(" + std::to_string(t[0]);
      if (t.size() > 1) text += ", " + std::to_string(t[1]);
      text += ")\n";
    }
    // one domain for both, so that elements of one are elements of the other
    text = "domain D\nrelation P(x: D)\nrelation E(x: D, y: D)\n" + text + c.rules();
    Program p = program(text);
    if (draws.below(2)) expect_equal(p, c, facts, "seed " + std::to_string(seed));
    for (int round = 0; round < 2; ++round) {  // added facts bring new elements
      const Facts fresh = draw_facts(1 + draws.below(4));
      for (const auto& [name, tuples] : fresh) {
        if (!tuples.empty()) p.add(named(name, name == "P" ? 1 : 2, tuples));
      }
      expect_equal(p, c, facts, "seed " + std::to_string(seed) + ", added");
    }
  }
}

TEST(LogicValues, AddedElementsGiveWhatAFreshProgramGives) {
  Program p = program("Nx(x) <- P(x), P(x + 1)\n", {.relations = {named("P", 1, {{0}, {1}})}});
  EXPECT_EQ(tuples_of(p.query("Nx(x)?")), (Tuples{{0}}));
  p.add(named("P", 1, {{2}, {3}}));
  EXPECT_EQ(tuples_of(p.query("Nx(x)?")), (Tuples{{0}, {1}, {2}}));
}

TEST(LogicValues, WordsThatAreAddedToIntegersAreRefused) {
  Program p = program("P(1); P(2)\nBig(x) <- P(x), x > 1\n");
  EXPECT_EQ(tuples_of(p.query("Big(x)?")), (Tuples{{2}}));
  NamedTuples word{"P", 1};
  word.symbols.push_back({"Ann", false, false, {}});
  EXPECT_THROW(p.add(word), Error);
  EXPECT_EQ(tuples_of(p.query("Big(x)?")), (Tuples{{2}}));
  // integers that are far apart are symbols
  Program far = program("P(1); P(2000000)\nBig(x) <- P(x), x > 1\n");
  EXPECT_EQ(tuples_of(far.query("Big(x)?")), (Tuples{{2000000}}));
  far.add(word);
  EXPECT_EQ(code_of([&] { far.query("Big(x)?"); }), "E0205");
}

TEST(LogicValues, AnythingMayStandInANegatedAtom) {
  Program p = program(
      "Person(1); Person(2); Person(3)\nParent(1, 2)\nLeaf(x) <- Person(x), not Parent(x, _)\n"
      "Root(x) <- not Parent(_, x), Person(x)\nAlone(x) <- Leaf(x), Root(x)\n"
      "Empty(x) <- Person(x), not Parent(_, _)\nNext(x) <- Person(x + 1), Person(x)\n");
  EXPECT_EQ(tuples_of(p.query("Leaf(x)?")), (Tuples{{2}, {3}}));
  EXPECT_EQ(tuples_of(p.query("Leaf(x)? @backward")), (Tuples{{2}, {3}}));
  EXPECT_EQ(tuples_of(p.query("Root(x)?")), (Tuples{{1}, {3}}));
  EXPECT_EQ(tuples_of(p.query("Alone(x)?")), (Tuples{{3}}));
  EXPECT_EQ(tuples_of(p.query("Alone(x)? @backward")), (Tuples{{3}}));
  EXPECT_EQ(tuples_of(p.query("Person(x)? where not Parent(x, _)")), (Tuples{{2}, {3}}));
  EXPECT_EQ(tuples_of(p.query("Empty(x)?")), (Tuples{}));
  EXPECT_EQ(tuples_of(p.query("Next(x)?")), (Tuples{{1}, {2}}));
  EXPECT_EQ(p.query("Alone(x)? @why").proofs.size(), 1U);
  p.add(named("Parent", 2, {{3, 1}}));
  EXPECT_EQ(tuples_of(p.query("Leaf(x)?")), (Tuples{{2}}));
  EXPECT_EQ(tuples_of(p.query("Root(x)?")), (Tuples{{3}}));
  EXPECT_EQ(tuples_of(p.query("Alone(x)?")), (Tuples{}));
  EXPECT_EQ(code_of([] { program("Win(x) <- Move(x, y), not Win(y)\nMove(1, 2)"); }), "E0302");
  EXPECT_EQ(code_of([] { program("Move(1, 2)\nWin(x) <- Move(x, y), not Win(_)"); }), "E0302");
}

TEST(LogicValues, ErrorsNameTheVariableAsItIsWritten) {
  const auto message = [](const std::string& text) {
    try {
      program(text);
    } catch (const ProgramError& e) {
      return e.diagnostics()[0].diagnostic.message;
    }
    return std::string();
  };
  const std::string closed = "domain P = {Ann, Bob}\nrelation R(x: P)\nR(Ann)\n";
  EXPECT_EQ(message(closed + "S(x) <- R(x), x != Cid"), "'Cid' is not in the domain of 'x'");
  EXPECT_EQ(message("E(A, B)\nS(_) <- E(y, y)"), "'_' occurs in no positive literal");
}

// 10^10 sums, and a domain of all numbers.
TEST(LogicValues, AreListedWhenTheyAreNeededWithinTheLimits) {
  const char* text =
      "domain N = 100000\nrelation R(x: N)\nR(3); R(4)\nS(x, y) <- R(x), R(y), R(x + y)\n"
      "domain M = 4294967296\nrelation Q(x: M)\nQ(1)\nA(x) <- not Q(x)\n";
  Program p = program(text, {}, {.max_bytes = 1 << 24});
  EXPECT_EQ(tuples_of(p.query("R(x)?")), (Tuples{{3}, {4}}));
  EXPECT_EQ(code_of([&] { p.query("S(x, y)?"); }), "R03");
  EXPECT_EQ(code_of([&] { p.query("A(x)?"); }), "R03");
  EXPECT_EQ(tuples_of(p.query("Q(x)?")), (Tuples{{1}}));
}

TEST(LogicValues, QueriesLeaveNothing) {
  Program p = program("domain N = 1000\nrelation R(x: N, y: N)\nR(1, 2)\nT(x, y) <- R(x, y)\n", {},
                      {.max_bytes = 1 << 20});
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(p.query("R(x, x + 1)?").rows.size(), 1U);
    EXPECT_EQ(p.query("T(x, x + 1)? @backward").rows.size(), 1U);
  }
}

}  // namespace
}  // namespace gyre::logic
