#include "gyre/nn/sequence/recurrent.h"

#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

// Splits [steps, batch, ...] into one tensor per step.
Tensors steps_of(const Tensor& x) {
  std::vector<int64_t> ones(static_cast<size_t>(x.size(0)), 1);
  Tensors steps = split(x, ones, 0);
  for (Tensor& step : steps) step = squeeze(step, {0});
  return steps;
}

Tensor joined(const std::vector<Tensor>& parts) { return stack(parts, 0); }

constexpr Arg kRecurrentIn[] = {{"x"}, {.name = "hidden", .optional = true}};
constexpr Arg kLstmIn[] = {
    {"x"}, {.name = "hidden", .optional = true}, {.name = "cell", .optional = true}};
constexpr const char* kOut[] = {"out", "hidden"};
constexpr const char* kLstmOut[] = {"out", "hidden", "cell"};

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

template <class L, class Options>
constexpr LayerDef define(const char* name, const char* doc, bool lstm) {
  auto d = define_layer<L, Options>(name, doc, nullptr);
  d.inputs = lstm ? ArgList(kLstmIn) : ArgList(kRecurrentIn);
  d.outputs = lstm ? std::span<const char* const>(kLstmOut) : std::span<const char* const>(kOut);
  d.samples = lstm ? [](LayerSamples& s) { recurrent_samples<Options>(s, true); }
                   : [](LayerSamples& s) { recurrent_samples<Options>(s, false); };
  return d;
}

}  // namespace

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
    std::string end = "_l" + std::to_string(i / both) + (i % both ? "_reverse" : "");
    v.parameter("weight_ih" + end, weights[i].input);
    v.parameter("weight_hh" + end, weights[i].hidden);
    v.parameter("bias_ih" + end, weights[i].input_bias);
    v.parameter("bias_hh" + end, weights[i].hidden_bias);
  }
}

Rnn::Rnn(const RnnOptions& o, Generator* generator)
    : Recurrent("RNN", o.nonlinearity == Nonlinearity::tanh ? Cell::rnn_tanh : Cell::rnn_relu,
                o.recurrent, generator) {}
Lstm::Lstm(const RecurrentOptions& o, Generator* generator)
    : Recurrent("LSTM", Cell::lstm, o, generator) {}
Gru::Gru(const RecurrentOptions& o, Generator* generator)
    : Recurrent("GRU", Cell::gru, o, generator) {}

constinit const LayerDef rnn_layer =
    define<Rnn, RnnOptions>("RNN", "multi-layer Elman RNN over sequences", false);
constinit const LayerDef lstm_layer = define<Lstm, RecurrentOptions>(
    "LSTM", "multi-layer long short-term memory (LSTM) over sequences", true);
constinit const LayerDef gru_layer = define<Gru, RecurrentOptions>(
    "GRU", "multi-layer gated recurrent unit (GRU) over sequences", false);

}  // namespace gyre::nn
