#include "gyre/optim/optimizer_def.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/text/nearest.h"
#include "gyre/io/record_json.h"
#include "gyre/op/attrs.h"

namespace gyre {

const OptimizerDef& OptimizerTable::of(std::string_view name) const {
  std::vector<const OptimizerDef*> known(optimizers.begin(), optimizers.end());
  std::stable_sort(known.begin(), known.end(), [&](const OptimizerDef* a, const OptimizerDef* b) {
    return edit_distance(name, a->name) < edit_distance(name, b->name);
  });
  if (known[0]->name == name) return *known[0];
  std::string names;
  for (const OptimizerDef* def : known)
    names += (names.empty() ? "" : ", ") + std::string(def->name);
  throw Error(Code::value, "optimizer", {"unknown optimiser ", name, "; choose from ", names},
              names, name);
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerTable& table, std::string_view name,
                                          const Json& options, std::span<const Tensor> parameters) {
  const OptimizerDef& def = table.of(name);
  OpenAttrs box(*def.options);
  record_from_json(*def.options, box.memory, options);
  return def.make(parameters, box.memory);
}

}  // namespace gyre
