#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/models/language_model.h"

namespace gyre {

/// What to do with a text that outgrows the context.
enum class Overflow : uint8_t { rotate, error };
inline constexpr const char* kOverflowNames[] = {"rotate", "error"};
template <>
inline constexpr std::span<const char* const> kChoices<Overflow> = kOverflowNames;

/// The logits of several texts, each a row of one cache. A row remembers its tokens, so a call
/// computes those alone that are new: of texts that grew, were cut or changed at their end.
class CachedRows {
 public:
  using Ids = std::span<const int32_t>;

  /// `model` must outlive this.
  CachedRows(const LanguageModel& model, int64_t rows, Overflow overflow = Overflow::rotate,
             CacheDType dtype = CacheDType::model);

  /// f32 logits [rows, count, vocab] after each of the last `count` tokens of each text, valid
  /// until the next call. A text has at least `count` tokens. One longer than the context goes on
  /// with the last half of a context's tokens, since learned positions are absolute; Error{value}
  /// for Overflow::error, which changes nothing. Errors of LanguageModel::next(), after which the
  /// next call computes all tokens again.
  std::span<const float> next(std::span<const Ids> texts, int64_t count = 1);
  std::span<const float> next(Ids text, int64_t count = 1) { return next({&text, 1}, count); }
  /// How many tokens are kept, the last ones, of a text that is longer than the context.
  static constexpr size_t kept_of(size_t context) { return context - context / 2; }
  /// Goes on with these rows, which may repeat.
  void keep(std::span<const int64_t> rows);
  /// How many more tokens of a text fit in without rotation, and with all but the last of them
  /// within the reach of its length (LanguageModel::reach()).
  [[nodiscard]] int64_t room(int64_t row, Ids text) const;

 private:
  struct Row {
    size_t begin = 0;             // how many tokens of the text are before those in the cache
    std::vector<int32_t> tokens;  // in the cache
    size_t most = 0;              // tokens there were since the row was empty
  };
  void check(std::span<const Ids> texts) const;
  void forget();
  void prepare(int64_t at, Ids text, size_t count);
  Ids fresh(size_t row, Ids text) const;
  Tensor feed(std::span<const Ids> tokens, TokenCache& cache, int64_t count) const;

  const LanguageModel& model_;
  Overflow overflow_;
  TokenCache cache_;
  std::vector<Row> rows_;
  std::vector<float> logits_;
  bool in_step_ = false;  // still set after an error: the rows may differ from the cache
};

}  // namespace gyre
