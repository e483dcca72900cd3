#pragma once
#include <concepts>
#include <memory>
#include <vector>

#include "gyre/nn/layer.h"

namespace gyre::nn {

/// Layers applied in order, named "0", "1", ...:
///   Sequential net(Linear(784, 128), OpLayer(relu_def), Linear(128, 10));
class Sequential : public Layer {
 public:
  Sequential() = default;
  template <std::derived_from<Module>... L>
    requires(sizeof...(L) > 0)
  explicit Sequential(L... layers) {
    (add(std::make_shared<L>(std::move(layers))), ...);
  }

  /// Error{value} for null.
  void add(std::shared_ptr<Module> layer);
  [[nodiscard]] size_t size() const { return layers_.size(); }
  /// Error{index} for an index out of range.
  [[nodiscard]] const std::shared_ptr<Module>& operator[](size_t i) const;

  /// Each layer receives the first output of the one before.
  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

 private:
  std::vector<std::shared_ptr<Module>> layers_;
};

}  // namespace gyre::nn
