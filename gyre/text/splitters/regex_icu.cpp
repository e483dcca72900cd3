#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/splitters/regex.h"
#include "gyre/text/splitters/regex_syntax.h"

#ifdef GYRE_ICU
#include <unicode/regex.h>

#include <string>
#endif

namespace gyre {

#ifdef GYRE_ICU
namespace {

constexpr int32_t kStackBytes = 32 << 20;  // of backtracking; ICU uses up to twice as many
constexpr int32_t kTimeSteps = 1'000;      // of about a millisecond, and some for each character

/// A text as UTF-16 for ICU.
icu::UnicodeString utf16(std::string_view text) {
  icu::UnicodeString out(static_cast<int32_t>(text.size()), 0, 0);
  for (size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    out.append(static_cast<UChar32>(c.code));
    at += c.length;
  }
  return out;
}

/// The byte position of growing positions in a text's UTF-16.
class BytePosition {
 public:
  explicit BytePosition(std::string_view text) : text_(text) {}
  size_t of(int32_t unit) {
    while (unit_ < unit) {
      const Utf8Char c = decode_utf8(text_, byte_);
      byte_ += c.length;
      unit_ += c.code > 0xFFFF ? 2 : 1;
    }
    return byte_;
  }

 private:
  std::string_view text_;
  size_t byte_ = 0;
  int32_t unit_ = 0;
};

class IcuRegex : public Regex {
 public:
  IcuRegex(std::unique_ptr<icu::RegexPattern> compiled, std::string_view pattern,
           std::string_view field)
      : compiled_(std::move(compiled)), pattern_(pattern), field_(field) {}

  void for_each_match(std::string_view text,
                      FunctionRef<void(size_t, size_t)> found) const override {
    if (text.size() > 0x3FFFFFFF) {
      throw Error(
          Code::resource, field_,
          {"texts for a regular expression have at most 1 GiB, got ", text.size(), " bytes"});
    }
    const icu::UnicodeString units = utf16(text);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::RegexMatcher> matcher(compiled_->matcher(units, status));
    if (U_FAILURE(status)) fail(status);
    matcher->setStackLimit(kStackBytes, status);
    matcher->setTimeLimit(kTimeSteps + units.length() / 100, status);
    BytePosition byte(text);
    size_t last_end = text.size() + 1;
    while (matcher->find(status)) {
      const size_t begin = byte.of(matcher->start(status)), end = byte.of(matcher->end(status));
      if (begin == end && end == last_end) continue;
      last_end = end;
      found(begin, end);
    }
    if (U_FAILURE(status)) fail(status);
  }

 private:
  [[noreturn]] void fail(UErrorCode status) const {
    throw Error(Code::resource, field_,
                {"regular expression '", pattern_, "' needs too much backtracking for a text (",
                 u_errorName(status), ")"});
  }

  std::unique_ptr<icu::RegexPattern> compiled_;
  std::string pattern_, field_;
};

/// Whether ICU lacks something, rather than that the pattern is malformed.
bool icu_lacks(UErrorCode status) {
  return status == U_REGEX_UNIMPLEMENTED || status == U_REGEX_LOOK_BEHIND_LIMIT ||
         status == U_REGEX_PATTERN_TOO_BIG || status == U_REGEX_NUMBER_TOO_BIG;
}

}  // namespace
#endif

std::shared_ptr<const Regex> Regex::compile(std::string_view pattern, std::string_view field) {
#ifdef GYRE_ICU
  const std::string translated = icu_syntax(pattern, field);
  UErrorCode status = U_ZERO_ERROR;
  UParseError where;
  // Ruby's ^ and $ match at every line, and only \n ends a line.
  std::unique_ptr<icu::RegexPattern> compiled(icu::RegexPattern::compile(
      icu::UnicodeString::fromUTF8({translated.data(), static_cast<int32_t>(translated.size())}),
      UREGEX_MULTILINE | UREGEX_UNIX_LINES, where, status));
  if (U_FAILURE(status)) {
    throw Error(icu_lacks(status) ? Code::unsupported : Code::parse, field,
                {"ICU cannot compile the regular expression '", pattern, "' (", u_errorName(status),
                 " at character ", where.offset, ")"});
  }
  return std::make_shared<IcuRegex>(std::move(compiled), pattern, field);
#else
  throw Error(Code::unavailable, field,
              {"the regular expression '", pattern, "' needs ICU, which this build of gyre lacks; ",
               "install libicu-dev and build gyre again"});
#endif
}

}  // namespace gyre
