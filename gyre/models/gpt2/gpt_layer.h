#pragma once
#include "gyre/models/gpt2/gpt.h"
#include "gyre/models/layers.h"

namespace gyre {

/// A Gpt in the layer table: tokens [batch, tokens] to logits.
class GptLayer final : public Gpt {
 public:
  using Gpt::Gpt;
  explicit GptLayer(Gpt model) : Gpt(std::move(model)) {}
  /// tokens to one result.
  Tensors forward(Inputs inputs) const override;
};

}  // namespace gyre
