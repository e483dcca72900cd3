#pragma once
#include <memory>
#include <vector>

#include "gyre/logic/analysis/domain.h"
#include "gyre/logic/analysis/index_formula.h"
#include "gyre/logic/syntax/words.h"
#include "gyre/op/op_def.h"

namespace gyre::logic {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// A position of a reference to a tensor.
struct Position {
  enum Kind : uint8_t { variable, constant, affine, slice };
  Kind kind;
  Label label = -1;            ///< of variable and slice
  int64_t value = 0, end = 0;  ///< a constant; a slice [value, end)
  const Expr* expr = nullptr;  ///< affine: integers and variables
  IndexFormula formula{};      ///< of expr
  LabelList labels{};          ///< its variables
  bool is_virtual = false;
};

/// A step of an equation. Its result has one axis for each label of `axes`, in that order.
struct Node {
  enum Kind : uint8_t {
    number,   ///< `value`
    index,    ///< 0, 1, ... along a label
    literal,  ///< `tensor`, without labels
    load,     ///< an entity at positions
    product,  ///< of the children, summed over the labels that are not in `axes`
    sum,      ///< of the children
    call,     ///< `op` on the children, element by element
    along,    ///< a builtin along the labels `marked`
    reduce,   ///< over the labels that are not in `axes`, by `projection`
    gradient  ///< of child 0 by an entity at positions
  };
  Kind kind;
  LabelList axes{};
  std::vector<NodePtr> children{};
  std::vector<bool> inverse{};  ///< by child: divides (product), subtracts (sum)
  double value = 0;
  Label label = -1;
  int entity = -1;
  std::vector<Position> positions{};
  const OpDef* op = nullptr;
  Attrs attrs{};
  const Builtin* builtin = nullptr;
  LabelList marked{};
  Projection projection = Projection::sum;
  Tensor tensor{};
  Place place{};
};

/// A variable of an equation.
struct Variable {
  std::string name;
  Axis axis{};
  Place place{};
};

/// An equation as steps.
struct Lowered {
  int entity = -1;  ///< -1: a query or a value of a script
  Projection projection = Projection::sum;
  NodePtr right{};  ///< with an axis for each variable of the left positions
  std::vector<Position> left{};
  std::vector<Variable> variables{};
  NodePtr mask{};            ///< `where`
  std::vector<int> reads{};  ///< entities
  const Equation* source = nullptr;
  Place place{};
};

}  // namespace gyre::logic
