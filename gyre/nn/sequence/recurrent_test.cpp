#include "gyre/nn/sequence/recurrent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

using Row = std::vector<double>;

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

// bias + W x for a row-major W.
Row product(const Tensor& weight, const Tensor& bias, const Row& x) {
  auto rows = static_cast<size_t>(weight.size(0));
  Row y(rows);
  const double *w = weight.data<double>(), *b = bias.data<double>();
  for (size_t r = 0; r < rows; ++r) {
    y[r] = b[r];
    for (size_t c = 0; c < x.size(); ++c) y[r] += w[r * x.size() + c] * x[c];
  }
  return y;
}

// One step of one sample, by the formulas of recurrent.h.
void step(Cell kind, const CellWeights& w, const Row& x, Row& h, Row& c) {
  Row i = product(w.input, w.input_bias, x), g = product(w.hidden, w.hidden_bias, h);
  size_t n = h.size();
  for (size_t k = 0; k < n; ++k) {
    if (kind == Cell::rnn_tanh) h[k] = std::tanh(i[k] + g[k]);
    if (kind == Cell::rnn_relu) h[k] = std::fmax(i[k] + g[k], 0);
    if (kind == Cell::lstm) {
      auto sum = [&](size_t gate) { return i[gate * n + k] + g[gate * n + k]; };
      c[k] = sigmoid_of(sum(1)) * c[k] + sigmoid_of(sum(0)) * std::tanh(sum(2));
      h[k] = sigmoid_of(sum(3)) * std::tanh(c[k]);
    }
    if (kind == Cell::gru) {
      double reset = sigmoid_of(i[k] + g[k]), update = sigmoid_of(i[n + k] + g[n + k]);
      double candidate = std::tanh(i[2 * n + k] + reset * g[2 * n + k]);
      h[k] = (1 - update) * candidate + update * h[k];
    }
  }
}

// Reference with loops over [steps, batch, in]; bidirectional if there are two weights per layer.
Tensor by_loops(Cell kind, const std::vector<CellWeights>& weights, size_t directions,
                const Tensor& x, size_t hidden) {
  auto steps = static_cast<size_t>(x.size(0)), batch = static_cast<size_t>(x.size(1));
  std::vector<std::vector<Row>> seen(batch, std::vector<Row>(steps));
  auto in = static_cast<size_t>(x.size(2));
  for (size_t b = 0; b < batch; ++b) {
    for (size_t t = 0; t < steps; ++t) {
      const double* from = x.data<double>() + (t * batch + b) * in;
      seen[b][t].assign(from, from + in);
    }
    for (size_t first = 0; first < weights.size(); first += directions) {
      std::vector<Row> next(steps);
      for (size_t d = 0; d < directions; ++d) {
        Row h(hidden), c(hidden);
        for (size_t k = 0; k < steps; ++k) {
          size_t t = d ? steps - 1 - k : k;
          step(kind, weights[first + d], seen[b][t], h, c);
          next[t].insert(next[t].end(), h.begin(), h.end());
        }
      }
      seen[b] = next;
    }
  }
  Tensor out = empty({x.size(0), x.size(1), static_cast<int64_t>(directions * hidden)}, DType::f64);
  double* to = out.data<double>();
  for (size_t t = 0; t < steps; ++t) {
    for (size_t b = 0; b < batch; ++b) to = std::copy(seen[b][t].begin(), seen[b][t].end(), to);
  }
  return out;
}

