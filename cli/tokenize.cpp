#include "cli/command.h"
#include "cli/option_text.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/terminal.h"
#include "gyre/base/text/printable.h"
#include "gyre/data/text_source.h"
#include "gyre/models/files/model_files.h"
#include "gyre/text/bpe/bpe_trainer.h"
#include "gyre/text/token_ids.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

struct TokenizeOptions {
  std::string file{}, jsonl{};
  bool special = false, add_special_tokens = false, decode = false;
  std::vector<std::string> ids{};
  bool skip_special = false, train = false;
  int64_t vocab_size = 4096, min_frequency = 0;
  std::vector<std::string> special_tokens{};
  std::string out{};
};
GYRE_FIELDS(
    TokenizeOptions, GYRE_FIELD(file, "encode the text of this file", .metavar = "FILE"),
    GYRE_FIELD(jsonl,
               "a JSON Lines file, one output line per line: a string or {\"text\": \"...\"} is "
               "encoded, {\"ids\": [...]} is decoded",
               .metavar = "FILE"),
    GYRE_FIELD(special, "encode special tokens such as <|endoftext|> in the text as tokens"),
    GYRE_FIELD(add_special_tokens,
               "encode as models get texts: with --special, and the tokens that the "
               "post-processor adds, for example one at the start"),
    GYRE_FIELD(decode, "decode --ids to text"),
    GYRE_FIELD(ids, "token ids, for --decode", .tags = kCommas, .metavar = "ID,ID"),
    GYRE_FIELD(skip_special, "omit special tokens from decoded text"),
    GYRE_FIELD(train, "train a byte-level BPE tokenizer on DATA and write it to --out"),
    GYRE_FIELD(vocab_size, "vocabulary size, including the 256 bytes and special tokens",
               .least = 256, .most = INT32_MAX),
    GYRE_FIELD(min_frequency, "minimum frequency of a pair to be merged", .least = 0),
    GYRE_FIELD(special_tokens, "special tokens of the vocabulary, which get the first ids",
               .tags = kCommas, .metavar = "TOKEN,TOKEN"),
    GYRE_FIELD(out, "tokenizer.json file to write, for --train", .metavar = "FILE"));

