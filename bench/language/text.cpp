#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/language/tiny_shakespeare.h"
#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/text_source.h"
#include "gyre/io/json.h"
#include "gyre/text/bpe/bpe_trainer.h"
#include "gyre/text/splitters/known_patterns.h"
#include "gyre/text/tokenizer.h"
#include "tests/test_data.h"

namespace gyre::bench {
namespace {

std::string required(const char* text_work, const std::string& path) {
  if (file_exists(path)) return path;
  throw Error(Code::io, text_work, no_test_data(path));
}

Json splitting_like(std::string_view model) {
  for (size_t i = 0; i < known_pattern_count(); ++i) {
    if (model != known_pattern(i).tokenizer) continue;
    const std::string pattern = Json(std::string(known_pattern(i).pattern)).dump();
    return Json::parse(R"({"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": )"
                       R"({"Regex": )" +
                       pattern +
                       R"(}, "behavior": "Isolated", "invert": false},)"
                       R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,)"
                       R"( "use_regex": false}]})");
  }
  throw Error(Code::internal, "bench", std::string(model) + " is no known pattern");
}

// The user's own folder for files that are made once (XDG Base Directory Specification).
std::filesystem::path cache_folder() {
  const char *own = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (own && *own == '/') return std::filesystem::path(own) / "gyre-bench";
  if (home && *home == '/') return std::filesystem::path(home) / ".cache" / "gyre-bench";
  throw Error(Code::io, "bench", "no folder for learned tokenizers; set HOME or XDG_CACHE_HOME",
              "an absolute path", home ? home : "none");
}

// Splits texts as a well-known tokenizer does, with 32,000 tokens learned on WordNet's glosses;
// bench/peers.py reads the file.
std::shared_ptr<Tokenizer> learned_tokenizer(const char* name, const char* model) {
  const std::filesystem::path folder = cache_folder();
  const std::string path = folder / fmt::format("{}.json", name);
  if (!file_exists(path)) {
    create_directories(folder);
    BpeTrainer trainer({.vocab_size = 32000});
    trainer.add(wordnet_glosses());
    Json root = trainer.train()->to_json();
    root["pre_tokenizer"] = splitting_like(model);
    write_file_atomic(path, root.dump());
  }
  return load_tokenizer(path);
}

constexpr const char* kSplitters[] = {"Llama 3, GPT-4", "Qwen2"};

// sizes: whether to encode line by line; 0 for GPT-2's tokenizer, or 1 more than a splitter
Ready encode(const Work& w, const Settings&) {
  const std::shared_ptr<Tokenizer> tokenizer =
      w.sizes[1] ? learned_tokenizer(w.name, kSplitters[w.sizes[1] - 1])
                 : load_tokenizer(required(w.name, test_data("tokenizers/gpt2/tokenizer.json")));
  auto text = std::make_shared<std::string>(read_file(tiny_shakespeare(w.name)));
  std::vector<std::string_view> parts;
  if (w.sizes[0]) {
    for (size_t at = 0, end; at < text->size(); at = end) {
      end = std::min(text->find('\n', at), text->size() - 1) + 1;
      parts.push_back(std::string_view(*text).substr(at, end - at));
    }
  } else {
    parts.push_back(*text);
  }
  return {[tokenizer, text, parts] {
    for (std::string_view part : parts) (void)tokenizer->encode(part);
  }};
}

Ready train(const Work&, const Settings&) {
  auto text = std::make_shared<std::string>(wordnet_glosses());
  return {[text] {
    BpeTrainer trainer({.vocab_size = 4096});
    trainer.add(*text);
    (void)trainer.train();
  }};
}

constexpr Work text_work(const char* name, const char* definition, bool lines,
                         int64_t splitter = 0) {
  Work w{name, "ms", definition, encode, {lines, splitter}};
  w.repeats = 7;
  w.warm = 1;
  return w;
}

constexpr Work training() {
  Work w{"train_bpe_4096", "s",
         "training a byte-level BPE tokenizer of 4,096 tokens on WordNet's glosses", train};
  w.repeats = 7;
  w.warm = 1;
  return w;
}

constexpr Work kTextWorks[] = {
    text_work("encode_string", "encoding tinyshakespeare with GPT-2's tokenizer, one call", false),
    text_work("encode_lines", "the same, one call per line", true),
    text_work("encode_llama3",
              "the same text, split as by Llama 3, with 32,000 tokens of the glosses", false, 1),
    text_work("encode_qwen2", "the same, split as by Qwen2", false, 2), training()};

}  // namespace

std::span<const Work> text_works() { return kTextWorks; }

}  // namespace gyre::bench
