#include "gyre/text/splitters/splitter.h"

#include "gyre/text/splitters/known_patterns.h"
#include "gyre/text/splitters/regex.h"

namespace gyre {

Splitter Splitter::from_pattern(std::string_view pattern, std::string_view field) {
  Splitter splitter;
  if (const KnownPattern* known = find_known_pattern(pattern)) {
    splitter.known_ = known->match_all;
  } else {
    splitter.regex_ = Regex::compile(pattern, field);
  }
  return splitter;
}

Splitter Splitter::gpt2() {
  Splitter splitter;
  splitter.known_ = known_pattern(0).match_all;
  return splitter;
}

void Splitter::for_each_match(std::string_view text, Found found) const {
  if (known_) {
    known_(text, found);
  } else {
    regex_->for_each_match(text, found);
  }
}

}  // namespace gyre
