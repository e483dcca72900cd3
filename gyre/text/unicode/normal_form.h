#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

/// Unicode normalization forms (Unicode Standard Annex 15).
enum class NormalForm : uint8_t { nfc, nfd, nfkc, nfkd };

/// The text in a normalization form. Bytes that are not UTF-8 stay as they are, and nothing is
/// reordered or composed across them. Linear in the text, but for runs of combining marks, which
/// are sorted.
[[nodiscard]] std::string normalized(std::string_view utf8, NormalForm form);

}  // namespace gyre
