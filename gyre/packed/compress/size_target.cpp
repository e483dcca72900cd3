#include "gyre/packed/compress/size_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/packed/compress/choose_formats.h"

namespace gyre {
namespace {

constexpr const char* kCompress = "compress";
constexpr double kMostBits = 9;  // any format has fewer: likely a factor without its x

}  // namespace

SizeTarget::SizeTarget(const std::string& text) : text_(text), factor_(text.ends_with('x')) {
  const char *begin = text.data(), *end = begin + text.size() - (factor_ ? 1 : 0);
  const auto [rest, error] = std::from_chars(begin, end, number_);
  const bool useful = number_ > 0 && (factor_ || number_ <= kMostBits);
  if (error == std::errc() && rest == end && std::isfinite(number_) && useful) return;
  constexpr const char* kWanted = "a factor such as 10x, or bits a weight such as 3.2, at most 9";
  throw mismatch(Code::value, kCompress, {"expected `target` to be ", kWanted}, kWanted,
                 {"'", text, "'"});
}

int64_t SizeTarget::meet(std::vector<PlannedTensor>& plan, int64_t f32_bytes, bool has_rules,
                         FunctionRef<uint64_t()> file_bytes) const {
  int64_t count = 0;
  for (const PlannedTensor& t : plan) count += t.tensor.numel();
  const auto all = static_cast<double>(f32_bytes), weights = static_cast<double>(count);
  const double wanted = factor_ ? all / number_ : number_ * weights / 8;
  const auto most = static_cast<int64_t>(std::min(wanted, all));
  const uint64_t length = choose_formats(plan, static_cast<uint64_t>(most), file_bytes);
  if (length <= static_cast<uint64_t>(most)) return most;
  // rounded so that it can be reached
  const auto smallest = static_cast<double>(length);
  const double figure =
      factor_ ? std::floor(100 * all / smallest) : std::ceil(800 * smallest / weights);
  const std::string best = fmt::format("{:.2f}{}", figure / 100, factor_ ? "x" : "");
  throw mismatch(Code::value, kCompress,
                 {"for this model", has_rules ? " and `policy`" : "", ", `target` can be ", best,
                  factor_ ? " at most" : " or more"},
                 best, text_);
}

}  // namespace gyre
