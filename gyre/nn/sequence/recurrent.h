#pragma once
#include <vector>

#include "gyre/base/record_part.h"
#include "gyre/nn/sequence/recurrent_cell.h"

namespace gyre {

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
            GYRE_FIELD(layers, "stacked recurrent layers", .alias = "num_layers", .least = 1),
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

/// A recurrent network over whole sequences: x [steps, batch, in] (or [batch, steps, in]) to
/// [steps, batch, directions hidden] and the final state [layers directions, batch, hidden]. The
/// initial state is 0 unless given. Input projections are computed for all steps at once. Cells as
/// in recurrent_cell.h, state dict names as in PyTorch.
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

}  // namespace nn
}  // namespace gyre
