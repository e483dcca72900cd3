#pragma once
#include "gyre/logic/syntax/syntax.h"
#include "gyre/logic/syntax/token_stream.h"

namespace gyre::logic {

/// The rules of the grammar for expressions and references, one function each. E0001, E0002.
Expr parse_expr(TokenStream& in);
Expr parse_sum(TokenStream& in);
/// An index expression: integers, names, + - * / %.
Expr parse_index_expr(TokenStream& in);
/// NAME, NAME[..] or NAME(..), whose bracket follows without a space.
Expr parse_ref(TokenStream& in);
/// NAME=VALUE, ... up to the closing parenthesis, which is taken.
std::vector<Attribute> parse_attributes(TokenStream& in);
/// A name, string or integer.
Symbol parse_symbol(TokenStream& in);
/// Whether NAME( is a call and no atom: it begins with a lower-case letter or an underscore.
[[nodiscard]] bool is_function_name(std::string_view name);
/// Whether a comparison comes next, and which.
std::optional<Operator> comparison_at(const TokenStream& in);

}  // namespace gyre::logic
