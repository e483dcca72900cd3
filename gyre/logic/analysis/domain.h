#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/text/name_table.h"
#include "gyre/logic/syntax/syntax.h"

namespace gyre::logic {

/// The integer that a text is; nullopt for other text, and beyond 64 bits.
std::optional<int64_t> integer_of(std::string_view text);

/// The elements that an index ranges over: symbols, or the integers below a size.
struct Domain {
  std::string name{};     ///< empty: inferred from the relations that share it
  bool open = true;       ///< whether elements join at first sight
  int64_t numbered = -1;  ///< the size of a domain of integers; -1: it has symbols
  NameTable symbols{};
  std::vector<bool> is_integer{};  ///< by symbol: written as an integer
  uint32_t written = 0;  ///< the first symbols are in the text of the program, not in data

  [[nodiscard]] int64_t size() const { return numbered >= 0 ? numbered : symbols.size(); }
  [[nodiscard]] std::optional<uint32_t> find(const Symbol& symbol) const;
  /// The number of a symbol, which joins an open domain; nullopt if a closed one lacks it, or if it
  /// is no integer and those of the domain are.
  std::optional<uint32_t> add(const Symbol& symbol);
  /// Whether add() would find or take it.
  [[nodiscard]] bool accepts(const Symbol& symbol) const;
  [[nodiscard]] Symbol symbol(uint32_t number) const;
  /// Whether an element may be written as this word.
  [[nodiscard]] bool has_word(const std::string& word) const;
  /// The integer that an element is; nullopt for a word.
  [[nodiscard]] std::optional<int64_t> integer(uint32_t number) const;
};

/// An axis of a tensor, a position of a relation or the range of an index: over a domain, or over
/// the integers below a size.
struct Axis {
  int domain = -1;
  int64_t size = -1;  ///< without a domain; -1: not known yet
  [[nodiscard]] bool known() const { return domain >= 0 || size >= 0; }
};

}  // namespace gyre::logic
