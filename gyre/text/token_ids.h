#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gyre {

/// Parses a list of token ids such as "1,2, 3"; "" gives none. Spaces around numbers are ignored.
/// Error{value}, naming the caller `op`, the option `ids` and the first invalid element.
[[nodiscard]] std::vector<int32_t> parse_token_ids(std::string_view text, std::string_view op);

}  // namespace gyre
