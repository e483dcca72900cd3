#include <algorithm>
#include <string_view>

#include "gyre/logic/run/evaluator.h"
#include "gyre/ops/linalg/linear_act.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

// `none` where there is no such activation.
LinearActivation activation_of(const Node& node) {
  if (node.children.size() != 1) return LinearActivation::none;
  if (node.kind == Node::along) {
    return node.builtin->id == BuiltinId::sig ? LinearActivation::sigmoid : LinearActivation::none;
  }
  const auto& names = kLinearActivationNames;
  const auto* const at =
      std::find(std::begin(names), std::end(names), std::string_view(node.op->name));
  const bool found = at != std::end(names) && !node.op->attrs;
  return found ? static_cast<LinearActivation>(at - std::begin(names)) : LinearActivation::none;
}

bool has_inverse(const Node& node) {
  return std::find(node.inverse.begin(), node.inverse.end(), true) != node.inverse.end();
}

}  // namespace

// The parts of act(x[.., k] w[j, k] + b[j]).
struct Evaluator::Layer {
  LinearActivation act;
  NodePtr x, weight, bias;
};

std::optional<Evaluator::Layer> Evaluator::layer_of(const Node& node) const {
  Layer layer{activation_of(node), {}, {}, {}};
  if (layer.act == LinearActivation::none || fixed_ >= 0 || checks_overflow_) return std::nullopt;
  // what has another use is computed once, for both
  const NodePtr& sum = node.children[0];
  if (sum->kind != Node::sum || sum.use_count() > 1 || sum->children.size() != 2 ||
      has_inverse(*sum) || sum->axes.size() < 2)
    return std::nullopt;
  const size_t at = sum->children[0]->kind == Node::product ? 0 : 1;
  const NodePtr& product = sum->children[at];
  layer.bias = sum->children[1 - at];
  const Label column = sum->axes.back();
  if (product->kind != Node::product || product.use_count() > 1 || product->children.size() != 2 ||
      has_inverse(*product) || product->axes != sum->axes || layer.bias->axes != LabelList{column})
    return std::nullopt;
  const size_t weight = has(product->children[0]->axes, column) ? 0 : 1;
  layer.weight = product->children[weight];
  layer.x = product->children[1 - weight];
  for (const NodePtr& factor : product->children) {
    const bool is_sparse = factor->kind == Node::load && tuples_.is_sparse(factor->entity);
    if (is_sparse || has_affine(factor->positions)) return std::nullopt;  // products of their own
  }
  LabelList wanted = sum->axes;  // of x
  wanted.back() = layer.x->axes.empty() ? column : layer.x->axes.back();
  const bool fits = layer.x->axes == wanted && layer.weight->axes.size() == 2 &&
                    has(layer.weight->axes, column) && has(layer.weight->axes, wanted.back()) &&
                    wanted.back() != column;
  return fits ? std::optional(layer) : std::nullopt;
}

// A function of a product of matrices and a bias as one op.
std::optional<Value> Evaluator::linear_layer(const Node& node) {
  const std::optional<Layer> layer = layer_of(node);
  if (!layer) return std::nullopt;
  const Value x = value(layer->x), weight = value(layer->weight), bias = value(layer->bias);
  const DType dtype = x.tensor.dtype();
  if (weight.tensor.dtype() != dtype || bias.tensor.dtype() != dtype || !is_floating(dtype))
    return std::nullopt;
  if (plan_) {
    plan_->push_back("linear layer of " + text_of(*layer->x) + " by " + text_of(*layer->weight) +
                     " with " + kLinearActivationNames[static_cast<int>(layer->act)]);
  }
  const bool is_transposed = weight.axes[0] != node.axes.back();
  return Value{linear_act(x.tensor, is_transposed ? transpose(weight.tensor, 0, 1) : weight.tensor,
                          bias.tensor, layer->act),
               node.axes};
}

}  // namespace gyre::logic
