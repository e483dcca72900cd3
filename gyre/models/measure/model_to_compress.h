#pragma once
#include <memory>
#include <span>
#include <string>

#include "gyre/models/encoder/text_encoder.h"
#include "gyre/models/language_model.h"

namespace gyre {

/// The model of a folder that is to be packed: a language model or a text encoder.
class ModelToCompress {
 public:
  /// Mapped. Errors of load_language_model() and load_text_encoder().
  explicit ModelToCompress(std::string folder);
  ~ModelToCompress();

  [[nodiscard]] nn::Module& module() const;
  /// Error{unsupported} naming the option `calibrate` for a text encoder.
  [[nodiscard]] LanguageModel& language() const;
  /// The length of the model.safetensors that save() would write.
  [[nodiscard]] uint64_t saved_bytes() const;
  /// The same with this state, which the model does not take.
  [[nodiscard]] uint64_t saved_bytes(std::span<const NamedTensor> state) const;
  /// Writes a folder, with copies of the tokenizer's files, a tokenizer.json, and of what the
  /// folder states of sentence vectors. Error{io}.
  void save(const std::string& to) const;
  /// Why its tokenizer cannot be read, whose files are copied nevertheless; empty if it can.
  [[nodiscard]] const std::string& unread_tokenizer() const { return unread_; }

 private:
  std::string folder_;
  std::string unread_;
  std::unique_ptr<Tokenizer> tokenizer_;  // to be written, where no tokenizer.json can be copied
  std::unique_ptr<LanguageModel> language_;
  std::unique_ptr<TextEncoder> encoder_;
};

}  // namespace gyre
