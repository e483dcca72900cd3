#include "gyre/optim/rules/muon.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/test_parameters.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// A matrix in double, row by row.
struct Matrix {
  size_t rows, columns;
  std::vector<double> at;
  double& operator()(size_t i, size_t k) { return at[i * columns + k]; }
  double operator()(size_t i, size_t k) const { return at[i * columns + k]; }
};

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{a.rows, b.columns, std::vector<double>(a.rows * b.columns)};
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t k = 0; k < a.columns; ++k)
      for (size_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

Matrix transposed(const Matrix& a) {
  Matrix t{a.columns, a.rows, std::vector<double>(a.at.size())};
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t k = 0; k < a.columns; ++k) t(k, i) = a(i, k);
  return t;
}

// Five Newton-Schulz iterations as PyTorch's torch.optim.Muon does them.
Matrix orthogonal(Matrix x) {
  if (x.rows > x.columns) return transposed(orthogonal(transposed(x)));
  double squares = 0;
  for (double v : x.at) squares += v * v;
  for (double& v : x.at) v /= std::max(std::sqrt(squares), 1e-7);
  for (int i = 0; i < 5; ++i) {
    const Matrix gram = product(x, transposed(x)), again = product(gram, gram);
    Matrix both = gram;
    for (size_t k = 0; k < both.at.size(); ++k)
      both.at[k] = -4.7750 * gram.at[k] + 2.0315 * again.at[k];
    const Matrix more = product(both, x);
    for (size_t k = 0; k < x.at.size(); ++k) x.at[k] = 3.4445 * x.at[k] + more.at[k];
  }
  return x;
}

// The rule of a stack of matrices, in double.
struct MatrixReference {
  std::vector<double> value, moment;
  std::vector<size_t> parts;
  size_t columns;
  int64_t step = 0;

  void update(const std::vector<double>& g, const MuonOptions& o) {
    const double risen =
        o.momentum_warmup > 0
            ? std::min(1.0, static_cast<double>(step++) / static_cast<double>(o.momentum_warmup))
            : 1;
    const double momentum = o.momentum - 0.1 * (1 - risen);
    std::vector<double> u(g.size());
    for (size_t i = 0; i < g.size(); ++i) {
      moment[i] = momentum * moment[i] + (1 - momentum) * g[i];
      u[i] = o.nesterov ? momentum * moment[i] + (1 - momentum) * g[i] : moment[i];
    }
    size_t begin = 0;
    for (size_t rows : parts) {
      const auto first = u.begin() + static_cast<std::ptrdiff_t>(begin * columns);
      const Matrix x =
          orthogonal({rows, columns, {first, first + static_cast<std::ptrdiff_t>(rows * columns)}});
      const auto r = static_cast<double>(rows), c = static_cast<double>(columns);
      const double factor = o.adjust_lr == LrAdjustment::original ? std::sqrt(std::max(1.0, r / c))
                                                                  : 0.2 * std::sqrt(std::max(r, c));
      for (size_t i = 0; i < x.at.size(); ++i) {
        double& v = value[begin * columns + i];
        v = v * (1 - o.lr * o.weight_decay) - o.lr * factor * x.at[i];
      }
      begin += rows;
    }
  }
};

struct MatrixCase {
  Shape shape;
  std::vector<size_t> parts;
  size_t columns;
  MuonOptions options;
};

std::vector<MatrixCase> matrix_cases() {
  const MuonOptions plain{.lr = 0.1, .momentum_warmup = 0};
  std::vector<MatrixCase> all{{{5, 7}, {5}, 7, plain},    {{9, 4}, {9}, 4, plain},
                              {{6, 2, 2}, {6}, 4, plain}, {{12, 5}, {5, 3, 4}, 5, plain},
                              {{8, 8}, {8}, 8, plain},    {{1, 3}, {1}, 3, plain}};
  all[1].options.nesterov = false;
  all[2].options.momentum_warmup = 4;
  all[3].options.parts = {5, 3, 4};
  all[4].options.adjust_lr = LrAdjustment::match_rms_adamw;
  return all;
}

Tensor weights_of(Optimizer& optimizer) {
  for (const NamedTensor& t : optimizer.state_dict()) {
    if (t.name == "master.0") return t.tensor;
  }
  return optimizer.parameters()[0];
}

