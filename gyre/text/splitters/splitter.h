#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "gyre/base/function_ref.h"

namespace gyre {

class Regex;

/// Finds the matches of a regular expression in texts, as tokenizers split them. The patterns of
/// well-known tokenizers (known_patterns.h) have code of their own; all others use ICU. Copies
/// share the compiled pattern; all calls may be made from several threads.
class Splitter {
 public:
  /// Called with a match's first byte and the byte past its end.
  using Found = FunctionRef<void(size_t begin, size_t end)>;

  /// A splitter for a pattern in Oniguruma's Ruby syntax, which `tokenizer.json` has (regex.h).
  /// `field` names its place in messages, such as "pre_tokenizer.pattern.Regex". Throws what
  /// Regex::compile throws for patterns without code of their own.
  static Splitter from_pattern(std::string_view pattern, std::string_view field);

  /// The splitter of GPT-2's pattern.
  static Splitter gpt2();

  /// Calls `found` for every match in order. Matches do not overlap; those of ICU may be empty.
  /// Ill-formed UTF-8 counts as U+FFFD, once per maximal part. Throws Error{resource} where ICU
  /// reaches its limit of backtracking.
  void for_each_match(std::string_view text, Found found) const;

  /// Whether the pattern has code of its own.
  [[nodiscard]] bool is_known() const { return known_ != nullptr; }

 private:
  Splitter() = default;
  using MatchAll = void (*)(std::string_view text, Found found);
  MatchAll known_ = nullptr;
  std::shared_ptr<const Regex> regex_;
};

}  // namespace gyre
