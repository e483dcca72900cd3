#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gyre/base/text/name_table.h"
#include "gyre/logic/syntax/syntax.h"

namespace gyre::logic {

/// The elements that an index ranges over: symbols, or the integers below a size.
struct Domain {
  std::string name{};     ///< empty: inferred from the relations that share it
  bool open = true;       ///< whether symbols join at first sight
  int64_t numbered = -1;  ///< the size of a domain of integers
  NameTable symbols{};
  std::vector<bool> is_integer{};  ///< by symbol: written as an integer

  [[nodiscard]] int64_t size() const { return numbered >= 0 ? numbered : symbols.size(); }
  [[nodiscard]] std::optional<uint32_t> find(const Symbol& symbol) const;
  /// The number of a symbol, which joins an open domain; nullopt if a closed one lacks it.
  std::optional<uint32_t> add(const Symbol& symbol);
  [[nodiscard]] Symbol symbol(uint32_t number) const;
};

/// An axis of a tensor, a position of a relation or the range of an index: over a domain, or over
/// the integers below a size.
struct Axis {
  int domain = -1;
  int64_t size = -1;  ///< without a domain; -1: not known yet
  [[nodiscard]] bool known() const { return domain >= 0 || size >= 0; }
};

}  // namespace gyre::logic
