#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "gyre/base/function_ref.h"
#include "gyre/logic/analysis/names.h"
#include "gyre/logic/analysis/node.h"
#include "gyre/ops/einsum/plan.h"

namespace gyre::logic {

/// A tensor with an axis for each label, in that order.
struct Value {
  Tensor tensor;
  LabelList axes;
};

/// Whether a label is among them.
inline bool has(const LabelList& labels, Label l) {
  return std::find(labels.begin(), labels.end(), l) != labels.end();
}

/// The place of a label; the number of labels where it is not among them.
inline int place_of(const LabelList& labels, Label l) {
  return static_cast<int>(std::find(labels.begin(), labels.end(), l) - labels.begin());
}

/// Whether a tensor is read at a sum or product of indices anywhere.
inline bool has_affine(const std::vector<Position>& positions) {
  return std::any_of(positions.begin(), positions.end(),
                     [](const Position& p) { return p.kind == Position::affine; });
}

/// The plans of the products of an equation, kept from one run to the next.
struct ProductPlans {
  struct Plan {
    std::vector<Shape> shapes;
    EinsumPlan plan;
  };
  std::unordered_map<const Node*, Plan> by_node{};
};

/// Runs the steps of one equation.
class Evaluator {
 public:
  /// What it reads: the dense value of an entity, a relation as 0 and 1.
  using Load = FunctionRef<Tensor(int entity)>;
  /// The slice of an entity of the equation's own recursion at an index of the axis that increases;
  /// an empty tensor where the entity has no such slices.
  using LoadSlice = FunctionRef<Tensor(int entity, int64_t at)>;

  /// The tuples of a join of relations, with a column for each label.
  using Join = FunctionRef<std::vector<uint32_t>(std::span<const Node* const> atoms,
                                                 std::span<const Label> columns)>;
  /// Whether a relation has too few tuples for a dense value.
  using IsSparse = FunctionRef<bool(int entity)>;
  /// Whether an entity has tuples that are not differentiated.
  using IsRelation = FunctionRef<bool(int entity)>;
  /// The number of tuples of a join of relations.
  using Count = FunctionRef<int64_t(std::span<const Node* const> atoms)>;
  /// How the tuples of relations are read. All must outlive the runs.
  struct Tuples {
    IsSparse is_sparse;
    IsRelation is_relation;
    Count count;
    Join join;
  };
  /// `load` and `tuples` must outlive the runs.
  Evaluator(const Names& names, const Lowered& equation, DType dtype, Load load,
            const Tuples& tuples, ProductPlans& plans)
      : names_(names), l_(equation), dtype_(dtype), load_(load), tuples_(tuples), plans_(plans) {}

  /// Fixes a variable at a value: results have no axis for it. Positions of entities for which
  /// `axes` has an axis are then read by `slice`. Both must outlive the runs.
  void fix(Label label, int64_t value, const std::map<int, size_t>& axes, const LoadSlice& slice) {
    fixed_ = label;
    fixed_value_ = value;
    sliced_ = &axes;
    slice_ = &slice;
  }

  /// `plan`: where the first evaluation says what it does, if not null. `checks_overflow`: R07
  /// where a value is not finite though what it is computed from is.
  void observe(std::vector<std::string>* plan, bool checks_overflow) {
    plan_ = plan;
    checks_overflow_ = checks_overflow;
  }

  /// The value of a step, with the axes of the node but for the fixed one.
  Value value(const NodePtr& node);
  /// The right side with `where` and the projection: axes are those of the left, in order of
  /// labels.
  Value projected();
  /// Where `where` holds, as a tensor that broadcasts to these axes; for axes that it has besides,
  /// whether it holds anywhere. The equation must have a `where`.
  Tensor inside(const LabelList& axes);
  /// The least fixpoint of the equation and `start` together, where it is that of paths over a
  /// sparse matrix of weights, such as D[x, z] min= D[x, y] + W[y, z]; none for other equations and
  /// where gradients are recorded. Error{numeric} where there is no fixpoint.
  std::optional<Tensor> shortest_paths(int entity, const Tensor& start);
  /// The tensor on the left, of this shape, from projected(): elements that nothing reaches have
  /// the identity of the projection. `skipped`: an axis that the result does not have.
  Tensor placed(const Value& value, const Shape& shape, int skipped = -1);

