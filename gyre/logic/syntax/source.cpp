#include "gyre/logic/syntax/source.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/printable.h"

namespace gyre::logic {
namespace {

constexpr size_t kAround = 60;  // bytes of a long line shown on each side of the place

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

int64_t characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); });
}

// Part of a line as a message shows it, of one column a character.
std::string shown_part(std::string_view text) {
  std::string spaces(text);
  std::replace(spaces.begin(), spaces.end(), '\t', ' ');
  return printable(spaces);
}

}  // namespace

uint32_t Sources::add(SourceFile file) {
  if (file.text.size() >= UINT32_MAX) {
    throw Error(Code::resource, file.path, "a program has less than 4 GiB");
  }
  std::vector<uint32_t>& newlines = newlines_.emplace_back();
  for (size_t at = file.text.find('\n'); at != std::string::npos;
       at = file.text.find('\n', at + 1)) {
    newlines.push_back(static_cast<uint32_t>(at));
  }
  files_.push_back(std::move(file));
  return size() - 1;
}

void Sources::remove_last() {
  files_.pop_back();
  newlines_.pop_back();
}

Sources::Line Sources::line_of(uint32_t file, size_t at) const {
  const std::vector<uint32_t>& newlines = newlines_[file];
  const std::string_view text = files_[file].text;
  const auto after = std::lower_bound(newlines.begin(), newlines.end(), at);
  size_t begin = after == newlines.begin() ? 0 : *std::prev(after) + 1;
  if (begin == 0 && text.starts_with("\xEF\xBB\xBF")) begin = std::min<size_t>(3, at);
  return {after - newlines.begin(), begin, after == newlines.end() ? text.size() : *after};
}

LineColumn Sources::where(Place place) const {
  const Line line = line_of(place.file, place.begin);
  const std::string_view text = files_[place.file].text;
  return {1 + line.number, 1 + characters(text.substr(line.begin, place.begin - line.begin))};
}

std::string Sources::excerpt(Place place) const {
  const std::string_view text = files_[place.file].text;
  const size_t at = std::min<size_t>(place.begin, text.size());
  const Line line = line_of(place.file, at);
  size_t start = line.begin, end = line.end;
  if (end > at && text[end - 1] == '\r') --end;
  const bool cut_left = at - start > kAround, cut_right = end - at > kAround;
  if (cut_left) start = at - kAround;
  if (cut_right) end = at + kAround;
  while (start < at && continues(text[start])) ++start;
  while (end > at && end < text.size() && continues(text[end])) --end;
  const size_t marked = std::clamp<size_t>(place.end, at, end);
  const std::string before = (cut_left ? "..." : "") + shown_part(text.substr(start, at - start)),
                    part = shown_part(text.substr(at, marked - at)),
                    rest = shown_part(text.substr(marked, end - marked));
  const auto marks = static_cast<size_t>(std::max<int64_t>(1, characters(part)));
  return before + part + rest + (cut_right ? "..." : "") + '\n' +
         std::string(static_cast<size_t>(characters(before)), ' ') + '^' +
         std::string(marks - 1, '~');
}

}  // namespace gyre::logic
