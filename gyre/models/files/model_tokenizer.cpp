#include "gyre/models/files/model_tokenizer.h"

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/files/model_files.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

constexpr const char* kTokenizerNames[] = {"tokenizer.json",
                                           "tokenizer_config.json",
                                           "special_tokens_map.json",
                                           "added_tokens.json",
                                           "chat_template.jinja",
                                           "chat_template.json",
                                           "vocab.json",
                                           "merges.txt",
                                           "vocab.txt",
                                           "tokenizer.model",
                                           "spiece.model",
                                           "sentencepiece.bpe.model",
                                           "spm.model",
                                           "tekken.json"};
constexpr const char* kTemplates = "additional_chat_templates";  // a folder of named ones

}  // namespace

std::string missing_tokenizer(const std::string& path) {
  if (path.empty()) return "the model has no tokenizer";
  if (path.ends_with(".gguf")) return path + ": no tokenizer in the metadata";
  if (is_model_file(path)) return path + ": no tokenizer.bin or tokN.bin (N: vocabulary) beside it";
  return path +
         ": no tokenizer.json, vocab.json with merges.txt, vocab.txt, tokenizer.model or "
         "spiece.model";
}

std::unique_ptr<Tokenizer> needed_tokenizer(const char* op, const std::string& model,
                                            const std::string& given) {
  std::unique_ptr<Tokenizer> tokenizer = tokenizer_for(model, given);
  if (!tokenizer) {
    throw Error(
        Code::value, op,
        {missing_tokenizer(model), "; give `tokenizer`, the one that the model was trained with"},
        "a tokenizer", "none");
  }
  return tokenizer;
}

std::unique_ptr<Tokenizer> readable_tokenizer(const std::string& model, std::string& why) {
  try {
    return open_model_files(model)->tokenizer();
  } catch (const Error& error) {
    why = error.what();
    return nullptr;
  }
}

std::vector<TokenizerFile> tokenizer_files(const std::string& folder) {
  std::vector<TokenizerFile> files;
  const auto add = [&](const std::string& name) {
    const std::string path = folder + "/" + name;
    if (file_exists(path) && !is_directory(path)) files.push_back({name, read_file(path)});
  };
  for (const char* name : kTokenizerNames) add(name);
  if (const std::string templates = folder + "/" + kTemplates; is_directory(templates)) {
    for (const std::string& name : list_directory(templates)) {
      if (name.ends_with(".jinja")) add(std::string(kTemplates) + "/" + name);
    }
  }
  return files;
}

void write_tokenizer_files(std::span<const TokenizerFile> files, const std::string& folder) {
  for (const TokenizerFile& file : files) {
    const std::string path = folder + "/" + file.name;
    if (file.name.find('/') != std::string::npos) create_directories(folder + "/" + kTemplates);
    write_file_atomic(path, file.content);
  }
}

}  // namespace gyre
