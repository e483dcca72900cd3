#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/text/bpe/merge_table.h"
#include "gyre/text/bpe/piece_cache.h"
#include "gyre/text/splitters/splitter.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

/// Parts of a byte-level BPE tokenizer, as in the `model` part of `tokenizer.json`.
struct ByteBpeParts {
  std::vector<std::string> tokens;     ///< by id, in printable byte form; empty for an unused id
  std::vector<Merge> merges;           ///< in order of rank
  std::vector<AddedToken> added;       ///< their contents are also in `tokens`
  std::string unk_token;               ///< for bytes without a token; empty: none
  bool fuse_unk = false;               ///< one unk_token for consecutive unknown bytes
  bool ignore_merges = false;          ///< a piece that is a token is not split
  bool add_prefix_space = false;       ///< prepend a space if the text does not start with one
  bool use_regex = true;               ///< pre-tokenize with GPT-2's pattern
  std::optional<Splitter> splitter{};  ///< else with this one's matches and what lies between
  Json splitter_json{};                ///< the pre-tokenizer that has it
};

/// Byte-level byte-pair encoding (Radford et al. 2019): encodes any bytes losslessly.
class ByteBpe final : public Tokenizer {
 public:
  /// Error{value} for duplicate tokens, an unk_token not in `tokens`, and merge ids out of range.
  explicit ByteBpe(ByteBpeParts parts);

  [[nodiscard]] Json to_json() const override;
  [[nodiscard]] const std::vector<Merge>& merges() const { return merges_; }

 protected:
  void encode_text(std::string_view text, bool first, std::vector<int32_t>& ids) const override;
  std::string_view token_bytes(int32_t id) const override;

 private:
  void encode_pieces(std::string_view text, std::vector<int32_t>& ids) const;
  void encode_piece(std::string_view piece, std::vector<int32_t>& ids) const;
  void append_bytes(std::string_view piece, std::vector<int32_t>& symbols) const;

  std::vector<Merge> merges_;
  MergeTable table_;
  std::string all_bytes_;         // bytes of all tokens, concatenated
  std::vector<uint32_t> begins_;  // offset of each token's bytes, and the end
  std::array<int32_t, 256> byte_ids_;
  int32_t unk_ = -1;
  bool fuse_unk_, ignore_merges_, add_prefix_space_, use_regex_;
  std::optional<Splitter> splitter_;
  Json splitter_json_;
  mutable PieceCache cache_;
};

}  // namespace gyre
