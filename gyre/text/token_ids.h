#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gyre {

/// The ids in a list such as "1,2, 3"; none for "". Blanks around a number are fine. Error{value}
/// of `op`, which asks, naming the first element that is no id, and speaking of the option `ids`.
[[nodiscard]] std::vector<int32_t> parse_token_ids(std::string_view text, std::string_view op);

}  // namespace gyre
