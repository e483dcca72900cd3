#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

/// Called with each piece of new text (complete characters) as soon as it is final.
using TextSink = FunctionRef<void(std::string_view piece)>;

/// The text of tokens as they come, up to the first stop string. Holds back what may be the start
/// of a stop string.
class TextWriter {
 public:
  /// Without a tokenizer there is no text. `tokenizer` and `stops` must outlive this.
  /// Error{value} for an empty stop string.
  TextWriter(const Tokenizer* tokenizer, std::span<const std::string> stops);

  /// Adds the prompt's tokens, which are not passed on and in which no stop string is sought.
  void skip(std::span<const int32_t> ids);
  /// Adds a token. False once a stop string appears: the text then ends before it.
  bool push(int32_t id, TextSink sink);
  /// Passes the rest on, unless a stop string ended the text.
  void finish(TextSink sink);
  /// All of the text so far, the prompt included.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The text so far without the prompt.
  [[nodiscard]] std::string new_text() const { return text_.substr(begin_); }

 private:
  // Of an id that the tokenizer lacks, as padded embeddings have, nothing.
  std::string piece(int32_t id);
  bool take(const std::string& piece, TextSink sink);
  void give(size_t end, TextSink sink);

  std::span<const std::string> stops_;
  size_t longest_stop_ = 0;
  const Tokenizer* tokenizer_;
  std::unique_ptr<StreamDecoder> decoder_;
  std::string text_;
  size_t begin_ = 0, given_ = 0;
  bool stopped_ = false;
};

}  // namespace gyre
