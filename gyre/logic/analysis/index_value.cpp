#include "gyre/logic/analysis/index_value.h"

#include <charconv>

namespace gyre::logic {

std::optional<int64_t> index_value(Operator op, int64_t a, int64_t b) {
  int64_t value = 0;
  bool overflows = false;
  switch (op) {
    case Operator::add:
      overflows = __builtin_add_overflow(a, b, &value);
      break;
    case Operator::subtract:
      overflows = __builtin_sub_overflow(a, b, &value);
      break;
    case Operator::join:
      overflows = __builtin_mul_overflow(a, b, &value);
      break;
    case Operator::divide:
      if (b < 1) return std::nullopt;
      return a / b - (a % b < 0);
    case Operator::remainder:
      if (b < 1) return std::nullopt;
      value = a % b;
      return value < 0 ? value + b : value;
    default:
      return std::nullopt;
  }
  return overflows ? std::nullopt : std::optional(value);
}

std::optional<int64_t> index_value(
    const Expr& expr, FunctionRef<std::optional<int64_t>(const std::string& name)> value_of) {
  if (expr.kind == Expr::number && expr.is_integer) {
    int64_t value = 0;
    const char* end = expr.name.data() + expr.name.size();
    const bool fits = std::from_chars(expr.name.data(), end, value).ec == std::errc();
    return fits ? std::optional(value) : std::nullopt;
  }
  if (expr.kind == Expr::reference && !expr.bracketed) return value_of(expr.name);
  if (expr.kind != Expr::operation || expr.children.size() != 2) return std::nullopt;
  const auto a = index_value(expr.children[0], value_of);
  const auto b = index_value(expr.children[1], value_of);
  return a && b ? index_value(expr.op, *a, *b) : std::nullopt;
}

}  // namespace gyre::logic
