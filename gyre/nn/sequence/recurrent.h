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
GYRE_FIELDS(RecurrentOptions, GYRE_FIELD(in, "numbers a step of the input"),
            GYRE_FIELD(hidden, "numbers of the state, for each direction"),
            GYRE_FIELD(layers, "layers, each fed by the one before"),
            GYRE_FIELD(bias, "input and state each bring a bias"),
            GYRE_FIELD(batch_first, "sequences are [batch, steps, ...], not [steps, batch, ...]"),
            GYRE_FIELD(dropout, "share dropped between layers in training"),
            GYRE_FIELD(bidirectional, "also reads from the end; both results side by side"));

struct RnnOptions {
  RecurrentOptions recurrent{};
  Nonlinearity nonlinearity = Nonlinearity::tanh;
};
GYRE_FIELDS_WITH(RnnOptions, recurrent, GYRE_FIELD(nonlinearity, "that the state goes through"));

namespace nn {

/// A recurrent network over whole sequences: x [steps, batch, in] (or [batch, steps, in]) to
/// [steps, batch, directions hidden], and the last state [layers directions, batch, hidden], which
/// begins as that given or as 0. Products with the input are made for all steps at once. Cells as
/// in recurrent_cell.h, names as PyTorch's.
class Recurrent : public Module {
 public:
  struct Result {
    Tensor out;
    CellState state;
  };
  /// Error{shape} for operands that do not fit.
  Result operator()(const Tensor& x, const CellState& state = {}) const;
  /// x, hidden?, cell? (of an LSTM) to out, hidden, cell.
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  std::vector<CellWeights> weights;  ///< of layer 0, of layer 0 backwards if there is, of layer 1

 protected:
  /// Error{value} for sizes below 1 and a dropout outside [0, 1].
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
