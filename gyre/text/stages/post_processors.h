#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gyre/text/stages/stage_fields.h"

namespace gyre {

/// What a `post_processor` of Hugging Face's tokenizers puts around one text, and around two.
class PostProcessor {
 public:
  /// Tokens of a template: ids, or the text number 0 or 1.
  struct Item {
    int text = -1;
    std::vector<int32_t> ids{};
  };
  using Template = std::vector<Item>;

  PostProcessor() = default;
  PostProcessor(Template single, Template pair)
      : single_(std::move(single)), pair_(std::move(pair)) {}

  [[nodiscard]] bool adds_nothing() const { return single_.empty(); }
  [[nodiscard]] std::vector<int32_t> apply(std::vector<int32_t> text) const;
  [[nodiscard]] std::vector<int32_t> apply(const std::vector<int32_t>& text,
                                           const std::vector<int32_t>& second) const;

 private:
  static std::vector<int32_t> fill(const Template& form, std::span<const int32_t> text,
                                   std::span<const int32_t> second);
  Template single_, pair_;  // empty: the texts alone
};

/// Errors: those of StageFields; Error{unsupported} for a sequence of two that add tokens.
[[nodiscard]] PostProcessor read_post_processor(StageFields& fields);

}  // namespace gyre
