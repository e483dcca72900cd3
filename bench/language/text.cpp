#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/language/tiny_shakespeare.h"
#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/text_source.h"
#include "gyre/text/bpe/bpe_trainer.h"
#include "gyre/text/tokenizer.h"
#include "tests/test_data.h"

namespace gyre::bench {
namespace {

std::string required(const char* work, const std::string& path) {
  if (file_exists(path)) return path;
  throw Error(Code::io, work, no_test_data(path));
}

// sizes: whether to encode line by line
Ready encode(const Work& w, const Settings&) {
  std::shared_ptr<Tokenizer> tokenizer =
      load_tokenizer(required(w.name, test_data("tokenizers/gpt2/tokenizer.json")));
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

constexpr Work work(const char* name, const char* definition, bool lines) {
  Work w{name, "ms", definition, encode, {lines}};
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

constexpr Work kWorks[] = {
    work("encode_string", "encoding tinyshakespeare with GPT-2's tokenizer, one call", false),
    work("encode_lines", "the same, one call per line", true), training()};

}  // namespace

std::span<const Work> text_works() { return kWorks; }

}  // namespace gyre::bench
