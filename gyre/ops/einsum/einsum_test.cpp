// einsum against one loop over all indices on random specs, its errors, and tensordot.
#include "gyre/ops/einsum/einsum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "gyre/base/philox.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/einsum/plan.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "tests/einsum_by_loops.h"
#include "tests/elements.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Dice {
 public:
  explicit Dice(uint64_t seed) : seed_(seed) {}
  /// 0 .. n-1
  int64_t below(int64_t n) { return philox(seed_, drawn_++)[0] % n; }
  double number() { return std::ldexp(philox(seed_, drawn_++)[1], -31) - 1; }

 private:
  uint64_t seed_, drawn_ = 0;
};

struct Problem {
  std::string spec;
  Tensors tensors;
  std::vector<Shape> shapes;
  std::vector<std::vector<double>> values;
};

// Up to 6 operands with letters of sizes 0 to 3, some twice, some with an ellipsis whose axes
// broadcast, with or without an arrow.
Problem random_problem(Dice& dice) {
  constexpr std::string_view kLetters = "aBcDe";
  int64_t sizes[5], ellipsis[2] = {1 + dice.below(3), 1 + dice.below(3)};
  for (int64_t& size : sizes) size = dice.below(12) ? 1 + dice.below(3) : 0;
  Problem p;
  std::string seen;
  bool dots = false;
  for (int64_t i = 0, n = 1 + dice.below(6); i < n; ++i) {
    Shape shape;
    if (i) p.spec += dice.below(4) ? "," : " , ";
    bool has_dots = dice.below(3) == 0;
    int64_t letters = dice.below(4), dots_at = has_dots ? dice.below(letters + 1) : -1;
    for (int64_t k = 0; k <= letters; ++k) {
      if (k == dots_at) {
        p.spec += "...";
        for (int64_t axis = dice.below(3); axis < 2; ++axis) {
          shape.push_back(dice.below(3) ? ellipsis[axis] : 1);
        }
      }
      if (k == letters) break;
      int64_t letter = dice.below(5);
      p.spec += kLetters[static_cast<size_t>(letter)];
      seen += kLetters[static_cast<size_t>(letter)];
      shape.push_back(sizes[letter]);
    }
    dots |= has_dots;
    Tensor t = empty(shape, DType::f64);
    for (int64_t k = 0; k < t.numel(); ++k) t.data<double>()[k] = dice.number();
    p.tensors.push_back(t);
    p.shapes.push_back(shape);
    p.values.push_back(elements(t));
  }
  if (dice.below(4)) {
    std::string out;
    for (char c : kLetters) {
      if (seen.find(c) == std::string::npos || dice.below(2)) continue;
      out.insert(static_cast<size_t>(dice.below(static_cast<int64_t>(out.size()) + 1)), 1, c);
    }
    if (dots && dice.below(4)) {
      out.insert(static_cast<size_t>(dice.below(static_cast<int64_t>(out.size()) + 1)), "...");
    }
    p.spec += "->" + out;
  }
  return p;
}

std::string without_spaces(const std::string& spec) {
  std::string r;
  for (char c : spec) r += c == ' ' ? "" : std::string(1, c);
  return r;
}

TEST(Einsum, IsTheLoopOverAllIndices) {
  Dice dice(11);
  for (int round = 0; round < 1500; ++round) {
    Problem p = random_problem(dice);
    EinsumByLoops wanted(without_spaces(p.spec), p.shapes, p.values);
    Tensor got = einsum(p.spec, p.tensors);
    ASSERT_EQ(got.shape(), wanted.shape) << p.spec;
    EXPECT_LT(largest_difference(elements(got), wanted.values), 1e-12) << p.spec;
  }
}

TEST(Einsum, ManyOperandsAreContractedGreedily) {
  Tensors tensors;
  std::string spec;
  Tensor product = eye(3, 3, {.dtype = DType::f64});
  for (int i = 0; i < 20; ++i) {
    Tensor t = counting({3, 3}) * Tensor(0.1) + Tensor(0.05 * i);
    tensors.push_back(t);
    product = einsum("ij,jk", {product, t});
    spec += std::string(i ? "," : "") + static_cast<char>('a' + i) + static_cast<char>('b' + i);
  }
  Tensor got = einsum(spec + "->au", tensors);
  std::vector<double> wanted = elements(product), values = elements(got);
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(values[i] / wanted[i], 1, 1e-12);
  EXPECT_EQ(einsum_path(spec, tensors).steps.size(), 19u);
}

