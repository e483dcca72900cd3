#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// Parses token ids; spaces around numbers are ignored. Error{value}, naming the caller `op`, the
/// option `ids` and the first invalid element.
[[nodiscard]] std::vector<int32_t> parse_token_ids(std::span<const std::string> texts,
                                                   std::string_view op);

}  // namespace gyre
