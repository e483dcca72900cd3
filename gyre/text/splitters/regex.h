#pragma once

#include <memory>
#include <string_view>

#include "gyre/base/function_ref.h"

namespace gyre {

/// A compiled regular expression in Oniguruma's Ruby syntax, run by ICU.
class Regex {
 public:
  virtual ~Regex() = default;

  /// Compiles a pattern; `field` names its place in messages. What the two syntaxes write
  /// differently is translated (regex_syntax.h). Throws Error{parse} for a malformed pattern,
  /// Error{unsupported} for what ICU lacks, Error{unavailable} in a build without ICU.
  static std::shared_ptr<const Regex> compile(std::string_view pattern, std::string_view field);

  /// Calls `found` with the first byte and the end of every match in order; an empty match directly
  /// after another match is left out. Throws Error{resource} at ICU's limit of backtracking.
  virtual void for_each_match(std::string_view text,
                              FunctionRef<void(size_t, size_t)> found) const = 0;
};

}  // namespace gyre
