#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "gyre/base/record.h"
#include "gyre/io/json.h"
#include "gyre/optim/optimizer.h"

namespace gyre {

struct OpDef;

/// Definition of an optimiser, for code that selects one by name.
struct OptimizerDef {
  const char* name = nullptr;
  const char* class_name = nullptr;  ///< name of its class
  const char* doc = "";              ///< update formula and its source
  const Record* options = nullptr;   ///< of a group; the field `lr` is the learning rate
  const OpDef* step = nullptr;       ///< the op of a step (optim_ops.h)
  /// `options` is an object of that record. Errors: those of the optimiser.
  std::unique_ptr<Optimizer> (*make)(std::span<const Tensor> parameters,
                                     const void* options) = nullptr;
  std::span<const StepRoute> routes{&kChunks, 1};  ///< the first that takes a parameter
  std::span<const char* const> states{};  ///< names of state tensors if not those of `step`
};

/// The list of optimisers. Code below registry/ that selects among them takes one as an argument.
struct OptimizerTable {
  std::span<const OptimizerDef* const> optimizers;
  /// The optimiser with that name. Error{value} listing all names, the most similar first.
  [[nodiscard]] const OptimizerDef& of(std::string_view name) const;
};

#define OPTIMIZER(name) extern const OptimizerDef name##_optimizer;
#include "gyre/optim/optimizers.def"
#undef OPTIMIZER

/// Makes an optimiser of `table` with one group; options not given have their defaults. Errors: as
/// above, of record_from_json, of the optimiser.
std::unique_ptr<Optimizer> make_optimizer(const OptimizerTable& table, std::string_view name,
                                          const Json& options, std::span<const Tensor> parameters);

}  // namespace gyre
