#include "gyre/models/generation/text_writer.h"

#include <algorithm>

#include "gyre/base/error.h"

namespace gyre {

TextWriter::TextWriter(const Tokenizer* tokenizer, std::span<const std::string> stops)
    : stops_(stops), tokenizer_(tokenizer) {
  for (const std::string& stop : stops) {
    if (stop.empty()) throw Error(Code::value, "generate", "stop: a stop string is empty");
    longest_stop_ = std::max(longest_stop_, stop.size());
  }
  if (tokenizer) decoder_ = std::make_unique<StreamDecoder>(*tokenizer, true);
}

void TextWriter::skip(std::span<const int32_t> ids) {
  if (!decoder_) return;
  for (const int32_t id : ids) text_ += piece(id);
  begin_ = given_ = text_.size();
}

bool TextWriter::push(int32_t id, TextSink sink) { return !decoder_ || take(piece(id), sink); }

std::string TextWriter::piece(int32_t id) { return tokenizer_->has(id) ? decoder_->push(id) : ""; }

void TextWriter::finish(TextSink sink) {
  if (decoder_ && !stopped_ && take(decoder_->flush(), sink)) give(text_.size(), sink);
}

bool TextWriter::take(const std::string& piece, TextSink sink) {
  // a new stop string ends in the new piece
  const size_t before = longest_stop_ == 0 ? 0 : longest_stop_ - 1;
  const size_t from = std::max(begin_, text_.size() - std::min(text_.size(), before));
  text_ += piece;
  size_t found = std::string::npos;
  for (const std::string& stop : stops_) found = std::min(found, text_.find(stop, from));
  if (found != std::string::npos) {
    text_.resize(found);
    give(found, sink);
    stopped_ = true;
    return false;
  }
  size_t held = std::min(before, text_.size() - begin_);
  const auto may_stop = [&](std::string_view tail) {
    return std::ranges::any_of(stops_, [&](const std::string& s) { return s.starts_with(tail); });
  };
  while (held > 0 && !may_stop(std::string_view(text_).substr(text_.size() - held))) --held;
  give(text_.size() - held, sink);
  return true;
}

void TextWriter::give(size_t end, TextSink sink) {
  if (end > given_) sink(std::string_view(text_).substr(given_, end - given_));
  given_ = std::max(given_, end);
}

}  // namespace gyre
