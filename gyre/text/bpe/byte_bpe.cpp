#include "gyre/text/bpe/byte_bpe.h"

#include <cstdio>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/piece_hash.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/bpe/byte_letters.h"
#include "gyre/text/splitters/gpt2_split.h"
#include "gyre/text/tokenizer_format.h"

namespace gyre {

ByteBpe::ByteBpe(ByteBpeParts parts)
    : Tokenizer(Vocabulary(std::move(parts.tokens)), AddedTokens(std::move(parts.added))),
      merges_(std::move(parts.merges)),
      table_(merges_),
      fuse_unk_(parts.fuse_unk),
      ignore_merges_(parts.ignore_merges),
      add_prefix_space_(parts.add_prefix_space),
      use_regex_(parts.use_regex),
      splitter_(std::move(parts.splitter)),
      splitter_json_(std::move(parts.splitter_json)) {
  for (const Merge& merge : merges_) {
    for (const int32_t id : {merge.left, merge.right, merge.product}) {
      if (id < 0 || id >= vocab_size()) {
        throw Error(Code::value, "tokenizer",
                    {"merge id ", id, " is out of range for vocabulary size ", vocab_size()});
      }
    }
  }
  for (int32_t id = 0; id < vocab_size(); ++id) {
    begins_.push_back(static_cast<uint32_t>(all_bytes_.size()));
    all_bytes_ += bytes_of_letters(vocabulary().token(id));
  }
  begins_.push_back(static_cast<uint32_t>(all_bytes_.size()));
  for (size_t byte = 0; byte < byte_ids_.size(); ++byte) {
    std::string letter;
    append_utf8(letter, letter_of_byte(static_cast<uint8_t>(byte)));
    byte_ids_[byte] = id(letter);
  }
  if (parts.unk_token.empty()) return;
  unk_ = id(parts.unk_token);
  if (unk_ < 0) {
    throw Error(Code::value, "tokenizer",
                "unk_token \"" + parts.unk_token + "\" is not in the vocabulary");
  }
}

std::string_view ByteBpe::token_bytes(int32_t id) const {
  const auto at = static_cast<size_t>(id);
  return std::string_view(all_bytes_).substr(begins_[at], begins_[at + 1] - begins_[at]);
}

void ByteBpe::encode_text(std::string_view text, bool /*first*/, std::vector<int32_t>& ids) const {
  if (add_prefix_space_ && !text.empty() && text.front() != ' ') {
    encode_pieces(" " + std::string(text), ids);
  } else {
    encode_pieces(text, ids);
  }
}

void ByteBpe::encode_pieces(std::string_view text, std::vector<int32_t>& ids) const {
  if (splitter_) {
    size_t done = 0;
    const auto piece = [&](size_t begin, size_t end) {
      if (end > begin) encode_piece(text.substr(begin, end - begin), ids);
    };
    splitter_->for_each_match(text, [&](size_t begin, size_t end) {
      piece(done, begin);
      piece(begin, end);
      done = end;
    });
    return piece(done, text.size());
  }
  for (size_t at = 0; at < text.size();) {
    const size_t end = use_regex_ ? gpt2_piece_end(text, at) : text.size();
    encode_piece(text.substr(at, end - at), ids);
    at = end;
  }
}

void ByteBpe::encode_piece(std::string_view piece, std::vector<int32_t>& ids) const {
  const uint64_t hash = piece_hash(piece);
  if (const std::span<const int32_t> known = cache_.find(piece, hash); !known.empty()) {
    if (known.size() == 1) {
      ids.push_back(known[0]);
    } else {
      ids.insert(ids.end(), known.begin(), known.end());
    }
    return;
  }
  std::vector<int32_t> symbols;
  const int32_t whole = ignore_merges_ ? id(letters_of_bytes(piece)) : -1;
  if (whole >= 0) {
    symbols.push_back(whole);
  } else {
    append_bytes(piece, symbols);
    table_.apply(symbols);
  }
  ids.insert(ids.end(), symbols.begin(), symbols.end());
  cache_.insert(piece, hash, symbols);
}

void ByteBpe::append_bytes(std::string_view piece, std::vector<int32_t>& symbols) const {
  symbols.reserve(piece.size());
  for (size_t i = 0; i < piece.size(); ++i) {
    const auto byte = static_cast<uint8_t>(piece[i]);
    int32_t symbol = byte_ids_[byte];
    if (symbol < 0) {
      if (unk_ < 0) {
        char hex[8];
        std::snprintf(hex, sizeof hex, "0x%02X", byte);
        throw Error(Code::value, "encode",
                    {"byte ", hex, " is not in the vocabulary, and there is no unk_token"});
      }
      symbol = unk_;
      if (fuse_unk_ && i > 0 && byte_ids_[static_cast<uint8_t>(piece[i - 1])] < 0) continue;
    }
    symbols.push_back(symbol);
  }
}

Json ByteBpe::to_json() const {
  Json splitter;
  splitter["type"] = "ByteLevel";
  splitter["add_prefix_space"] = add_prefix_space_;
  splitter["trim_offsets"] = true;
  splitter["use_regex"] = use_regex_;
  const Json decoder = splitter;
  if (splitter_) splitter = splitter_json_;
  Json model = bpe_model_json(vocabulary());
  if (unk_ >= 0) model["unk_token"] = vocabulary().token(unk_);
  model["fuse_unk"] = fuse_unk_;
  model["ignore_merges"] = ignore_merges_;
  for (const Merge& merge : merges_) {
    model["merges"].push_back(vocabulary().token(merge.left) + " " +
                              vocabulary().token(merge.right));
  }
  return tokenizer_json(*this, splitter, decoder, std::move(model));
}

}  // namespace gyre
