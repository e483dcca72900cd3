#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/text/ascii.h"

// Items of texts separated by commas, without the spaces around an item.

namespace gyre {

/// Removes the first item from the list and returns it.
constexpr std::string_view take_item(std::string_view& list) {
  const size_t comma = list.find(',');
  const std::string_view item = list.substr(0, comma);
  list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
  return trim(item);
}

constexpr bool has_item(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    if (take_item(list) == item) return true;
  }
  return false;
}

/// The items of a text separated by commas; the empty text has none, "a," has an empty last one.
inline std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  const bool ends_in_comma = list.ends_with(',');
  while (!list.empty()) items.emplace_back(take_item(list));
  if (ends_in_comma) items.emplace_back();
  return items;
}

}  // namespace gyre
