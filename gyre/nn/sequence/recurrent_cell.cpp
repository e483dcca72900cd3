#include "gyre/nn/sequence/recurrent_cell.h"

#include <cmath>

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

int64_t gates_of(Cell kind) { return kind == Cell::lstm ? 4 : kind == Cell::gru ? 3 : 1; }

CellState lstm_step(const Tensor& sum, const Tensor& cell) {
  Tensors gates = chunk(sum, 4, 1);
  Tensor next = sigmoid(gates[1]) * cell + sigmoid(gates[0]) * tanh(gates[2]);
  return {sigmoid(gates[3]) * tanh(next), next};
}

CellState gru_step(const Tensor& projected, const Tensor& own, const Tensor& state) {
  Tensors i = chunk(projected, 3, 1), h = chunk(own, 3, 1);
  Tensor reset = sigmoid(i[0] + h[0]), update = sigmoid(i[1] + h[1]);
  Tensor candidate = tanh(i[2] + reset * h[2]);
  return {candidate + update * (state - candidate), {}};
}

constexpr Arg kCellIn[] = {{"x"}, {.name = "hidden", .optional = true}};
constexpr Arg kLstmCellIn[] = {
    {"x"}, {.name = "hidden", .optional = true}, {.name = "cell", .optional = true}};
constexpr const char* kCellOut[] = {"hidden"};
constexpr const char* kLstmCellOut[] = {"hidden", "cell"};

template <class Options>
void cell_samples(LayerSamples& s, bool lstm) {
  using O = CellOptions;
  Samples draw;
  s.add(Options{O{.in = 3, .hidden = 2}}, {draw.uniform({4, 3})});
  Tensors in{draw.uniform({3, 2}), draw.uniform({3, 5})};
  if (lstm) in.push_back(draw.uniform({3, 5}));
  s.add(Options{O{.in = 2, .hidden = 5, .bias = false}}, in);
  s.refuse(Code::value, Options{O{.in = 0, .hidden = 5}});
  s.refuse(Code::value, Options{O{.in = 2, .hidden = 0}});
}

}  // namespace

CellWeights CellWeights::draw(Cell kind, int64_t in, int64_t hidden, bool bias,
                              Generator* generator) {
  double bound = 1 / std::sqrt(static_cast<double>(hidden));
  int64_t rows = gates_of(kind) * hidden;
  CellWeights w;
  w.input = uniform({rows, in}, bound, generator);
  w.hidden = uniform({rows, hidden}, bound, generator);
  if (!bias) return w;
  w.input_bias = uniform({rows}, bound, generator);
  w.hidden_bias = uniform({rows}, bound, generator);
  return w;
}

Tensor CellWeights::project(const Tensor& x) const { return linear(x, input, input_bias); }

CellState CellWeights::step(Cell kind, const Tensor& projected, const CellState& state) const {
  Tensor own = linear(state.hidden, hidden, hidden_bias);
  switch (kind) {
    case Cell::rnn_tanh:
      return {tanh(projected + own), {}};
    case Cell::rnn_relu:
      return {relu(projected + own), {}};
    case Cell::lstm:
      return lstm_step(projected + own, state.cell);
    case Cell::gru:
      break;
  }
  return gru_step(projected, own, state.hidden);
}

RecurrentCell::RecurrentCell(const char* name, Cell kind, const CellOptions& o,
                             Generator* generator)
    : name_(name), kind_(kind), hidden_(o.hidden) {
  check_record(name, o);
  weights = CellWeights::draw(kind, o.in, o.hidden, o.bias, generator);
}

CellState RecurrentCell::operator()(const Tensor& x, const CellState& state) const {
  Tensor projected = weights.project(x);
  if (projected.rank() != 2) {
    throw mismatch(Code::shape, name_, "expected x [batch, in]", "[batch, in]", x.shape());
  }
  CellState from = state;
  Tensor none = gyre::zeros({projected.size(0), hidden_}, {projected.dtype(), projected.device()});
  if (!from.hidden.defined()) from.hidden = none;
  if (!from.cell.defined() && kind_ == Cell::lstm) from.cell = none;
  return weights.step(kind_, projected, from);
}

Tensors RecurrentCell::forward(Inputs inputs) const {
  LayerInputs in(inputs, name_, 1, kind_ == Cell::lstm ? 3 : 2);
  CellState next = (*this)(in[0], {in[1], in[2]});
  if (kind_ == Cell::lstm) return {next.hidden, next.cell};
  return {next.hidden};
}

void RecurrentCell::visit(Visitor& v) {
  v.parameter("weight_ih", weights.input);
  v.parameter("weight_hh", weights.hidden);
  v.parameter("bias_ih", weights.input_bias);
  v.parameter("bias_hh", weights.hidden_bias);
}

RnnCell::RnnCell(const RnnCellOptions& o, Generator* generator)
    : RecurrentCell("RNNCell",
                    o.nonlinearity == Nonlinearity::tanh ? Cell::rnn_tanh : Cell::rnn_relu, o.cell,
                    generator) {}
LstmCell::LstmCell(const CellOptions& o, Generator* generator)
    : RecurrentCell("LSTMCell", Cell::lstm, o, generator) {}
GruCell::GruCell(const CellOptions& o, Generator* generator)
    : RecurrentCell("GRUCell", Cell::gru, o, generator) {}

constinit const LayerDef rnn_cell_layer = define_layer<RnnCell, RnnCellOptions>(
    "RNNCell", "one step of an Elman RNN",
    [](LayerSamples& s) { cell_samples<RnnCellOptions>(s, false); }, kCellIn, kCellOut);
constinit const LayerDef lstm_cell_layer = define_layer<LstmCell, CellOptions>(
    "LSTMCell", "one step of a long short-term memory (LSTM) cell",
    [](LayerSamples& s) { cell_samples<CellOptions>(s, true); }, kLstmCellIn, kLstmCellOut);
constinit const LayerDef gru_cell_layer = define_layer<GruCell, CellOptions>(
    "GRUCell", "one step of a gated recurrent unit (GRU) cell",
    [](LayerSamples& s) { cell_samples<CellOptions>(s, false); }, kCellIn, kCellOut);

}  // namespace gyre::nn