namespace {

void write_encoded(const Invocation& call, const Tokenizer& tokenizer, std::string_view text) {
  auto specials = call.as<TokenizeOptions>().special ? Specials::as_tokens : Specials::as_text;
  const bool as_input = call.as<TokenizeOptions>().add_special_tokens;
  std::vector<int32_t> ids =
      as_input ? tokenizer.model_input(text) : tokenizer.encode(text, specials);
  if (!call.json) {
    std::string line;
    for (int32_t id : ids) line += (line.empty() ? "" : " ") + std::to_string(id);
    call.out.text(line + "\n");
    return;
  }
  Json j = Json::object();
  j["ids"] = Json::array();
  j["tokens"] = Json::array();
  for (int32_t id : ids) {
    j["ids"].push_back(id);
    j["tokens"].push_back(tokenizer.token(id));
  }
  call.out.json(j);
}

void write_text(const Invocation& call, const std::string& text) {
  if (call.json) {
    Json j = Json::object();
    j["text"] = text;
    call.out.json(j);
  } else {
    call.out.data(text + "\n");
  }
}

void write_line(const Invocation& call, const Tokenizer& tokenizer, const Json& line) {
  const Json* text = line.is_object() ? line.find("text") : &line;
  if (text && text->is_string()) return write_encoded(call, tokenizer, text->as_string());
  const Json* list = line.is_object() ? line.find("ids") : nullptr;
  if (text || !list || !list->is_array()) {
    throw Error(Code::parse, "",
                {"expected a string, {\"text\": \"...\"} or {\"ids\": [...]}, got ",
                 shortened(line.dump(), 60)});
  }
  std::vector<int32_t> ids;
  for (const Json& id : list->as_array()) {
    const int64_t value = id.as_integer("ids");
    if (value < 0 || value > INT32_MAX)
      throw Error(Code::index, "", {"ids has ", value}, {"0 .. ", INT32_MAX}, value);
    ids.push_back(static_cast<int32_t>(value));
  }
  const bool skip = call.as<TokenizeOptions>().skip_special;
  write_text(call, tokenizer.decode(ids, {.skip_special = skip, .lossy = call.json}));
}

void encode_lines(const Invocation& call, const Tokenizer& tokenizer, const std::string& path) {
  std::string all = read_file(path);
  std::string_view rest = all;
  for (int64_t number = 1; !rest.empty(); ++number) {
    size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    try {
      write_line(call, tokenizer, Json::parse(line));
    } catch (const Error& error) {
      throw Error(error.code, path, fmt::format("line {}: {}", number, error.what()));
    }
  }
}

void write_decoded(const Invocation& call, const Tokenizer& tokenizer) {
  const auto& options = call.as<TokenizeOptions>();
  std::string text =
      tokenizer.decode(parse_token_ids(options.ids, "tokenize"), {options.skip_special, call.json});
  write_text(call, text);
}

int train(const Invocation& call) {
  const auto& options = call.as<TokenizeOptions>();
  if (options.out.empty()) throw UsageError("--train needs --out FILE");
  std::string text = read_text(call.operands);
  BpeTrainer trainer(
      {static_cast<int32_t>(options.vocab_size), options.min_frequency, options.special_tokens});
  trainer.add(text);
  bool shown = is_terminal(stderr);
  std::unique_ptr<Tokenizer> tokenizer = trainer.train([shown](int32_t learned, int32_t wanted) {
    if (shown && learned % 64 == 0)
      std::fprintf(stderr, "\rtrained %d of %d tokens", learned, wanted);
  });
  if (shown) std::fprintf(stderr, "\r\033[K");
  tokenizer->save(options.out);
  const std::string why_fewer = trainer.why_fewer(tokenizer->vocab_size());
  if (call.json) {
    Json j = Json::object();
    j["out"] = options.out;
    j["vocab_size"] = tokenizer->vocab_size();
    j["bytes"] = static_cast<int64_t>(text.size());
    if (!why_fewer.empty()) j["note"] = why_fewer;
    call.out.json(j);
  } else {
    call.out.print("{}: {} tokens trained on {} bytes\n", options.out, tokenizer->vocab_size(),
                   text.size());
    if (!why_fewer.empty()) call.out.print("{}\n", why_fewer);
  }
  return kDone;
}

// The options for encoding, decoding and training exclude each other.
void check_choice(const Invocation& call) {
  const auto& options = call.as<TokenizeOptions>();
  if (options.decode != call.has("ids")) throw UsageError("--decode and --ids require each other");
  if (options.train) {
    for (const char* other :
         {"file", "jsonl", "decode", "special", "add_special_tokens", "skip_special"}) {
      if (call.has(other))
        throw UsageError(
            "--train takes DATA, --vocab-size, --min-frequency, --special-tokens and --out only");
    }
    return;
  }
  for (const char* other : {"vocab_size", "min_frequency", "special_tokens", "out"}) {
    if (call.has(other)) throw UsageError(option_name(other) + " needs --train");
  }
  int sources = (call.operands.size() > 1) + call.has("file") + call.has("jsonl") + options.decode;
  if (call.operands.size() > 2) throw UsageError("unexpected argument '" + call.operands[2] + "'");
  if (sources != 1) throw UsageError("give exactly one of TEXT, --file, --jsonl or --decode --ids");
}

int run_tokenize(const Invocation& call) {
  const auto& options = call.as<TokenizeOptions>();
  check_choice(call);
  if (options.train) return train(call);
  std::unique_ptr<Tokenizer> tokenizer = open_tokenizer(call.operands[0]);
  if (options.decode) {
    write_decoded(call, *tokenizer);
  } else if (call.has("jsonl")) {
    encode_lines(call, *tokenizer, options.jsonl);
  } else {
    write_encoded(call, *tokenizer, call.has("file") ? read_file(options.file) : call.operands[1]);
  }
  return kDone;
}

}  // namespace

const Command tokenize_command{
    "tokenize",
    "encode and decode text, and train tokenizers",
    "gyre tokenize model/tokenizer.json \"a kind of bird\" --json",
    {"ARGUMENT",
     "a tokenizer.json or a model, and TEXT; with --train: DATA (text files or wordnet:glosses)", 1,
     kAny},
    record_of<TokenizeOptions>,
    run_tokenize};

}  // namespace gyre
