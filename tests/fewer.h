#pragma once
#include <iterator>
#include <vector>

// Less work under a sanitizer, where a test takes three to fifteen times as long and finds in few
// repetitions what it finds in many.

namespace gyre {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// n, under a sanitizer an eighth of it.
template <class Int>
constexpr Int fewer(Int n) {
  return kSanitized ? n / 8 : n;
}

/// The items of a list, under a sanitizer every third.
template <class List>
auto fewer_of(const List& list) {
  std::vector<std::decay_t<decltype(*std::begin(list))>> chosen;
  int i = 0;
  for (const auto& item : list) {
    if (!kSanitized || i++ % 3 == 0) chosen.push_back(item);
  }
  return chosen;
}

}  // namespace gyre
