#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gyre {

/// How many letters must be put in, left out, replaced or exchanged with their neighbour to make
/// one word of the other; case does not count.
size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `names` that `word` was probably meant to be, or empty: some of it must be right.
std::string nearest(std::string_view word, std::span<const std::string> names);

/// "; did you mean NAME?" with the nearest name, or nothing: to be appended to a message.
std::string suggestion(std::string_view word, std::span<const std::string> names);

}  // namespace gyre
