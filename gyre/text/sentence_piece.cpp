#include "gyre/text/sentence_piece.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/json.h"
#include "gyre/text/protobuf.h"

namespace gyre {
namespace {

enum class SentencePieceKind : uint64_t { unigram = 1, bpe, word, character };

// Numbers of the fields of sentencepiece_model.proto.
enum ModelFields : uint64_t { kPieces = 1, kTrainer = 2, kNormalizer = 3, kDenormalizer = 5 };
enum PieceFields : uint64_t { kPiece = 1, kScore = 2, kPieceType = 3 };
enum TrainerFields : uint64_t {
  kKind = 3,
  kSpaceAsSuffix = 24,
  kByteFallback = 35,
  kBegin = 41,
  kEnd = 42
};
enum NormalizerFields : uint64_t { kCharsmap = 2, kDummyPrefix = 3, kRemoveExtra = 4, kEscape = 5 };

[[noreturn]] void unsupported_model(const char* what) {
  throw Error(Code::unsupported, "tokenizer", {"a SentencePiece model ", what, " is not read"});
}

[[noreturn]] void damaged_model(const Message& what) {
  throw Error(Code::parse, "tokenizer", {"a damaged SentencePiece model: ", what.text});
}

struct SentencePieceModel {
  ScoredPieces parts{.byte_fallback = false, .extra_spaces_removed = true};
  bool has_unused = false;
  SentencePieceKind type = SentencePieceKind::unigram;
  int32_t begin = 1, end = 2;

  void read_piece(std::string_view message) {
    std::string piece;
    float score = 0;
    PieceType type = PieceType::normal;
    ProtobufReader fields(message);
    while (const auto f = fields.next()) {
      if (f->number == kPiece) piece = f->content;
      if (f->number == kScore) score = f->real();
      if (f->number == kPieceType) type = static_cast<PieceType>(f->value);
    }
    const auto id = static_cast<int32_t>(parts.pieces.size());
    if (piece.empty() || !is_utf8(piece)) damaged_model({"piece ", id, " is empty or not UTF-8"});
    if (!std::isfinite(score)) damaged_model({"the score of piece ", id, " is not finite"});
    if (type == PieceType::unknown && parts.unknown >= 0)
      damaged_model("it has two unknown pieces");
    has_unused = has_unused || type == PieceType::unused;
    parts.add(std::move(piece), score, type);
  }
  void read_trainer(std::string_view message) {
    ProtobufReader fields(message);
    while (const auto f = fields.next()) {
      if (f->number == kKind) type = static_cast<SentencePieceKind>(f->value);
      if (f->number == kSpaceAsSuffix) parts.space_as_suffix = f->value != 0;
      if (f->number == kByteFallback) parts.byte_fallback = f->value != 0;
      if (f->number == kBegin) begin = static_cast<int32_t>(f->value);
      if (f->number == kEnd) end = static_cast<int32_t>(f->value);
    }
  }
  void read_normalizer(std::string_view message) {
    ProtobufReader fields(message);
    while (const auto f = fields.next()) {
      if (f->number == kCharsmap) parts.charsmap = f->content;
      if (f->number == kDummyPrefix) parts.prefix_space = f->value != 0;
      if (f->number == kRemoveExtra) parts.extra_spaces_removed = f->value != 0;
      if (f->number == kEscape) parts.escapes_spaces = f->value != 0;
    }
  }
};

SentencePieceModel read_model(std::string_view bytes) {
  SentencePieceModel model;
  ProtobufReader fields(bytes);
  while (const auto f = fields.next()) {
    if (f->type != ProtobufField::bytes) continue;
    if (f->number == kPieces) model.read_piece(f->content);
    if (f->number == kTrainer) model.read_trainer(f->content);
    if (f->number == kNormalizer) model.read_normalizer(f->content);
    if (f->number == kDenormalizer) {
      ProtobufReader spec(f->content);
      while (const auto part = spec.next()) {
        if (part->number == kCharsmap && !part->content.empty())
          unsupported_model("with a map for decoded texts");
      }
    }
  }
  if (model.parts.unknown < 0) damaged_model("it has no unknown piece");
  if (model.type != SentencePieceKind::unigram && model.type != SentencePieceKind::bpe)
    unsupported_model("of words or characters");
  model.parts.unigram = model.type == SentencePieceKind::unigram;
  if (!model.parts.unigram && model.has_unused) unsupported_model("of BPE with unused pieces");
  return model;
}

// Classes of transformers whose ids are those of the model.
constexpr std::string_view kClasses[] = {"Llama",      "CodeLlama", "Gemma",  "T5",    "Mistral",
                                         "PreTrained", "BigBird",   "Albert", "XLNet", "Siglip"};

void set_marks(SentencePieceModel& model, const std::string& folder) {
  const std::string path = folder + "/tokenizer_config.json";
  const Json config = file_exists(path) ? Json::read(path) : Json::object();
  in_file(path, [&] {
    (void)config.as_object("tokenizer_config.json");
    std::string name;
    if (const Json* given = config.find("tokenizer_class"); given && !given->is_null())
      name = given->as_string("tokenizer_class");
    std::string_view kind = name;
    for (const std::string_view ending : {"Fast", "Tokenizer"}) {
      if (kind.ends_with(ending)) kind.remove_suffix(ending.size());
    }
    if (!kind.empty() && std::ranges::find(kClasses, kind) == std::end(kClasses)) {
      throw Error(Code::unsupported, "tokenizer",
                  {"tokenizer_class is ", name, ", whose ids may differ from those of ",
                   "tokenizer.model; save the tokenizer with transformers, which writes ",
                   "tokenizer.json"},
                  {}, name);
    }
    const auto flag = [&](const char* field, bool otherwise) {
      const Json* found = config.find(field);
      return found && !found->is_null() ? found->as_boolean(field) : otherwise;
    };
    const auto id = [&](int32_t given) {
      return given >= 0 && static_cast<size_t>(given) < model.parts.pieces.size() ? given : -1;
    };
    if (flag("add_bos_token", !model.parts.unigram)) model.parts.begin = id(model.begin);
    if (flag("add_eos_token", kind == "T5")) model.parts.end = id(model.end);
  });
}

}  // namespace

ScoredPieces sentence_piece_parts(std::string_view bytes) { return read_model(bytes).parts; }

std::unique_ptr<Tokenizer> load_sentence_piece(const std::string& folder) {
  const std::string path = folder + "/tokenizer.model";
  const std::string bytes = read_file(path);
  SentencePieceModel model = in_file(path, [&] { return read_model(bytes); });
  set_marks(model, folder);
  if (const std::string added = folder + "/added_tokens.json"; file_exists(added)) {
    const Json all = Json::read(added);
    in_file(added, [&] {
      for (const auto& [token, id] : all.as_object("added_tokens.json"))
        model.parts.added.emplace_back(token, id.as_integer(token));
    });
  }
  return in_file(path, [&] { return tokenizer_of_pieces(model.parts); });
}

}  // namespace gyre