TEST(Einsum, TakesTheDiagonalOfAllAxes) {
  for (int rank : {10, kMaxRank}) {
    Shape twos;
    for (int i = 0; i < rank; ++i) twos.push_back(2);
    Tensor x = counting(twos);
    double first = elements(x).front(), last = elements(x).back();
    const std::string spec(static_cast<size_t>(rank), 'a');
    EXPECT_EQ(elements(einsum(spec + "->a", {x})), (std::vector<double>{first, last}));
    EXPECT_EQ(einsum(spec + "->", {x}).item(), first + last);
  }
}

TEST(Einsum, IntegersAreExact) {
  Tensor x = tensor(std::vector<int32_t>{1 << 30, 1, 2, 3}, {2, 2});
  Tensor traced = einsum("ij,ji->", {x, x});
  EXPECT_EQ(traced.dtype(), DType::i64);
  EXPECT_EQ(to_vector<int64_t>(traced), (std::vector<int64_t>{(int64_t{1} << 60) + 2 * 2 + 9}));
  EXPECT_EQ(einsum("ij->ji", {x}).dtype(), DType::i32);
  EXPECT_EQ(einsum("ij,ij->ij", {x, to(x, DType::boolean)}).dtype(), DType::i32);
  Tensor yes = to(ones({5}), DType::boolean);
  EXPECT_EQ(to_vector<int64_t>(einsum("i,i", {yes, yes})), (std::vector<int64_t>{5}));
  EXPECT_EQ(einsum("...i,i->...i", {ones({1, 5}), yes}).dtype(), DType::f32);
}

TEST(Einsum, LiteralsTakeTheDtypeOfTheOthers) {
  Tensor x = ones({2}, {.dtype = DType::f16});
  EXPECT_EQ(einsum("i,->i", {x, Tensor(2.0)}).dtype(), DType::f16);
}

TEST(Einsum, SaysWhereASpecBreaksOff) {
  Tensor x = ones({2, 2});
  auto message = [&](const char* spec) {
    return message_of(Code::parse, [&] { einsum(spec, {x}); });
  };
  EXPECT_EQ(message("i j$"), "einsum: \"i j$\": unexpected '$' at position 3");
  EXPECT_EQ(message("ié"), "einsum: \"ié\": unexpected 'é' at position 1");
  EXPECT_EQ(message("\xF0\x9F\x98\x80->"), "einsum: \"😀->\": unexpected '😀' at position 0");
  // no UTF-8: a sign for each part that is none
  EXPECT_EQ(message("i\xC3"), "einsum: \"i\uFFFD\": unexpected '\uFFFD' at position 1");
  EXPECT_EQ(message("i..j"), "einsum: \"i..j\": a '.' that is not part of '...' at position 1");
  EXPECT_EQ(message("...i...j"), "einsum: \"...i...j\": a second '...' in one term at position 4");
  EXPECT_EQ(message("ij->k"),
            "einsum: \"ij->k\": index 'k' of the result is in no operand at position 4");
  EXPECT_EQ(message("ij->ii"),
            "einsum: \"ij->ii\": index 'i' a second time in the result at position 5");
  EXPECT_EQ(message("ij-"), "einsum: \"ij-\": a '-' without '>' at position 2");
  EXPECT_EQ(message("ij->i->j"), "einsum: \"ij->i->j\": a second '->' at position 5");
  EXPECT_EQ(message("ij->i,j"), "einsum: \"ij->i,j\": a ',' in the result at position 5");
}

TEST(Einsum, NamesTheIndexAndBothOperands) {
  Error e = error_of([] { einsum("ij,jk", {ones({2, 3}), ones({4, 5})}); });
  EXPECT_STREQ(e.what(), "einsum: index 'j' is 3 in operand 0 [2, 3] and 4 in operand 1 [4, 5]");
  EXPECT_EQ(e.expected, "3");
  EXPECT_EQ(e.actual, "4");
  e = error_of([] { einsum("...i,...", {ones({2, 3, 7}), ones({4, 3})}); });
  EXPECT_STREQ(
      e.what(),
      "einsum: axis -2 of the ellipsis is 2 in operand 0 [2, 3, 7] and 4 in operand 1 [4, 3]");
  e = error_of([] { einsum("ii", {ones({2, 3})}); });
  EXPECT_STREQ(e.what(), "einsum: index 'i' is 2 in operand 0 [2, 3] and 3 in operand 0 [2, 3]");
  e = error_of([] { einsum("ijk", {ones({2, 3})}); });
  EXPECT_STREQ(e.what(), "einsum: operand 0 has shape [2, 3], but its subscripts name 3 axes");
  e = error_of([] { einsum("i,j", {ones({2})}); });
  EXPECT_STREQ(e.what(), "einsum: expected 2 operands, got 1");
}

