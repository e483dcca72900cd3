#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gyre {

/// Damerau-Levenshtein distance (insertions, deletions, substitutions, transpositions of adjacent
/// letters), ignoring case.
size_t edit_distance(std::string_view a, std::string_view b);

/// The closest of `names` at an edit distance of at most a third of the word's length, or empty.
std::string nearest(std::string_view word, std::span<const std::string> names);

/// "; did you mean NAME?" with the closest name, or empty: a suffix for error messages.
std::string suggestion(std::string_view word, std::span<const std::string> names);

}  // namespace gyre
