#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/logic/syntax/syntax.h"
#include "gyre/logic/syntax/token_stream.h"

namespace gyre::logic {

/// Parses a declaration without statements inside (all but fn), if the next word begins one, and
/// says whether. E0001, E0002.
bool parse_declaration(TokenStream& in, Statement& s);

/// A name that begins with an upper-case letter.
std::string parse_relation_name(TokenStream& in);
/// An integer of at least 1; `what` is for the message: "a size".
int64_t parse_positive(TokenStream& in, std::string_view what);
/// NAME: of an embedding or of learn. Each stands there once: `seen` has those before, and then
/// this one.
std::string parse_field_name(TokenStream& in, std::vector<std::string>& seen,
                             std::string_view expected);

}  // namespace gyre::logic
