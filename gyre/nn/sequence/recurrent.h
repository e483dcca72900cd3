#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/record_part.h"
#include "gyre/nn/layer.h"

namespace gyre {

/// Nonlinearity of a simple (Elman) recurrent network.
enum class Nonlinearity : uint8_t { tanh, relu };
inline constexpr const char* kNonlinearityNames[] = {"tanh", "relu"};
template <>
inline constexpr std::span<const char* const> kChoices<Nonlinearity> = kNonlinearityNames;

struct CellOptions {
  int64_t in = 0, hidden = 0;
  bool bias = true;
};
GYRE_FIELDS(CellOptions, GYRE_FIELD(in, "features of the input", .alias = "input_size", .least = 1),
            GYRE_FIELD(hidden, "features of the hidden state", .alias = "hidden_size", .least = 1),
            GYRE_FIELD(bias, "add the biases b_ih and b_hh"));

struct RnnCellOptions {
  CellOptions cell{};
  Nonlinearity nonlinearity = Nonlinearity::tanh;
};
GYRE_RECORD(RnnCellOptions, GYRE_PART(cell),
            GYRE_FIELD(nonlinearity, "nonlinearity of the hidden state"));

struct RecurrentOptions {
  int64_t in = 0, hidden = 0, layers = 1;
  bool bias = true, batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
};
GYRE_FIELDS(RecurrentOptions,
            GYRE_FIELD(in, "features of the input", .alias = "input_size", .least = 1),
            GYRE_FIELD(hidden, "features of the hidden state, per direction",
                       .alias = "hidden_size", .least = 1),
            GYRE_FIELD(layers, "stacked recurrent layers", .alias = "num_layers", .least = 1,
                       .most = nn::kMostLayers),
            GYRE_FIELD(bias, "add the biases b_ih and b_hh"),
            GYRE_FIELD(batch_first,
                       "input and output are [batch, steps, ...], not [steps, batch, ...]"),
            GYRE_FIELD(dropout, "dropout probability between layers", .least = 0, .most = 1),
            GYRE_FIELD(bidirectional, "process both directions and concatenate the outputs"));

struct RnnOptions {
  RecurrentOptions recurrent{};
  Nonlinearity nonlinearity = Nonlinearity::tanh;
};
GYRE_RECORD(RnnOptions, GYRE_PART(recurrent),
            GYRE_FIELD(nonlinearity, "nonlinearity of the hidden state"));

namespace nn {

/// The kinds of recurrent cells. With i = W_i x + b_i and h = W_h state + b_h, split into gates:
/// rnn: state = tanh(i + h), or relu (Elman 1990);
/// lstm: sigmoid gates in, forget, out and a tanh candidate, in the order in, forget, candidate,
/// out: cell = forget cell + in candidate, state = out tanh(cell) (Hochreiter, Schmidhuber 1997);
/// gru: reset = sigmoid(i0 + h0), update = sigmoid(i1 + h1), candidate = tanh(i2 + reset h2),
/// state = candidate + update (state - candidate) (Cho et al. 2014).
enum class Cell : uint8_t { rnn_tanh, rnn_relu, lstm, gru };

/// Hidden state and, for an LSTM only, cell state, [batch, hidden] each.
struct CellState {
  Tensor hidden, cell;
};

/// Weights of a cell: input [gates hidden, in], hidden [gates hidden, hidden], biases [gates
/// hidden] or empty.
struct CellWeights {
  Tensor input, hidden, input_bias, hidden_bias;

  /// Uniform in [-1 / sqrt(hidden), 1 / sqrt(hidden)], as in PyTorch.
  static CellWeights draw(Cell kind, int64_t in, int64_t hidden, bool bias, Generator* generator);
  void visit(Visitor& visitor, const std::string& suffix = {});
  /// W_i x + b_i for x [..., in], for one step or all steps at once.
  Tensor project(const Tensor& x) const;
  /// One step, given the projected input [batch, gates hidden].
  CellState step(Cell kind, const Tensor& projected, const CellState& state) const;
};

/// One step of a recurrent network: x [batch, in], state [batch, hidden] (0 if absent). State dict
/// names as in PyTorch.
class RecurrentCell : public Module {
 public:
  /// Error{shape} for operands of the wrong shape.
  CellState operator()(const Tensor& x, const CellState& state = {}) const;
  /// x, hidden?, cell? (of an LSTM) to hidden, cell.
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  CellWeights weights;

 protected:
  /// Error{value} for sizes below 1.
  RecurrentCell(const char* name, Cell kind, const CellOptions& options, Generator* generator);

 private:
  const char* name_;
  Cell kind_;
  int64_t hidden_;
};

struct RnnCell final : RecurrentCell {
  explicit RnnCell(const RnnCellOptions& options, Generator* generator = nullptr);
};
struct LstmCell final : RecurrentCell {
  explicit LstmCell(const CellOptions& options, Generator* generator = nullptr);
};
struct GruCell final : RecurrentCell {
  explicit GruCell(const CellOptions& options, Generator* generator = nullptr);
};

/// A recurrent network over whole sequences: x [steps, batch, in] (or [batch, steps, in]) to
/// [steps, batch, directions hidden] and the final state [layers directions, batch, hidden]. The
/// initial state is 0 unless given. Input projections are computed for all steps at once. State
/// dict names as in PyTorch.
class Recurrent : public Module {
 public:
  struct Result {
    Tensor out;
    CellState state;
  };
  /// Error{shape} for operands of the wrong shape.
  Result operator()(const Tensor& x, const CellState& state = {}) const;
  /// x, hidden?, cell? (of an LSTM) to out, hidden, cell.
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  std::vector<CellWeights> weights;  ///< by layer; if bidirectional, forward then reverse of each

 protected:
  /// Error{value} for sizes below 1 and dropout outside [0, 1].
  Recurrent(const char* name, Cell kind, const RecurrentOptions& options, Generator* generator);

 private:
  [[nodiscard]] int64_t directions() const { return options_.bidirectional ? 2 : 1; }
  CellState begin(const CellState& given, int64_t batch, DType dtype) const;
  CellState run(size_t layer, const Tensor& x, CellState state, bool backwards,
                std::vector<Tensor>& out) const;

  const char* name_;
  Cell kind_;
  RecurrentOptions options_;
};

struct Rnn final : Recurrent {
  explicit Rnn(const RnnOptions& options, Generator* generator = nullptr);
};
struct Lstm final : Recurrent {
  explicit Lstm(const RecurrentOptions& options, Generator* generator = nullptr);
};
struct Gru final : Recurrent {
  explicit Gru(const RecurrentOptions& options, Generator* generator = nullptr);
};

// Names of the layer table.
using RNNCell = RnnCell;
using LSTMCell = LstmCell;
using GRUCell = GruCell;
using RNN = Rnn;
using LSTM = Lstm;
using GRU = Gru;

}  // namespace nn
}  // namespace gyre
