#pragma once
#include <string>
#include <vector>

#include "gyre/base/text/comma_list.h"

namespace gyre {

/// The items of a text separated by commas; the empty text has none, "a," has an empty last one.
inline std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  const bool ends_in_comma = list.ends_with(',');
  while (!list.empty()) items.emplace_back(take_item(list));
  if (ends_in_comma) items.emplace_back();
  return items;
}

}  // namespace gyre
