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

// A class of tokenizers in transformers.
struct SentencePieceClass {
  const char *name, *model_type;      // the latter in config.json
  const char *begin = "", *end = "";  // the pieces that it adds to inputs
  const char* changes = "";           // what it does to texts before, which is not done here
  int64_t extra = 0;                  // marks of masked parts that it adds to the pieces
};
constexpr const char* kOtherIds = "ids may differ from those of the SentencePiece model";
constexpr const char* kAccents = "its tokenizer removes accents from texts";
constexpr SentencePieceClass kClasses[] = {
    {"Llama", "llama"},
    {"CodeLlama", "code_llama"},
    {"Llama", "phi3"},
    {"Gemma", "gemma"},
    {"Gemma", "gemma2"},
    {"Gemma", "gemma3"},
    {"Gemma", "gemma3_text"},
    {"Mistral", "mistral"},
    {"PreTrained", ""},
    {"T5", "t5", "", "</s>", "", 100},
    {"T5", "switch_transformers", "", "</s>", "", 100},
    {"MT5", "mt5", "", "</s>", "", 100},
    {"BigBird", "big_bird", "[CLS]", "[SEP]"},
    {"Albert", "albert", "", "", kAccents},
    {"XLNet", "xlnet", "", "", kAccents},
    {"Siglip", "siglip", "", "", "its tokenizer removes capitals and punctuation from texts"},
};

[[noreturn]] void refuse_class(const char* field, const std::string& name, const char* why) {
  throw Error(Code::unsupported, "tokenizer",
              {field, " is ", name, ": ", why, "; save the tokenizer with transformers, which ",
               "writes tokenizer.json"},
              {}, name);
}

// The content of a file of a folder; an object without fields if there is none.
Json object_of(const std::string& path) {
  if (!file_exists(path)) return Json::object();
  Json read = Json::read(path);
  in_file(path, [&] { (void)read.as_object("the file"); });
  return read;
}

std::string text_or_none(const Json& object, const char* key) {
  const Json* found = object.find(key);
  return found && !found->is_null() ? found->as_string(key) : std::string();
}

// The class of a name; null if it is not known.
const SentencePieceClass* class_named(std::string_view name) {
  for (const std::string_view ending : {"Fast", "Tokenizer"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  const auto* found = std::ranges::find(kClasses, name, &SentencePieceClass::name);
  return found != std::end(kClasses) ? found : nullptr;
}

// The class that tokenizer_config.json names; null if it names none.
const SentencePieceClass* stated_class(const Json& config) {
  const std::string name = text_or_none(config, "tokenizer_class");
  if (name.empty()) return nullptr;
  const SentencePieceClass* named = class_named(name);
  if (!named || *named->changes != 0) {
    refuse_class("tokenizer_class", name, named ? named->changes : kOtherIds);
  }
  return named;
}

// That of the model's type in config.json; null if it states none.
const SentencePieceClass* class_of_type(const Json& config) {
  const std::string type = text_or_none(config, "model_type");
  if (type.empty()) return nullptr;
  const auto* found = std::ranges::find(kClasses, type, &SentencePieceClass::model_type);
  const char* why = found == std::end(kClasses) ? kOtherIds : found->changes;
  if (*why != 0) refuse_class("model_type", type, why);
  return found;
}

// <extra_id_99> to <extra_id_0>, after the pieces.
void add_extra_ids(ScoredPieces& parts, const Json& config, int64_t usual) {
  constexpr const char* kField = "extra_ids";
  constexpr int64_t kMost = 100'000;
  const Json* given = config.find(kField);
  const int64_t count = given && !given->is_null() ? given->as_integer(kField) : usual;
  if (count < 0 || count > kMost) {
    throw Error(Code::value, "tokenizer",
                {kField, " is ", count, ", expected a number from 0 to ", kMost}, kMost, count);
  }
  for (int64_t i = count; i-- > 0;) {
    const auto id = std::ssize(parts.pieces) + count - 1 - i;
    parts.added.push_back({"<extra_id_" + std::to_string(i) + ">", id, true});
  }
}

void set_marks(SentencePieceModel& model, const std::string& folder) {
  const std::string path = folder + "/tokenizer_config.json";
  const Json config = object_of(path);
  const SentencePieceClass* known = in_file(path, [&] { return stated_class(config); });
  if (const std::string model_config = folder + "/config.json"; !known)
    known = in_file(model_config, [&] { return class_of_type(object_of(model_config)); });
  in_file(path, [&] {
    const auto flag = [&](const char* field, bool otherwise) {
      const Json* found = config.find(field);
      return found && !found->is_null() ? found->as_boolean(field) : otherwise;
    };
    const std::vector<std::string>& pieces = model.parts.pieces;
    // The id of the piece of this name, else that which the model states.
    const auto id = [&](const char* name, int32_t stated) -> int32_t {
      if (*name != 0) {
        const auto found = std::ranges::find(pieces, name);
        if (found == pieces.end()) {
          throw Error(Code::parse, "tokenizer",
                      {known->name, "Tokenizer adds ", name, ", which is no piece of the model"});
        }
        return static_cast<int32_t>(found - pieces.begin());
      }
      return stated >= 0 && static_cast<size_t>(stated) < pieces.size() ? stated : -1;
    };
    const char *begin = known ? known->begin : "", *end = known ? known->end : "";
    if (flag("add_bos_token", !model.parts.unigram || *begin != 0))
      model.parts.begin = id(begin, model.begin);
    if (flag("add_eos_token", *end != 0)) model.parts.end = id(end, model.end);
    if (known && known->extra > 0) add_extra_ids(model.parts, config, known->extra);
  });
}

}  // namespace

ScoredPieces sentence_piece_parts(std::string_view bytes) { return read_model(bytes).parts; }

std::string sentence_piece_file(const std::string& folder) {
  for (const char* name : {"tokenizer.model", "spiece.model"}) {
    if (std::string path = folder + "/" + name; file_exists(path)) return path;
  }
  return {};
}

std::unique_ptr<Tokenizer> load_sentence_piece(const std::string& folder) {
  const std::string path = sentence_piece_file(folder);
  const std::string bytes = read_file(path);
  SentencePieceModel model = in_file(path, [&] { return read_model(bytes); });
  set_marks(model, folder);
  if (const std::string added = folder + "/added_tokens.json"; file_exists(added)) {
    const Json all = Json::read(added);
    in_file(added, [&] {
      for (const auto& [token, given] : all.as_object("added_tokens.json")) {
        const int64_t id = given.as_integer(token);
        const auto same = [&](const ScoredPieces::Added& a) {
          return a.token == token && a.id == id;
        };
        if (std::ranges::none_of(model.parts.added, same)) model.parts.added.push_back({token, id});
      }
    });
  }
  return in_file(path, [&] { return tokenizer_of_pieces(model.parts); });
}

}  // namespace gyre