TEST(Muon, FollowsTheFormula) {
  for (DType dtype : {DType::f64, DType::f32, DType::bf16, DType::f16}) {
    for (const MatrixCase& c : matrix_cases()) {
      Tensor p = leaf(c.shape, 1, dtype);
      Muon optimizer(std::vector<Tensor>{p}, c.options);
      MatrixReference wanted{to_vector<double>(p), {}, c.parts, c.columns};
      wanted.moment.resize(wanted.value.size());
      for (uint64_t step = 0; step < 6; ++step) {
        set_gradient(p, step);
        std::vector<double> g = to_vector<double>(p.grad());
        for (double& v : g) v *= 0.5;
        wanted.update(g, c.options);
        optimizer.step({.scale = 0.5});
      }
      const std::vector<double> found = to_vector<double>(weights_of(optimizer));
      const double bound = dtype == DType::f64 ? 1e-11 : 1e-4;  // the iterations amplify rounding
      for (size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], wanted.value[i], bound) << c.shape.rank << " " << name_of(dtype);
      EXPECT_EQ(bits_of(p), bits_of(to(weights_of(optimizer).detach(), dtype)));
    }
  }
}

TEST(Muon, IterationsInBf16AreClose) {
  Generator g{3, 0};
  const Tensor x = randn({3, 40, 64}, {.generator = &g});
  const std::vector<double> exact = to_vector<double>(orthogonalized(to(x, DType::f64))),
                            single = to_vector<double>(orthogonalized(x)),
                            half = to_vector<double>(orthogonalized(to(x, DType::bf16)));
  double worst_single = 0, worst_half = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    worst_single = std::max(worst_single, std::abs(single[i] - exact[i]));
    worst_half = std::max(worst_half, std::abs(half[i] - exact[i]));
  }
  EXPECT_LT(worst_single, 1e-4);
  EXPECT_LT(worst_half, 0.06);
  Tensor p = leaf({40, 64}, 1), q = leaf({40, 64}, 1);
  for (const Tensor& t : {p, q}) set_gradient(t, 1);
  Muon(std::vector<Tensor>{p}, {}).step();
  Muon(std::vector<Tensor>{q}, {.ns_dtype = DType::bf16}).step();
  EXPECT_NE(bits_of(p), bits_of(q));
  EXPECT_EQ(q.dtype(), DType::f32);
}

// Singular values come close to 1: five iterations leave them within about 0.3.
TEST(Muon, MakesRowsNearlyOrthonormal) {
  Generator g{4, 0};
  for (const Shape& shape : {Shape{2, 16, 32}, Shape{2, 32, 16}}) {
    const Tensor x = orthogonalized(randn(shape, {.dtype = DType::f64, .generator = &g}));
    const bool tall = shape[1] > shape[2];
    const Tensor gram = tall ? matmul(transpose(x, 1, 2), x) : matmul(x, transpose(x, 1, 2));
    const std::vector<double> v = to_vector<double>(gram);
    for (size_t i = 0; i < v.size(); ++i) {
      const bool diagonal = i / 16 % 16 == i % 16;
      EXPECT_NEAR(v[i], diagonal ? 0.9 : 0, 0.45) << i;
    }
  }
  EXPECT_EQ(to_vector<double>(orthogonalized(zeros({1, 2, 3}))), std::vector<double>(6, 0.0));
}

// Vectors, and groups without use_muon, are AdamW's.
TEST(Muon, UpdatesTheRestByAdamW) {
  Tensor table = leaf({6, 3}, 1), vector = leaf({5}, 2), matrix = leaf({4, 3}, 3);
  Muon optimizer(std::vector<Tensor>{matrix, vector}, {.lr = 0.04});
  optimizer.add_group(Json::parse(R"({"use_muon": false, "lr": 0.04, "weight_decay": 0})"),
                      std::vector<Tensor>{table});
  Tensor same_table = leaf({6, 3}, 1), same_vector = leaf({5}, 2);
  AdamW of_table(std::vector<Tensor>{same_table}, {.lr = 0.01, .beta2 = 0.95, .weight_decay = 0}),
      of_vector(std::vector<Tensor>{same_vector}, {.lr = 0.01, .beta2 = 0.95, .weight_decay = 0.1});
  for (uint64_t step = 0; step < 4; ++step) {
    for (const Tensor& p : {table, same_table, vector, same_vector, matrix}) set_gradient(p, step);
    optimizer.step();
    of_table.step();
    of_vector.step();
  }
  EXPECT_EQ(bits_of(table), bits_of(same_table));
  EXPECT_EQ(bits_of(vector), bits_of(same_vector));
  std::vector<std::string> names;
  for (const NamedTensor& t : optimizer.state_dict()) names.push_back(t.name);
  EXPECT_EQ(names, (std::vector<std::string>{"steps", "m.0", "m.1", "v.1", "m.2", "v.2"}));
  // A parameter that changes sides begins anew.
  optimizer.set_options(Json::parse(R"({"use_muon": false})"), 0);
  Tensor same_matrix = clone(matrix.detach()).set_requires_grad();
  AdamW of_matrix(std::vector<Tensor>{same_matrix},
                  {.lr = 0.01, .beta2 = 0.95, .weight_decay = 0.1});
  for (uint64_t step = 5; step < 8; ++step) {
    for (const Tensor& p : {matrix, same_matrix}) set_gradient(p, step);
    optimizer.step();
    of_matrix.step();
  }
  EXPECT_EQ(bits_of(matrix), bits_of(same_matrix));
}

