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

/// Whether marks such as `<|endoftext|>` that stand in a text become their token or stay text.
enum class Specials : uint8_t { as_text, as_tokens };

struct DecodeOptions {
  bool skip_special = false;  ///< leave special tokens out
  bool lossy = false;         ///< U+FFFD for bytes that are not UTF-8, else the bytes as they are
};

/// Turns text into ids and back. Nothing is ever cut short or dropped. Const members may be called
/// by several threads at once.
class Tokenizer {
 public:
  virtual ~Tokenizer();

  /// The ids of a text. Errors: value, for a character that the vocabulary cannot express.
  [[nodiscard]] std::vector<int32_t> encode(std::string_view text,
                                            Specials specials = Specials::as_text) const;
  /// The text of ids. Errors: index, for an id that is no token.
  [[nodiscard]] std::string decode(std::span<const int32_t> ids,
                                   const DecodeOptions& options = {}) const;

  /// One more than the largest id.
  [[nodiscard]] int32_t vocab_size() const { return vocabulary_.size(); }
  /// The token as `tokenizer.json` writes it (a byte-level space is U+0120). Errors: index.
  [[nodiscard]] const std::string& token(int32_t id) const;
  /// -1 when there is no such token.
  [[nodiscard]] int32_t id(std::string_view token) const { return vocabulary_.id(token); }
  /// The bytes that a token stands for. Errors: index.
  [[nodiscard]] std::string_view bytes(int32_t id) const;
  [[nodiscard]] bool is_special(int32_t id) const { return added_.is_special(id); }
  [[nodiscard]] const AddedTokens& added_tokens() const { return added_; }

  /// The content of a `tokenizer.json` that Hugging Face's `tokenizers` loads too.
  [[nodiscard]] virtual Json to_json() const = 0;
  /// Writes `to_json` atomically. Errors: io.
  void save(const std::string& path) const;

 protected:
  Tokenizer(Vocabulary vocabulary, AddedTokens added);

  /// Appends the ids of a text that holds no added token.
  virtual void encode_text(std::string_view text, std::vector<int32_t>& ids) const = 0;
  /// The bytes of a token that exists.
  virtual std::string_view token_bytes(int32_t id) const = 0;

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  void check(int32_t id) const;

  Vocabulary vocabulary_;
  AddedTokens added_;
};

/// Reads a `tokenizer.json`: byte-level BPE (GPT-2) and characters. Its `truncation` and `padding`
/// are what another program once did to its texts, and are left aside.
/// Errors: io; parse; unsupported, naming the field, for all that would tokenise differently.
[[nodiscard]] std::unique_ptr<Tokenizer> load_tokenizer(const std::string& path);
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_from_json(const Json& json);

/// Decodes one id after the other; what is handed out is always whole characters.
class StreamDecoder {
 public:
  /// `tokenizer` must outlive this.
  explicit StreamDecoder(const Tokenizer& tokenizer, bool skip_special = false)
      : tokenizer_(tokenizer), skip_special_(skip_special) {}

  /// The text that is certain after this id: the beginning of a character is held back, bytes that
  /// cannot be UTF-8 become U+FFFD. Errors: index.
  [[nodiscard]] std::string push(int32_t id);
  /// What is left at the end; half a character becomes U+FFFD.
  [[nodiscard]] std::string flush();

 private:
  const Tokenizer& tokenizer_;
  bool skip_special_;
  std::string held_;
};

}  // namespace gyre