 private:
  Value computed(const Node& node);
  [[nodiscard]] int64_t size(Label l) const {
    return names_.size_of(l_.variables[static_cast<size_t>(l)].axis);
  }
  [[nodiscard]] LabelList without_fixed(const LabelList& axes) const;
  Value product(const Node& node);
  struct Convolution;
  [[nodiscard]] std::optional<Convolution> convolution_of(const Node& product, const Node& image,
                                                          const NodePtr& kernel) const;
  Tensor windowed(const Convolution& c, const LabelList& order);
  std::optional<Value> convolved(const Node& node);
  struct Layer;
  [[nodiscard]] std::optional<Layer> layer_of(const Node& call) const;
  std::optional<Value> linear_layer(const Node& call);
  Value sparse_product(const Node& node, const std::vector<const Node*>& atoms);
  [[nodiscard]] Tensor places(const std::vector<uint32_t>& tuples, const LabelList& columns,
                              const LabelList& over) const;
  [[nodiscard]] Value at_tuples(const Value& v, const std::vector<uint32_t>& tuples,
                                const LabelList& columns) const;
  /// A minimum or maximum of sums or products of two factors as a matrix product over a semiring,
  /// without the array of all combinations; none where it has another form.
  std::optional<Value> semiring_product(const Node& right, Projection projection,
                                        const LabelList& left);
  Value load(const Node& node);
  Value at_positions(Tensor t, const std::vector<Position>& positions, const LabelList& leading,
                     int sliced);
  Value sum_of(const Node& node);
  Value reduced(const Node& node);
  Value call(const Node& node);
  [[nodiscard]] Attrs attributes_of(const Node& node) const;
  [[nodiscard]] bool compares_elements(const Node& node) const;
  [[nodiscard]] Value places_of(const Node& index) const;
  Value along(const Node& node);
  Value concat(const Node& node);
  Value gradient(const Node& node);
  [[nodiscard]] int64_t at(const IndexFormula& formula, const LabelList& labels,
                           const std::vector<int64_t>& values) const;
  [[nodiscard]] std::vector<int64_t> indices(const IndexFormula& formula,
                                             const LabelList& labels) const;
  [[nodiscard]] Tensor number(double value) const;
  void check_overflow(const Node& node, const Value& value);
  [[nodiscard]] std::string text_of(const Node& node) const;
  void explain_product(const Node& node, const EinsumPlan& plan) const;

  const Names& names_;
  const Lowered& l_;
  DType dtype_;
  Load load_;
  const Tuples& tuples_;
  ProductPlans& plans_;
  Label fixed_ = -1;
  int64_t fixed_value_ = 0;
  const std::map<int, size_t>* sliced_ = nullptr;
  const LoadSlice* slice_ = nullptr;
  std::unordered_map<const Node*, Value> shared_;
  std::vector<std::string>* plan_ = nullptr;
  bool checks_overflow_ = false;
};

/// Sums of products by labels, which may repeat in an operand. The plan is kept for equal shapes.
Tensor contracted(ProductPlans::Plan& plan, const std::vector<Value>& operands,
                  const LabelList& axes);
/// The quotient; 0 / 0 is refused (R01) with what it means.
Tensor divided(const Tensor& t, const Tensor& by, Place place, const char* meaning);
/// The tensor with an axis for each of `axes`, those that it lacks of size 1.
Tensor aligned(const Value& value, const LabelList& axes);
/// The tensor with `size` elements along an axis: cut, or padded with 0.
Tensor resized(const Tensor& t, int axis, int64_t size);
/// The value of cells that nothing reaches.
double identity_of(Projection projection);
/// Both contributions to one tensor.
Tensor combined(Projection projection, const Tensor& a, const Tensor& b);

}  // namespace gyre::logic
