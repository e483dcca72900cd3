#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "gyre/base/record.h"
#include "gyre/io/json.h"
#include "gyre/optim/optimizer.h"

namespace gyre {

/// An optimiser as data, for everything that chooses one by name.
struct OptimizerDef {
  const char* name;
  const char* class_name;  ///< as a class of it is called
  const char* doc;         ///< the formula of a step and its source
  const Record* options;   ///< of a group; the field `lr` is its learning rate
  /// `options` is an object of that record. Errors: those of the optimiser.
  std::unique_ptr<Optimizer> (*make)(std::span<const Tensor> parameters, const void* options);
  bool on_manifolds = false;  ///< steps points along their space (tensor/points.h)
};

/// The list of optimisers. Code below registry/ that chooses among them is handed one of these.
struct OptimizerTable {
  std::span<const OptimizerDef* const> optimizers;
  /// The optimiser of that name. Error{value} naming all there are, the likeliest first.
  [[nodiscard]] const OptimizerDef& of(std::string_view name) const;
};

#define OPTIMIZER(name) extern const OptimizerDef name##_optimizer;
#include "gyre/optim/optimizers.def"
#undef OPTIMIZER

/// Error{value} naming an option and what is wanted, unless it `holds` of the value.
void require_option(const OptimizerDef& def, bool holds, const char* option, double value,
                    const char* wanted);

/// An optimiser of `table` whose first group has these options; those that the object does not name
/// have their defaults. Errors: as above, of record_from_json, of the optimiser.
std::unique_ptr<Optimizer> make_optimizer(const OptimizerTable& table, std::string_view name,
                                          const Json& options, std::span<const Tensor> parameters);

}  // namespace gyre