template <class Net>
void expect_loops(Net net, Cell kind, size_t directions) {
  net.to(DType::f64);
  Generator generator{7, 0};
  Tensor x = randn({5, 3, 4}, {.dtype = DType::f64, .generator = &generator});
  auto result = net(x);
  Tensor wanted = by_loops(kind, net.weights, directions, x, 2);
  EXPECT_LE(largest_difference(result.out, wanted), 1e-13);
  // final state: of the last step forwards, of the first step backwards
  auto layers = static_cast<int64_t>(net.weights.size());
  int64_t last = layers - static_cast<int64_t>(directions);
  EXPECT_LE(largest_difference(select(result.state.hidden, {0, last}),
                               slice(select(wanted, {0, 4}), {1, 0, 2, 1})),
            1e-13);
  if (directions == 2) {
    EXPECT_LE(largest_difference(select(result.state.hidden, {0, last + 1}),
                                 slice(select(wanted, {0, 0}), {1, 2, 4, 1})),
              1e-13);
  }
}

TEST(Recurrent, FollowsTheFormulas) {
  RecurrentOptions plain{.in = 4, .hidden = 2};
  RecurrentOptions deep{.in = 4, .hidden = 2, .layers = 2, .bidirectional = true};
  expect_loops(Lstm(plain), Cell::lstm, 1);
  expect_loops(Lstm(deep), Cell::lstm, 2);
  expect_loops(Gru(plain), Cell::gru, 1);
  expect_loops(Gru(deep), Cell::gru, 2);
  expect_loops(Rnn({.recurrent = plain}), Cell::rnn_tanh, 1);
  plain.layers = 2;
  expect_loops(Rnn({.recurrent = plain, .nonlinearity = Nonlinearity::relu}), Cell::rnn_relu, 1);
}

TEST(Recurrent, ResumesFromAState) {
  Lstm net({.in = 3, .hidden = 2, .layers = 2});
  Generator generator{7, 0};
  Tensor x = randn({6, 2, 3}, {.generator = &generator});
  auto whole = net(x), first = net(slice(x, {0, 0, 4, 1}));
  auto rest = net(slice(x, {0, 4, 6, 1}), first.state);
  EXPECT_EQ(largest_difference(rest.out, slice(whole.out, {0, 4, 6, 1})), 0);
  EXPECT_EQ(largest_difference(rest.state.cell, whole.state.cell), 0);
  auto none = net(slice(x, {0, 0, 0, 1}), first.state);
  EXPECT_EQ(none.out.shape(), (Shape{0, 2, 2}));
  EXPECT_EQ(largest_difference(none.state.cell, first.state.cell), 0);
}

TEST(Recurrent, BatchFirstTransposesAxes) {
  Generator same{1, 0}, again{1, 0}, draw{7, 0};
  Gru net({.in = 3, .hidden = 2}, &same);
  Gru other({.in = 3, .hidden = 2, .batch_first = true}, &again);
  Tensor x = randn({6, 2, 3}, {.generator = &draw});
  EXPECT_EQ(largest_difference(transpose(net(x).out, 0, 1), other(transpose(x, 0, 1)).out), 0);
}

TEST(Recurrent, AppliesDropoutBetweenLayersInTraining) {
  Rnn net({.recurrent = {.in = 3, .hidden = 64, .layers = 2, .dropout = 1}});
  Tensor x = ones({4, 2, 3});
  Tensor trained = net(x).out;
  net.eval();
  EXPECT_GT(largest_difference(trained, net(x).out), 0);
}

TEST(Recurrent, RejectsInvalidShapes) {
  Gru net({.in = 3, .hidden = 2});
  EXPECT_EQ(code_of([&] { net(zeros({3, 3})); }), Code::shape);
  EXPECT_EQ(code_of([&] { net(zeros({3, 2, 4})); }), Code::shape);
  EXPECT_EQ(code_of([&] { net(zeros({3, 2, 3}), {zeros({1, 3, 2}), {}}); }), Code::shape);
  GruCell cell({.in = 3, .hidden = 2});
  EXPECT_EQ(code_of([&] { cell(zeros({3})); }), Code::shape);
  EXPECT_EQ(code_of([&] { cell(zeros({1, 3}), {zeros({1, 3}), {}}); }), Code::shape);
}

}  // namespace
}  // namespace gyre::nn
