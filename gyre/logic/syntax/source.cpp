#include "gyre/logic/syntax/source.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/printable.h"
#include "gyre/base/text/utf8.h"

namespace gyre::logic {
namespace {

constexpr size_t kAround = 60;  // bytes of a long line shown on each side of the place

int64_t characters(std::string_view text) {
  int64_t count = 0;
  for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) ++count;
  return count;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

uint32_t Sources::add(SourceFile file) {
  if (file.text.size() >= UINT32_MAX) {
    throw Error(Code::resource, file.path, "a program has less than 4 GiB");
  }
  files_.push_back(std::move(file));
  return size() - 1;
}

LineColumn Sources::where(Place place) const {
  const std::string_view before = std::string_view(files_[place.file].text).substr(0, place.begin);
  const size_t last = before.rfind('\n');
  const size_t start = last == std::string_view::npos ? 0 : last + 1;
  return {1 + std::count(before.begin(), before.end(), '\n'), 1 + characters(before.substr(start))};
}

std::string Sources::excerpt(Place place) const {
  const std::string_view text = files_[place.file].text;
  const size_t at = std::min<size_t>(place.begin, text.size());
  size_t start = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  start = start == std::string_view::npos ? 0 : start + 1;
  size_t end = std::min(text.find('\n', at), text.size());
  const bool cut_left = at - start > kAround, cut_right = end - at > kAround;
  if (cut_left) start = at - kAround;
  if (cut_right) end = at + kAround;
  while (start < at && continues(text[start])) ++start;
  while (end > at && end < text.size() && continues(text[end])) --end;
  std::string before =
      std::string(cut_left ? "..." : "") + printable(std::string(text.substr(start, at - start)));
  std::replace(before.begin(), before.end(), '\t', ' ');
  const int64_t marks =
      std::max<int64_t>(1, characters(text.substr(at, std::min<size_t>(end, place.end) -
                                                          std::min<size_t>(at, place.end))));
  std::string line =
      before + printable(std::string(text.substr(at, end - at))) + (cut_right ? "..." : "");
  return line + '\n' + std::string(static_cast<size_t>(characters(before)), ' ') + '^' +
         std::string(static_cast<size_t>(marks - 1), '~');
}

}  // namespace gyre::logic
