#include "gyre/base/text/nearest.h"

#include <algorithm>
#include <vector>

#include "gyre/base/text/ascii.h"

namespace gyre {
namespace {

bool same(char a, char b) { return lower_case(a) == lower_case(b); }

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  // rows of the dynamic programming table: two before, one before, current
  std::vector<size_t> older(b.size() + 1), before(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    older.swap(before);
    before.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + !same(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], older[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> names) {
  std::string best;
  size_t least = word.size() / 3 + 1;  // short words match too many names
  for (const std::string& name : names) {
    if (size_t d = edit_distance(word, name); d < least) {
      least = d;
      best = name;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> names) {
  std::string best = nearest(word, names);
  return best.empty() ? best : "; did you mean " + best + "?";
}

}  // namespace gyre
