#include "gyre/nn/sequence/recurrent.h"

#include <cmath>
#include <concepts>

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
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

Cell cell_of(Nonlinearity n) { return n == Nonlinearity::tanh ? Cell::rnn_tanh : Cell::rnn_relu; }

// Splits [steps, batch, ...] into one tensor per step.
Tensors steps_of(const Tensor& x) {
  std::vector<int64_t> ones(static_cast<size_t>(x.size(0)), 1);
  Tensors steps = split(x, ones, 0);
  for (Tensor& step : steps) step = squeeze(step, {0});
  return steps;
}

Tensor joined(const std::vector<Tensor>& parts) { return stack(parts, 0); }

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

void CellWeights::visit(Visitor& v, const std::string& suffix) {
  v.parameter("weight_ih" + suffix, input);
  v.parameter("weight_hh" + suffix, hidden);
  v.parameter("bias_ih" + suffix, input_bias);
  v.parameter("bias_hh" + suffix, hidden_bias);
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

void RecurrentCell::visit(Visitor& v) { weights.visit(v); }

Recurrent::Recurrent(const char* name, Cell kind, const RecurrentOptions& o, Generator* generator)
    : name_(name), kind_(kind), options_(o) {
  check_record(name, o);
  for (int64_t layer = 0; layer < o.layers; ++layer) {
    int64_t in = layer == 0 ? o.in : directions() * o.hidden;
    for (int64_t d = 0; d < directions(); ++d) {
      weights.push_back(CellWeights::draw(kind, in, o.hidden, o.bias, generator));
    }
  }
}

CellState Recurrent::begin(const CellState& given, int64_t batch, DType dtype) const {
  const Shape shape{static_cast<int64_t>(weights.size()), batch, options_.hidden};
  CellState state = given;
  for (Tensor* part : {&state.hidden, &state.cell}) {
    if (part == &state.cell && kind_ != Cell::lstm) break;
    if (!part->defined()) *part = gyre::zeros(shape, {dtype, weights[0].input.device()});
    if (!(part->shape() == shape)) {
      throw mismatch(Code::shape, name_,
                     {"expected state [layers * directions, batch, hidden] = ", shape}, shape,
                     part->shape());
    }
  }
  return state;
}

CellState Recurrent::run(size_t layer, const Tensor& x, CellState state, bool backwards,
                         std::vector<Tensor>& out) const {
  const CellWeights& w = weights[layer];
  Tensors projected = steps_of(w.project(x));
  out.resize(projected.size());
  for (size_t i = 0; i < projected.size(); ++i) {
    size_t at = backwards ? projected.size() - 1 - i : i;
    state = w.step(kind_, projected[at], state);
    out[at] = state.hidden;
  }
  return state;
}

Recurrent::Result Recurrent::operator()(const Tensor& input, const CellState& given) const {
  if (input.rank() != 3) {
    throw mismatch(Code::shape, name_, "expected x with 3 axes", "3 axes", input.shape());
  }
  Tensor x = options_.batch_first ? transpose(input, 0, 1) : input;
  CellState begun = begin(given, x.size(1), weights[0].input.dtype());
  Tensors hidden = steps_of(begun.hidden), cell(hidden.size());
  if (kind_ == Cell::lstm) cell = steps_of(begun.cell);
  std::vector<Tensor> last_hidden, last_cell;
  for (size_t first = 0; first < weights.size(); first += static_cast<size_t>(directions())) {
    if (first > 0 && options_.dropout > 0) x = dropout(x, options_.dropout, training());
    Tensors sides;
    for (size_t d = 0; d < static_cast<size_t>(directions()); ++d) {
      std::vector<Tensor> out;
      size_t i = first + d;
      CellState last = run(i, x, {hidden[i], cell[i]}, d == 1, out);
      last_hidden.push_back(last.hidden);
      if (kind_ == Cell::lstm) last_cell.push_back(last.cell);
      if (!out.empty()) sides.push_back(joined(out));
    }
    // No steps: the output is empty and the state unchanged.
    x = sides.empty()       ? gyre::zeros({0, x.size(1), directions() * options_.hidden},
                                          {weights[0].input.dtype(), weights[0].input.device()})
        : sides.size() == 1 ? sides[0]
                            : cat(sides, 2);
  }
  Result r{options_.batch_first ? transpose(x, 0, 1) : x, {joined(last_hidden), {}}};
  if (kind_ == Cell::lstm) r.state.cell = joined(last_cell);
  return r;
}

Tensors Recurrent::forward(Inputs inputs) const {
  LayerInputs in(inputs, name_, 1, kind_ == Cell::lstm ? 3 : 2);
  Result r = (*this)(in[0], {in[1], in[2]});
  if (kind_ == Cell::lstm) return {r.out, r.state.hidden, r.state.cell};
  return {r.out, r.state.hidden};
}

void Recurrent::visit(Visitor& v) {
  for (size_t i = 0; i < weights.size(); ++i) {
    auto both = static_cast<size_t>(directions());
    weights[i].visit(v, "_l" + std::to_string(i / both) + (i % both ? "_reverse" : ""));
  }
}

RnnCell::RnnCell(const RnnCellOptions& o, Generator* generator)
    : RecurrentCell("RNNCell", cell_of(o.nonlinearity), o.cell, generator) {}
LstmCell::LstmCell(const CellOptions& o, Generator* generator)
    : RecurrentCell("LSTMCell", Cell::lstm, o, generator) {}
GruCell::GruCell(const CellOptions& o, Generator* generator)
    : RecurrentCell("GRUCell", Cell::gru, o, generator) {}
Rnn::Rnn(const RnnOptions& o, Generator* generator)
    : Recurrent("RNN", cell_of(o.nonlinearity), o.recurrent, generator) {}
Lstm::Lstm(const RecurrentOptions& o, Generator* generator)
    : Recurrent("LSTM", Cell::lstm, o, generator) {}
Gru::Gru(const RecurrentOptions& o, Generator* generator)
    : Recurrent("GRU", Cell::gru, o, generator) {}

namespace {

constexpr Arg kRecurrentIn[] = {
    {"x"}, {.name = "hidden", .optional = true}, {.name = "cell", .optional = true}};
constexpr const char* kRecurrentOut[] = {"out", "hidden", "cell"};

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

template <class Options>
void recurrent_samples(LayerSamples& s, bool lstm) {
  using R = RecurrentOptions;
  Samples draw;
  s.add(Options{R{.in = 3, .hidden = 2}}, {draw.uniform({4, 2, 3})});
  s.add(Options{R{.in = 2, .hidden = 3, .layers = 2, .bias = false, .batch_first = true}},
        {draw.uniform({2, 3, 2})});
  Tensors in{draw.uniform({3, 1, 2}), draw.uniform({4, 1, 2})};
  if (lstm) in.push_back(draw.uniform({4, 1, 2}));
  s.add(Options{R{.in = 2, .hidden = 2, .layers = 2, .bidirectional = true}}, in);
  s.refuse(Code::value, Options{R{.in = 0, .hidden = 5}});
  s.refuse(Code::value, Options{R{.in = 2, .hidden = 0}});
  s.refuse(Code::value, Options{R{.in = 2, .hidden = 2, .layers = 0}});
  s.refuse(Code::value, Options{R{.in = 2, .hidden = 2, .dropout = 1.5}});
}

// Cells have no output "out", and only an LSTM has a cell state.
template <class L, class Options, bool lstm = false>
constexpr LayerDef define(const char* name, const char* doc) {
  constexpr bool one_step = std::derived_from<L, RecurrentCell>;
  const std::span inputs(kRecurrentIn, lstm ? 3 : 2);
  const std::span<const char* const> outputs(kRecurrentOut, lstm ? 3 : 2);
  return define_layer<L, Options>(
      name, doc,
      [](LayerSamples& s) {
        if constexpr (one_step) {
          cell_samples<Options>(s, lstm);
        } else {
          recurrent_samples<Options>(s, lstm);
        }
      },
      inputs, one_step ? outputs.subspan(1) : outputs);
}

}  // namespace

constinit const LayerDef rnn_cell_layer =
    define<RnnCell, RnnCellOptions>("RNNCell", "one step of an Elman RNN");
constinit const LayerDef lstm_cell_layer = define<LstmCell, CellOptions, true>(
    "LSTMCell", "one step of a long short-term memory (LSTM) cell");
constinit const LayerDef gru_cell_layer =
    define<GruCell, CellOptions>("GRUCell", "one step of a gated recurrent unit (GRU) cell");
constinit const LayerDef rnn_layer =
    define<Rnn, RnnOptions>("RNN", "multi-layer Elman RNN over sequences");
constinit const LayerDef lstm_layer = define<Lstm, RecurrentOptions, true>(
    "LSTM", "multi-layer long short-term memory (LSTM) over sequences");
constinit const LayerDef gru_layer =
    define<Gru, RecurrentOptions>("GRU", "multi-layer gated recurrent unit (GRU) over sequences");

}  // namespace gyre::nn
