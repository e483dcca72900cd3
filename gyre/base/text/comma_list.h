#pragma once
#include <string_view>

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

}  // namespace gyre
