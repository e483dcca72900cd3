#include "gyre/models/measure/model_to_compress.h"

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/encoder/encoder_folder.h"
#include "gyre/models/encoder/pooling.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/files/model_tokenizer.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

ModelToCompress::~ModelToCompress() = default;

ModelToCompress::ModelToCompress(std::string folder) : folder_(std::move(folder)) {
  tokenizer_ = readable_tokenizer(folder_, unread_);
  if (is_encoder_folder(folder_)) {
    (void)stated_vectors(folder_);  // its files are copied, so they must be readable
    encoder_ = load_text_encoder(folder_, FileAccess::map);
  } else {
    // copied weights have the order of Hugging Face's folders, in which they are written
    const bool copies = is_model_file(folder_);
    language_ = load_language_model(folder_, copies ? FileAccess::read : FileAccess::map);
  }
}

nn::Module& ModelToCompress::module() const {
  if (encoder_) return *encoder_;
  return *language_;
}

LanguageModel& ModelToCompress::language() const {
  if (language_) return *language_;
  throw Error(Code::unsupported, "compress",
              {folder_, ": `calibrate` needs a language model, but this is a text encoder"},
              "a language model", "a text encoder");
}

uint64_t ModelToCompress::saved_bytes() const {
  return encoder_ ? encoder_->saved_bytes() : language_->saved_bytes();
}

uint64_t ModelToCompress::saved_bytes(std::span<const NamedTensor> state) const {
  if (encoder_) {
    TextEncoder copy = *encoder_;
    copy.lend_state(state);
    return copy.saved_bytes();
  }
  const auto copy = language_->share();
  copy->lend_state(state);
  return copy->saved_bytes();
}

void ModelToCompress::save(const std::string& to) const {
  if (encoder_) {
    encoder_->save(to);
    copy_stated_vectors(folder_, to);
  } else {
    language_->save(to, nullptr);
  }
  const std::string copy = to + "/tokenizer.json";
  write_tokenizer_files(tokenizer_files(folder_), to);
  if (tokenizer_ && !file_exists(copy)) tokenizer_->save(copy);
}

}  // namespace gyre
