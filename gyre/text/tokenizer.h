#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/text/added_tokens.h"
#include "gyre/text/vocabulary.h"

namespace gyre {

class Json;

/// Whether special tokens such as `<|endoftext|>` in a text are encoded as their token or as text.
enum class Specials : uint8_t { as_text, as_tokens };

struct DecodeOptions {
  bool skip_special = false;  ///< omit special tokens
  bool lossy = false;         ///< replace invalid UTF-8 by U+FFFD instead of keeping the bytes
};

/// Encodes text to token ids and decodes ids to text, without truncation. Const members are
/// thread-safe.
class Tokenizer {
 public:
  virtual ~Tokenizer();

  /// The ids of a text. Error{value} for a character that the vocabulary cannot represent.
  [[nodiscard]] std::vector<int32_t> encode(std::string_view text,
                                            Specials specials = Specials::as_text) const;
  /// The text of ids. Error{index} for an id that is not a token.
  [[nodiscard]] std::string decode(std::span<const int32_t> ids,
                                   const DecodeOptions& options = {}) const;

  /// The vocabulary size: the largest id plus one.
  [[nodiscard]] int32_t vocab_size() const { return vocabulary_.size(); }
  /// The token in the printable form of `tokenizer.json` (a byte-level space is U+0120).
  /// Error{index}.
  [[nodiscard]] const std::string& token(int32_t id) const;
  /// The id of a token, -1 if there is none.
  [[nodiscard]] int32_t id(std::string_view token) const { return vocabulary_.id(token); }
  /// The bytes of a token. Error{index}.
  [[nodiscard]] std::string_view bytes(int32_t id) const;
  /// Whether there is such a token: ids may have gaps.
  [[nodiscard]] bool has(int32_t id) const {
    return id >= 0 && id < vocab_size() && !vocabulary_.token(id).empty();
  }
  [[nodiscard]] bool is_special(int32_t id) const { return added_.is_special(id); }
  [[nodiscard]] const AddedTokens& added_tokens() const { return added_; }

  /// The content of a `tokenizer.json` that Hugging Face's `tokenizers` also loads.
  [[nodiscard]] virtual Json to_json() const = 0;
  /// Writes `to_json` atomically. Errors: io.
  void save(const std::string& path) const;

 protected:
  Tokenizer(Vocabulary vocabulary, AddedTokens added);

  /// Appends the ids of a text that contains no added token.
  virtual void encode_text(std::string_view text, std::vector<int32_t>& ids) const = 0;
  /// The bytes of an existing token.
  virtual std::string_view token_bytes(int32_t id) const = 0;

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  void check(int32_t id) const;

  Vocabulary vocabulary_;
  AddedTokens added_;
};

/// Reads a `tokenizer.json` of a byte-level BPE (GPT-2) or character-level tokenizer. Its
/// `truncation` and `padding` settings are ignored. Errors: io; parse; unsupported, naming the
/// field, for everything that would tokenize differently.
[[nodiscard]] std::unique_ptr<Tokenizer> load_tokenizer(const std::string& path);
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_from_json(const Json& json);

/// Streaming decoder: decodes ids one at a time into whole characters.
class StreamDecoder {
 public:
  /// `tokenizer` must outlive this.
  explicit StreamDecoder(const Tokenizer& tokenizer, bool skip_special = false)
      : tokenizer_(tokenizer), skip_special_(skip_special) {}

  /// The complete text after this id: an incomplete character is held back, invalid UTF-8 becomes
  /// U+FFFD. Error{index}.
  [[nodiscard]] std::string push(int32_t id);
  /// The remaining text; an incomplete character becomes U+FFFD.
  [[nodiscard]] std::string flush();

 private:
  const Tokenizer& tokenizer_;
  bool skip_special_;
  std::string held_;
};

}  // namespace gyre