Labels labels_from(int first, int count) {
  Labels r;
  for (int i = 0; i < count; ++i) r += static_cast<Label>(first + i);
  return r;
}

TEST(Einsum, LabelsMayBeNumbers) {
  Tensor x = counting({2, 3, 3}), y = counting({3, 4}), z = counting({4, 5});
  const std::vector<Shape> shapes{x.shape(), y.shape(), z.shape()};
  const EinsumTerms terms{{{{60, 127, 127}}, {{127, 0}}, {{0, 51}}}, {{51, 60}}};
  EinsumPlan plan = make_einsum_plan(terms, shapes);
  EXPECT_EQ(elements(run_einsum(plan, Tensors{x, y, z})),
            elements(einsum("ijj,jk,kl->li", {x, y, z})));
  EXPECT_EQ(plan.steps.front().spec, "#60#127#127->#60#127");
  EXPECT_TRUE(contains(plan.steps.back().spec, "z")) << plan.steps.back().spec;
}

TEST(Einsum, HasMoreIndicesThanLetters) {
  std::string all = text_of(labels_from(0, 52));
  std::string spec = all.substr(0, 16) + "," + all.substr(16, 16) + "," + all.substr(32, 16) + "," +
                     all.substr(48) + "...->...";
  Shape units;
  for (int i = 0; i < kMaxRank; ++i) units.push_back(1);
  Tensor unit = ones(units);
  EXPECT_EQ(einsum(spec, {unit, unit, unit, ones({1, 1, 1, 1, 2})}).shape(), Shape{2});

  EinsumTerms terms;
  for (int i = 0; i < 8; ++i) terms.in.push_back({labels_from(16 * i, 16)});
  std::vector<Shape> shapes(8, units);
  EXPECT_EQ(run_einsum(make_einsum_plan(terms, shapes), Tensors(8, unit)).item(), 1);
  terms.in.push_back({{}, 0});
  shapes.push_back({2});
  EXPECT_EQ(message_of(Code::shape, [&] { make_einsum_plan(terms, shapes); }),
            "einsum: expected at most 128 indices, including axes of the ellipsis");
}

TEST(Einsum, RefusesResultsOfMoreThan16AxesBetweenTheSteps) {
  // four operands, each two of which share five indices
  std::string t[4], letters = "abcdefghijklmnopqrstuvwxyzABCD";
  size_t next = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      t[i] += letters.substr(next, 5);
      t[j] += letters.substr(next, 5);
      next += 5;
    }
  }
  Shape twos;
  for (int i = 0; i < 15; ++i) twos.push_back(2);
  Tensor x = ones(twos);
  std::string spec = t[0] + "," + t[1] + "," + t[2] + "," + t[3];
  EXPECT_EQ(code_of([&] { einsum(spec + "->", {x, x, x, x}); }), Code::shape);
  for (int i = 0; i < 6; ++i) spec += ",";
  Tensors many(10, Tensor(1.0));
  for (size_t i = 0; i < 4; ++i) many[i] = x;
  EXPECT_EQ(code_of([&] { einsum(spec + "->", many); }), Code::shape);
}

TEST(EinsumPath, TakesTheCheapestOrder) {
  std::vector<Shape> shapes{{1024, 512}, {512, 16}, {16, 1024}, {1024, 512}, {512, 64}};
  EinsumPath path = einsum_path("ij,jk,kl,lm,mn->in", shapes);
  double mega = 1024.0 * 512 * 16;
  EXPECT_EQ(path.flops, 2 * (mega + mega + 16.0 * 512 * 64 + 1024.0 * 16 * 64));
  EXPECT_EQ(path.naive_flops, 1024.0 * 512 * 16 * 1024 * 512 * 64 * 5);
  EXPECT_EQ(path.bytes, 4 * (1024.0 * 16 + 16 * 512 + 16 * 64));
  ASSERT_EQ(path.steps.size(), 4u);
  for (const EinsumStep& step : path.steps) EXPECT_EQ(step.kind, EinsumStep::product);
  EXPECT_EQ(path.steps.back().spec, "ik,kn->in");
  EXPECT_TRUE(contains(path.text(), "ik,kn->in"));
  EXPECT_EQ(einsum_path("ij,jk,kl,lm,mn->in", shapes, DType::f64).bytes, 2 * path.bytes);
}

