#pragma once
#include <string>
#include <string_view>

#include "gyre/op/op_def.h"

namespace gyre {

/// "name(x, mask?, axis=-1)"; a number whose default is out of bounds is required. `record`: the
/// attributes, or null.
[[nodiscard]] std::string signature(std::string_view name, const ArgList& args,
                                    const Record* record);

}  // namespace gyre
