#include "gyre/packed/compress/choose_formats.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "gyre/ops/create/create.h"
#include "gyre/packed/packed_layout.h"

namespace gyre {
namespace {

constexpr size_t kMostSums = 2048;
constexpr PackedFormat kChosen[] = {PackedFormat::D4, PackedFormat::D3, PackedFormat::D2,
                                    PackedFormat::D1, PackedFormat::q8_0};

// Options of the first items, and what they add up to.
struct Sum {
  int64_t bytes = 0;
  double error = 0;
  size_t before = 0, option = 0;  ///< the sum of the items before, the option of the last one
};
/// Bytes ascend, errors descend.
using Sums = std::vector<Sum>;

// Keeps the smallest sum, and of those that nearly have the same bytes the one of least error.
Sums thinned(const Sums& sums) {
  if (sums.size() <= kMostSums) return sums;
  const int64_t least = sums.front().bytes,
                width = (sums.back().bytes - least) / static_cast<int64_t>(kMostSums) + 1;
  const auto place = [&](size_t i) { return (sums[i].bytes - least) / width; };
  Sums kept{sums.front()};
  for (size_t i = 1; i < sums.size(); ++i) {
    if (i + 1 == sums.size() || place(i) != place(i + 1)) kept.push_back(sums[i]);
  }
  return kept;
}

// The sums with one more item that are at most `most` and better than all smaller ones.
Sums extended(const Sums& sums, std::span<const FormatOption> options, int64_t most) {
  Sums all, kept;
  for (size_t i = 0; i < sums.size(); ++i) {
    for (size_t k = 0; k < options.size(); ++k)
      all.push_back({sums[i].bytes + options[k].bytes, sums[i].error + options[k].error, i, k});
  }
  std::ranges::stable_sort(all, {}, [](const Sum& s) { return std::tie(s.bytes, s.error); });
  for (const Sum& s : all) {
    if (kept.empty() || (s.bytes <= most && s.error < kept.back().error)) kept.push_back(s);
  }
  return thinned(kept);
}

int64_t fewest_bytes(std::span<const FormatOption> options) {
  return std::ranges::min(options, {}, &FormatOption::bytes).bytes;
}

// The sum of squares of a tensor, and the largest root mean square of a row.
struct Sizes {
  double squares = 0, row = 0;
};

Sizes sizes_of(const Tensor& t) {
  const std::vector<float> weights = to_vector<float>(t);
  const auto rows = static_cast<size_t>(t.size(0)), cols = weights.size() / rows;
  Sizes sizes;
  for (size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (size_t i = 0; i < cols; ++i)
      sum += static_cast<double>(weights[row * cols + i]) * weights[row * cols + i];
    sizes.squares += sum;
    sizes.row = std::max(sizes.row, std::sqrt(sum / static_cast<double>(cols)));
  }
  return std::isfinite(sizes.squares) ? sizes : Sizes{};  // compress() names the tensor
}

// Parts of a row may be larger than all of it.
bool holds(const Codec& format, const Sizes& sizes) {
  return !format.has_rings || sizes.row < static_cast<double>(kLargestScale) / 2;
}

// A tensor whose format is free, and the formats that it may have.
struct Choice {
  PlannedTensor* tensor;
  std::vector<const Codec*> formats{};
  std::vector<FormatOption> options{};
};

Choice choice_of(PlannedTensor& t) {
  const Sizes sizes = sizes_of(t.tensor);
  const double squares = t.sensitivity * sizes.squares;
  Choice choice{&t};
  for (const PackedFormat format : kChosen) {
    const Codec& chosen = codec(format);
    if (!holds(chosen, sizes)) continue;
    const PackedLayout layout = packed_layout(chosen, t.tensor.shape(), "compress");
    choice.formats.push_back(&chosen);
    choice.options.push_back(
        {static_cast<int64_t>(layout.bytes()), chosen.error * chosen.error * squares});
  }
  return choice;
}

}  // namespace

std::vector<size_t> least_error(std::span<const std::vector<FormatOption>> items, int64_t most) {
  int64_t rest = 0;  // of the items to come, the fewest bytes
  for (const auto& options : items) rest += fewest_bytes(options);
  std::vector<Sums> sums{{Sum{}}};
  for (const auto& options : items) {
    rest -= fewest_bytes(options);
    sums.push_back(extended(sums.back(), options, most - rest));
  }
  std::vector<size_t> chosen(items.size());
  for (size_t i = items.size(), at = sums.back().size() - 1; i > 0; --i) {
    chosen[i - 1] = sums[i][at].option;
    at = sums[i][at].before;
  }
  return chosen;
}

uint64_t choose_formats(std::vector<PlannedTensor>& plan, uint64_t most,
                        FunctionRef<uint64_t()> file_bytes) {
  std::vector<Choice> choices;
  std::vector<std::vector<FormatOption>> items;
  for (PlannedTensor& t : plan) {
    if (!t.free) continue;
    choices.push_back(choice_of(t));
    items.push_back(choices.back().options);
  }
  int64_t words = 0;  // bytes of words and headers of the formats chosen last
  const auto choose = [&](int64_t within) {
    const std::vector<size_t> chosen = least_error(items, within);
    words = 0;
    for (size_t i = 0; i < chosen.size(); ++i) {
      choices[i].tensor->format = choices[i].formats[chosen[i]];
      words += items[i][chosen[i]].bytes;
    }
    return file_bytes();
  };
  uint64_t length = choose(0);  // the smallest
  if (length > most) return length;
  // what is left for words; the names and numbers in a file's header take a little more of it
  for (int64_t within = words + static_cast<int64_t>(most - length);;
       within -= static_cast<int64_t>(length - most)) {
    length = choose(within);
    if (length <= most) return length;
  }
}

}  // namespace gyre
