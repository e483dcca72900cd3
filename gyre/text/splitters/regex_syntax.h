#pragma once

#include <string>
#include <string_view>

namespace gyre {

/// A pattern in Oniguruma's Ruby syntax, written in ICU's where the two differ: `\b`, `\h`, `\w`,
/// `\v`, `\N`, `\O`, `\p{^...}`, POSIX brackets, the option m (dot matches newlines), options up to
/// the end of a group, `{,n}`, `{n}?` and `{n,m}+` (which repeat the repetition), braces and `]`
/// that stand for themselves, unknown escapes of letters. Throws Error{unsupported}, naming
/// `field`, for subexpression calls, `\K`, `\y`, absent operators and conditions. The result is
/// malformed where the pattern is.
[[nodiscard]] std::string icu_syntax(std::string_view pattern, std::string_view field);

}  // namespace gyre