TEST(EinsumPath, TellsTheKindOfEachStep) {
  auto kinds = [](const char* spec, std::vector<Shape> shapes) {
    std::vector<EinsumStep::Kind> r;
    for (const EinsumStep& step : einsum_path(spec, shapes).steps) r.push_back(step.kind);
    return r;
  };
  using Kinds = std::vector<EinsumStep::Kind>;
  EXPECT_EQ(kinds("ij->ji", {{2, 3}}), Kinds{EinsumStep::view});
  EXPECT_EQ(kinds("ii->i", {{2, 2}}), Kinds{EinsumStep::view});
  EXPECT_EQ(kinds("ij->j", {{2, 3}}), Kinds{EinsumStep::sum});
  EXPECT_EQ(kinds("i,j->ij", {{2}, {3}}), Kinds{EinsumStep::pointwise});
  EXPECT_EQ(kinds("ij,kj->ik", {{2, 3}, {4, 3}}), Kinds{EinsumStep::product});
  EXPECT_EQ(kinds("ij,kl->ik", {{2, 3}, {4, 5}}),
            (Kinds{EinsumStep::sum, EinsumStep::sum, EinsumStep::pointwise}));
}

TEST(EinsumPath, IsKeptForThreadsAndBounded) {
  Tensor x = ones({2, 3}), y = ones({3, 2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int64_t n = 1; n < 200; ++n) einsum_path("ij,jk", std::vector<Shape>{{n, 3}, {3, n}});
    });
  }
  for (std::thread& t : threads) t.join();
  std::vector<Shape> shapes{{2, 3}, {3, 2}};
  auto kept = einsum_plan("ij,jk", shapes);
  EXPECT_EQ(kept, einsum_plan("ij,jk", shapes));
  for (size_t n = 0; n < kMostPlans; ++n) {
    einsum_plan("i", std::vector<Shape>{{static_cast<int64_t>(n)}});
  }
  EXPECT_NE(kept, einsum_plan("ij,jk", shapes));
}

TEST(EinsumPath, IsNotKeptForASpecThatSpellsTheShapes) {
  const std::string shape("\1\5\0\0\0\0\0\0\0", 9);  // one axis of size 5
  einsum_plan("i", std::vector<Shape>{{5}});
  EXPECT_EQ(code_of([&] { einsum_plan("i" + shape, {}); }), Code::parse);
}

TEST(Tensordot, SumsTheAxesItIsTold) {
  Tensor x = counting({2, 3, 4}), y = counting({4, 3, 5});
  EXPECT_EQ(elements(tensordot(x, y, Shape{2, 1}, Shape{0, 1})),
            elements(einsum("ijk,kjl->il", {x, y})));
  EXPECT_EQ(elements(tensordot(x, y, Shape{-2, -1}, Shape{-2, 0})),
            elements(einsum("ijk,kjl->il", {x, y})));
  EXPECT_EQ(elements(tensordot(x, y, 1)), elements(einsum("ijk,kml->ijml", {x, y})));
  EXPECT_EQ(elements(tensordot(x, y, 0)), elements(einsum("ijk,nml->ijknml", {x, y})));
  EXPECT_EQ(elements(inner(x, counting({5, 4}))),
            elements(einsum("ijk,lk->ijl", {x, counting({5, 4})})));
  EXPECT_EQ(code_of([&] { tensordot(x, y, 4); }), Code::value);
  EXPECT_EQ(code_of([&] { tensordot(x, y, Shape{1, 2}, Shape{0}); }), Code::value);
  EXPECT_EQ(code_of([&] { tensordot(x, y, Shape{1, -2}, Shape{0, 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { tensordot(x, y, Shape{0}, Shape{0}); }), Code::shape);
}

}  // namespace
}  // namespace gyre
