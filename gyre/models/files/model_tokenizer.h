#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gyre {

class Tokenizer;

/// Says where a tokenizer of this folder or file was looked for, or that a model without a path has
/// none.
std::string missing_tokenizer(const std::string& path);

/// The tokenizer of texts for a model: tokenizer_for(model, given). Errors of that; Error{value} of
/// `op` that asks for the option `tokenizer` if there is none.
std::unique_ptr<Tokenizer> needed_tokenizer(const char* op, const std::string& model,
                                            const std::string& given);

/// The tokenizer that is stored with a model, which is used without it: null if there is none, and
/// if it cannot be read, which `why` then says.
std::unique_ptr<Tokenizer> readable_tokenizer(const std::string& model, std::string& why);

/// A file of a tokenizer, by its path inside of the folder.
struct TokenizerFile {
  std::string name, content;
};

/// The files of a model's folder that belong to its tokenizer: those that a tokenizer is read from,
/// and what programs know of it besides (special tokens, chat templates). Empty for a path that is
/// no folder. Error{io}.
std::vector<TokenizerFile> tokenizer_files(const std::string& folder);

/// Writes them into another folder. Error{io}.
void write_tokenizer_files(std::span<const TokenizerFile> files, const std::string& folder);

}  // namespace gyre
