#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gyre/base/function_ref.h"
#include "gyre/logic/syntax/syntax.h"

namespace gyre::logic {

/// The value of an index expression: `/` rounds down and `%` is never negative. nullopt where
/// `value_of` has none for a name, for a divisor below 1 and beyond 64 bits.
std::optional<int64_t> index_value(
    const Expr& expr, FunctionRef<std::optional<int64_t>(const std::string& name)> value_of);

/// The same for one operator and its operands.
std::optional<int64_t> index_value(Operator op, int64_t a, int64_t b);

}  // namespace gyre::logic
