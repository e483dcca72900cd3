#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/text/added_tokens.h"
#include "gyre/text/stages/normalizers.h"
#include "gyre/text/stages/post_processors.h"
#include "gyre/text/vocabulary.h"

namespace gyre {

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
  /// The ids of a text as models are trained on them: special tokens in the text are encoded as
  /// their tokens, and the post-processor adds its own, for example one at the start.
  /// `most`: the largest number of ids with those added; a longer text is cut at its end. 0: no
  /// limit. Error{value} if the post-processor alone adds more.
  [[nodiscard]] std::vector<int32_t> model_input(std::string_view text, int64_t most = 0) const;
  /// The same for a pair of texts.
  [[nodiscard]] std::vector<int32_t> model_input(std::string_view text,
                                                 std::string_view second) const;
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
  /// The bytes that a token adds to a text, not as its first token. Error{index}.
  [[nodiscard]] std::string_view bytes(int32_t id) const;
  /// Whether there is such a token: ids may have gaps.
  [[nodiscard]] bool has(int32_t id) const {
    return id >= 0 && id < vocab_size() && !vocabulary_.token(id).empty();
  }
  [[nodiscard]] bool is_special(int32_t id) const { return added_.is_special(id); }
  [[nodiscard]] const AddedTokens& added_tokens() const { return added_; }

  /// The content of a `tokenizer.json` that Hugging Face's `tokenizers` also loads.
  [[nodiscard]] virtual Json to_json() const = 0;
  /// The stages around the model as `tokenizer.json` has them, null if there is none.
  [[nodiscard]] const Json& normalizer_json() const { return normalizer_json_; }
  [[nodiscard]] const Json& post_processor_json() const { return post_processor_json_; }
  /// Sets them. Errors: those of read_normalizer() and read_post_processor(); Error{value} for
  /// tokens outside the vocabulary.
  void set_stages(Json normalizer, Json post_processor);
  /// Whether decoded texts are the bytes of their tokens one after another.
  [[nodiscard]] virtual bool is_concatenative() const { return true; }
  /// Writes `to_json` atomically. Errors: io.
  void save(const std::string& path) const;

 protected:
  Tokenizer(Vocabulary vocabulary, AddedTokens added);

  /// Appends the ids of a normalized text that contains no added token; `first`: it begins the
  /// whole text.
  virtual void encode_text(std::string_view text, bool first, std::vector<int32_t>& ids) const = 0;
  /// The text of existing tokens; by default their bytes.
  [[nodiscard]] virtual std::string decode_tokens(std::span<const int32_t> ids) const;
  /// The bytes of an existing token.
  virtual std::string_view token_bytes(int32_t id) const = 0;

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  /// A token as decoders get it: an added token that matches normalized texts is normalized too.
  [[nodiscard]] const std::string& decoded_token(int32_t id) const;

 private:
  void check(int32_t id) const;
  void sort_added();
  void encode_normalized(std::string_view text, bool first, Specials specials,
                         std::vector<int32_t>& ids) const;

  Vocabulary vocabulary_;
  AddedTokens added_, raw_, inner_;  // all; those that match before and after normalization
  std::unordered_map<int32_t, std::string> normalized_;  // of the latter
  NormalizerPtr normalizer_;
  PostProcessor post_processor_;
  Json normalizer_json_, post_processor_json_;
};

/// Reads a `tokenizer.model` of SentencePiece (a name that ends in .model; nothing is added at the
/// ends of inputs), or a `tokenizer.json` of Hugging Face's tokenizers: models BPE, WordPiece,
/// Unigram, WordLevel with the stages in text/stages/. Its `truncation` and `padding` settings are
/// ignored. Errors: io; parse; unsupported, naming the field, for everything that would tokenize
/// differently.
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
  std::string push_by_window(int32_t id);

  const Tokenizer& tokenizer_;
  bool skip_special_;
  std::string held_;
  std::vector<int32_t> window_;  // of decoders that look at neighbours
  size_t read_ = 0;              // tokens of the window whose text was given
};

}  // namespace gyre
