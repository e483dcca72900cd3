#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/text/bpe/merge_table.h"
#include "gyre/text/bpe/piece_cache.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

/// What makes up a byte-level BPE tokenizer, as in the model part of `tokenizer.json`.
struct ByteBpeParts {
  std::vector<std::string> tokens;  ///< by id, in letters of bytes; empty for an unused id
  std::vector<Merge> merges;        ///< in order of rank
  std::vector<AddedToken> added;    ///< their contents stand in `tokens` too
  std::string unk_token;            ///< for bytes that have no token; empty for none
  bool fuse_unk = false;            ///< one unk_token for several such bytes in a row
  bool ignore_merges = false;       ///< a piece that is a token is taken whole
  bool add_prefix_space = false;    ///< text that does not begin with a space gets one
  bool use_regex = true;            ///< split by GPT-2's pattern before merging
};

/// Byte-level byte-pair encoding (Radford et al. 2019): any bytes can be encoded and come back.
class ByteBpe final : public Tokenizer {
 public:
  /// Errors: value, when tokens repeat, an unk_token is missing, or a merge's ids are out of range.
  explicit ByteBpe(ByteBpeParts parts);

  [[nodiscard]] Json to_json() const override;
  [[nodiscard]] const std::vector<Merge>& merges() const { return merges_; }

 protected:
  void encode_text(std::string_view text, std::vector<int32_t>& ids) const override;
  std::string_view token_bytes(int32_t id) const override;

 private:
  void encode_pieces(std::string_view text, std::vector<int32_t>& ids) const;
  void encode_piece(std::string_view piece, std::vector<int32_t>& ids) const;
  void append_bytes(std::string_view piece, std::vector<int32_t>& symbols) const;

  std::vector<Merge> merges_;
  MergeTable table_;
  std::string all_bytes_;         // of all tokens, one behind the other
  std::vector<uint32_t> begins_;  // token id's bytes in it; one more than ids
  std::array<int32_t, 256> byte_ids_;
  int32_t unk_ = -1;
  bool fuse_unk_, ignore_merges_, add_prefix_space_, use_regex_;
  mutable PieceCache cache_;
};

}  // namespace gyre
