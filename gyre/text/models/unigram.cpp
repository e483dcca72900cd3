#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/models/token_model.h"

namespace gyre {
namespace {

constexpr double kUnknownPenalty = 10;  // below the least score of a token

// What SentencePiece does otherwise than Hugging Face's tokenizers: some tokens (control tokens,
// bytes) are not matched in texts, and sums of scores are f32.
struct SentencePieceRules {
  std::vector<int32_t> unmatched{};
  bool single_precision = false;
};

// The most likely segmentation by scores of tokens (Kudo, 2018).
class Unigram final : public TokenModel {
 public:
  Unigram(const ModelVocabulary& vocabulary, std::vector<double> scores, int32_t unk,
          bool byte_fallback, SentencePieceRules rules)
      : vocabulary_(vocabulary),
        scores_(std::move(scores)),
        unk_(unk),
        byte_fallback_(byte_fallback),
        rules_(std::move(rules)),
        is_matched_(scores_.size(), true) {
    for (const int32_t id : rules_.unmatched) is_matched_[static_cast<size_t>(id)] = false;
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < scores_.size(); ++i) {
      if (!is_matched_[i]) continue;
      sorted_.push_back(static_cast<int32_t>(i));
      least = std::min(least, scores_[i]);
    }
    std::ranges::sort(sorted_, [&](int32_t a, int32_t b) {
      const std::string_view x = vocabulary_.token(a), y = vocabulary_.token(b);
      return x < y;
    });
    unknown_score_ = least - kUnknownPenalty;
    if (rules_.single_precision) unknown_score_ = static_cast<float>(unknown_score_);
    char text[8];
    for (int byte = 0; byte < 256; ++byte) {
      std::snprintf(text, sizeof text, "<0x%02X>", static_cast<unsigned>(byte));
      byte_ids_[byte] = vocabulary_.id(text);
    }
  }

  void encode(std::string_view piece, std::vector<int32_t>& ids) const override {
    const std::vector<Node> nodes = best_paths(piece);
    std::vector<std::pair<size_t, size_t>> parts;  // from the end
    size_t unknown_end = 0;
    for (size_t end = piece.size(); end > 0; end = nodes[end].begin) {
      const Node& node = nodes[end];
      if (node.id == unk_) {
        if (unknown_end == 0) unknown_end = end;
        if (node.begin > 0 && nodes[node.begin].id == unk_) continue;
        parts.emplace_back(node.begin, unknown_end);
        unknown_end = 0;
      } else {
        parts.emplace_back(node.begin, end);
      }
    }
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
      append(piece.substr(part->first, part->second - part->first), ids);
  }

  [[nodiscard]] Json to_json() const override {
    Json model;
    model["type"] = "Unigram";
    model["unk_id"] = unk_ < 0 ? Json() : Json(unk_);
    model["vocab"] = Json::array();
    for (size_t i = 0; i < scores_.size(); ++i) {
      Json pair = Json::array();
      pair.push_back(vocabulary_.token(static_cast<int32_t>(i)));
      pair.push_back(scores_[i]);
      model["vocab"].push_back(std::move(pair));
    }
    model["byte_fallback"] = byte_fallback_;
    if (!rules_.unmatched.empty()) model["unmatched"] = ids_to_json(rules_.unmatched);
    if (rules_.single_precision) model["single_precision"] = true;
    return model;
  }

 private:
  struct Node {
    int32_t id = -2;  // of the token that ends here; -2: none yet
    size_t begin = 0;
    double score = 0;
  };

  // For each end of a character, the best last token of the text up to there.
  [[nodiscard]] std::vector<Node> best_paths(std::string_view piece) const {
    std::vector<Node> nodes(piece.size() + 1);
    for (size_t begin = 0; begin < piece.size();) {
      const size_t length = decode_utf8(piece, begin).length;
      const double before = nodes[begin].score;
      const auto offer = [&](size_t end, int32_t id, double score) {
        Node& node = nodes[end];
        if (rules_.single_precision) score = static_cast<float>(score);
        if (node.id == -2 || score > node.score) node = {id, begin, score};
      };
      bool single = false;
      auto from = sorted_.begin(), to = sorted_.end();
      for (size_t at = begin; at < piece.size(); ++at) {  // narrows the tokens by each byte
        const size_t depth = at - begin;
        const auto byte = static_cast<uint8_t>(piece[at]);
        const auto at_depth = [&](int32_t id) {
          const std::string& token = vocabulary_.token(id);
          return depth < token.size() ? static_cast<uint8_t>(token[depth]) : -1;
        };
        from = std::partition_point(from, to, [&](int32_t id) { return at_depth(id) < byte; });
        to = std::partition_point(from, to, [&](int32_t id) { return at_depth(id) <= byte; });
        if (from == to) break;
        if (vocabulary_.token(*from).size() == depth + 1) {
          offer(at + 1, *from, before + scores_[static_cast<size_t>(*from)]);
          single = single || depth + 1 == length;
        }
      }
      if (!single) {
        if (unk_ < 0) {
          throw Error(Code::value, "encode",
                      "\"" + std::string(piece.substr(begin, length)) +
                          "\" is not in the vocabulary, and there is no unk_id");
        }
        offer(begin + length, unk_, before + unknown_score_);
      }
      begin += length;
    }
    return nodes;
  }

  void append(std::string_view part, std::vector<int32_t>& ids) const {
    const int32_t id = vocabulary_.id(part);
    if (id >= 0 && is_matched_[static_cast<size_t>(id)]) return ids.push_back(id);
    const bool has_bytes =
        std::ranges::all_of(part, [&](char c) { return byte_ids_[static_cast<uint8_t>(c)] >= 0; });
    if (!byte_fallback_ || !has_bytes) return ids.push_back(unk_);
    for (const char c : part) ids.push_back(byte_ids_[static_cast<uint8_t>(c)]);
  }

  ModelVocabulary vocabulary_;
  std::vector<double> scores_;
  std::vector<int32_t> sorted_;  // ids by token
  int32_t unk_;
  bool byte_fallback_;
  SentencePieceRules rules_;
  std::vector<bool> is_matched_;  // by id
  double unknown_score_;
  int32_t byte_ids_[256];
};

}  // namespace

TokenModelPtr read_unigram(const ModelSource& s) {
  std::vector<double> scores;
  for (const Json& pair : s.fields.at("vocab").as_array("model.vocab"))
    scores.push_back(pair.as_array("model.vocab").at(1).as_real("model.vocab"));
  int32_t unk = -1;
  if (s.fields.has("unk_id")) {
    const int64_t id = s.fields.count("unk_id", 0);
    if (id >= s.vocabulary.size()) {
      throw Error(Code::value, "tokenizer",
                  {"unk_id ", id, " is outside the vocabulary of size ", s.vocabulary.size()});
    }
    unk = static_cast<int32_t>(id);
  }
  return std::make_unique<Unigram>(
      s.vocabulary, std::move(scores), unk, s.fields.flag("byte_fallback", false),
      SentencePieceRules{read_ids(s, "unmatched"), s.fields.flag("single_precision", false)});
}

}  // namespace gyre
