#include <algorithm>
#include <string>

#include "gyre/base/error.h"
#include "gyre/io/csv.h"

namespace gyre {
namespace {

constexpr char kSeparators[] = {',', ';', '\t'};

}  // namespace

CsvReader::CsvReader(std::string_view text, const std::string& path, CsvSeparator separator)
    : path_(path) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  at_ = text.data();
  end_ = at_ + text.size();
  if (separator == CsvSeparator::detect) {
    detect_separator();
  } else {
    separator_ = kSeparators[static_cast<size_t>(separator) - 1];
  }
}

void CsvReader::fail(const Message& why) const {
  throw Error(Code::parse, "csv", {path_, ": line ", line_, ": ", why});
}

/// The separator that occurs most often in the first record, outside of quotes.
void CsvReader::detect_separator() {
  int64_t counts[std::size(kSeparators)] = {};
  bool quoted = false, seen = false;
  for (const char* c = at_; c != end_ && (quoted || !seen || *c != '\n'); ++c) {
    if (*c == '"') quoted = !quoted;
    seen = seen || (*c != '\n' && *c != '\r');
    for (size_t i = 0; i < std::size(kSeparators); ++i)
      counts[i] += !quoted && *c == kSeparators[i];
  }
  separator_ = kSeparators[std::max_element(std::begin(counts), std::end(counts)) - counts];
}

/// Skips spaces and tabs that are no separators.
void CsvReader::skip_blanks() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t') && *at_ != separator_) ++at_;
}

/// From the first character of a field to the separator or the end of the line, without blanks at
/// its end.
std::string_view CsvReader::plain_field() {
  const char* begin = at_;
  while (at_ != end_ && *at_ != separator_ && *at_ != '\n') {
    if (*at_ == '"') fail("a quote inside an unquoted field");
    if (*at_ == '\r') {
      if (at_ + 1 == end_ || at_[1] == '\n') break;
      fail("a carriage return in an unquoted field");
    }
    ++at_;
  }
  const char* end = at_;
  while (end != begin && (end[-1] == ' ' || end[-1] == '\t')) --end;
  return {begin, static_cast<size_t>(end - begin)};
}

/// From after the opening quote to after the closing one.
std::string_view CsvReader::quoted_field() {
  const char* begin = at_;
  std::string* whole = nullptr;
  for (;;) {
    const char* piece = at_;
    while (at_ != end_ && *at_ != '"') line_ += *at_++ == '\n';
    if (at_ == end_) {
      line_ = record_line_;
      fail("a quoted field of the record that starts here is not closed");
    }
    const std::string_view found(piece, static_cast<size_t>(at_++ - piece));
    const bool more = at_ != end_ && *at_ == '"';
    if (whole == nullptr && !more) return {begin, found.size()};
    if (whole == nullptr) {
      if (unquoted_used_ == unquoted_.size()) unquoted_.emplace_back();
      whole = &unquoted_[unquoted_used_++];
      whole->clear();
    }
    whole->append(found);
    if (!more) return *whole;
    *whole += *at_++;
  }
}

/// Skips the end of a field; returns whether another one follows.
bool CsvReader::end_of_field() {
  if (at_ == end_) return false;
  if (*at_ == separator_) {
    ++at_;
    return true;
  }
  if (*at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n')) ++at_;
  if (at_ == end_) return false;
  if (*at_ != '\n') fail("text follows the quote that closes a field");
  ++at_;
  ++line_;
  return false;
}

bool CsvReader::next(std::vector<std::string_view>& fields) {
  fields.clear();
  if (at_ == end_) return false;
  record_line_ = line_;
  unquoted_used_ = 0;
  do {
    skip_blanks();
    const bool quoted = at_ != end_ && *at_ == '"';
    if (quoted) ++at_;
    fields.push_back(quoted ? quoted_field() : plain_field());
    if (quoted) skip_blanks();
  } while (end_of_field());
  return true;
}

std::string csv_field(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool plain = !text.empty() && text.find_first_of(",;\t\"\n\r") == text.npos &&
                     !is_blank(text.front()) && !is_blank(text.back());
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace gyre
