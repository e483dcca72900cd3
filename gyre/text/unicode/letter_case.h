#pragma once

#include <string>

namespace gyre {

/// Appends the full lower case mapping of a code point in Unicode 17 as UTF-8, without conditions
/// of context: a capital sigma gives U+03C3 at the end of a word too, and only U+0130 gives two
/// code points.
void append_lower(std::string& out, char32_t code);

}  // namespace gyre