TEST(Muon, ResumesAndDoesNotDependOnThreads) {
  std::vector<std::string> first;
  for (int threads : {1, 2, 3}) {
    for (bool halves : {false, true}) {
      set_num_threads(threads);
      std::vector<Tensor> p{leaf({60, 20}, 1), leaf({20, 64}, 2, DType::bf16), leaf({64, 20}, 3)};
      auto optimizer = std::make_unique<Muon>(p, MuonOptions{.parts = {}});
      for (uint64_t step = 0; step < 4; ++step) {
        if (halves && step == 2) {
          const std::vector<NamedTensor> state = copy_of(optimizer->state_dict());
          optimizer = std::make_unique<Muon>(p, MuonOptions{});
          optimizer->load_state_dict(state);
        }
        for (const Tensor& t : p) set_gradient(t, step);
        optimizer->step({.clip = 0.5});
      }
      std::vector<std::string> bits = bits_of(optimizer->state_dict(), p);
      if (first.empty()) first = bits;
      EXPECT_EQ(bits, first) << threads << halves;
    }
  }
  set_num_threads(0);
}

TEST(Muon, TakesOverwrittenSixteenBitWeights) {
  Tensor p = leaf({4, 4}, 1, DType::bf16);
  Muon optimizer(std::vector<Tensor>{p}, {.lr = 0, .weight_decay = 0});
  set_gradient(p, 1);
  optimizer.step();
  {
    NoGrad scope;
    copy_(p.detach(), ones({4, 4}));
  }
  set_gradient(p, 2);
  optimizer.step();
  EXPECT_EQ(to_vector<float>(weights_of(optimizer)), std::vector<float>(16, 1));
}

TEST(Muon, GroupsKeepTheirOptions) {
  const MuonOptions options[] = {
      {.lr = 0.1, .ns_steps = 5},
      {.lr = 0.1, .ns_steps = 1, .adjust_lr = LrAdjustment::match_rms_adamw}};
  Tensor together[2], alone[2];
  for (int i = 0; i < 2; ++i) {
    Generator generator(7, 0);
    Tensor x = randn({4, 6}, {.generator = &generator});
    together[i] = clone(x).set_requires_grad();
    alone[i] = clone(x).set_requires_grad();
  }
  const auto step = [](Optimizer& optimizer, std::span<const Tensor> parameters) {
    for (const Tensor& p : parameters) sum(p * p * p).backward();
    optimizer.step();
  };
  Muon both(std::vector<Tensor>{together[0]}, options[0]);
  both.add_group({together + 1, 1}, options[1]);
  step(both, together);
  for (int i = 0; i < 2; ++i) {
    Muon one(std::vector<Tensor>{alone[i]}, options[i]);
    step(one, {&alone[i], 1});
    EXPECT_EQ(to_vector<float>(together[i]), to_vector<float>(alone[i])) << i;
  }
  EXPECT_NE(to_vector<float>(alone[0]), to_vector<float>(alone[1]));
}

TEST(Muon, RefusesWhatItCannotDo) {
  std::vector<Tensor> p{leaf({4, 3}, 1)};
  set_gradient(p[0], 1);
  EXPECT_EQ(code_of([&] { Muon(p, {.ns_dtype = DType::f16}); }), Code::value);
  EXPECT_EQ(code_of([&] { Muon(p, {.parts = {0, 4}}); }), Code::value);
  EXPECT_EQ(code_of([&] { Muon(p, {.momentum = 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Muon(p, {.ns_steps = 0}); }), Code::value);
  const std::vector<std::string> before = bits_of({}, p);
  EXPECT_EQ(code_of([&] { Muon(p, {.parts = {2, 3}}).step(); }), Code::shape);
  EXPECT_EQ(bits_of({}, p), before);
}

}  // namespace
}  // namespace gyre
