#include "gyre/data/wordnet.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/ascii.h"
#include "gyre/base/text/nearest.h"

namespace gyre {
namespace {

constexpr size_t kOffset = 8;  // digits of the offset of a synset in data.noun

MappedFile open(const std::string& path) {
  if (!file_exists(path)) {
    throw Error(Code::io, "wordnet",
                path + " does not exist; install Debian's package wordnet-base", path);
  }
  return MappedFile(path);
}

// Word-by-word reader of a file, skipping the licence.
class Lines {
 public:
  explicit Lines(const MappedFile& file) : path_(file.path()), rest_(file.text()) {}

  bool next() {
    do {
      if (rest_.empty()) return false;
      const size_t end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++number_;
    } while (line_.starts_with("  "));
    line_ = line_.substr(0, line_.find(" | "));
    return true;
  }

  std::string_view word() {
    const size_t end = std::min(line_.find(' '), line_.size());
    if (end == 0) fail("unexpected end of line");
    std::string_view found = line_.substr(0, end);
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return found;
  }

  int64_t number(int base = 10) {
    std::string_view text = word();
    int64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) {
      fail(fmt::format("'{}' is not a number", text));
    }
    return value;
  }

  [[nodiscard]] std::string_view rest() const { return line_; }

  [[noreturn]] void fail(const Message& why) const {
    throw Error(Code::parse, "wordnet", fmt::format("{}: line {}: {}", path_, number_, why.text));
  }

 private:
  const std::string& path_;
  std::string_view rest_, line_;
  int64_t number_ = 0;
};

// The synset offsets of each lemma, in the order of its senses.
class Senses {
 public:
  explicit Senses(const std::string& path) : file_(open(path)) {
    Lines lines(file_);
    while (lines.next()) {
      const std::string_view lemma = lines.word();
      lines.word();  // part of speech
      lines.number();
      for (int64_t pointers = lines.number(); pointers > 0; --pointers) lines.word();
      lines.number();
      lines.number();
      if (lemmas_.add(lemma) == offsets_.size()) offsets_.push_back(lines.rest());
    }
  }

  /// 0 if the lemma has no such sense.
  [[nodiscard]] size_t number(std::string_view lemma, std::string_view offset) const {
    const auto found = lemmas_.find(lemma);
    if (!found) return 0;
    std::string_view rest = offsets_[*found];
    for (size_t sense = 1; rest.size() >= kOffset; ++sense) {
      if (rest.starts_with(offset)) return sense;
      rest.remove_prefix(std::min(kOffset + 1, rest.size()));
    }
    return 0;
  }

 private:
  MappedFile file_;
  NameTable lemmas_;
  std::vector<std::string_view> offsets_;
};

uint32_t node_named(const Taxonomy& nouns, std::string_view name) {
  if (const auto found = nouns.names.find(name)) return *found;
  std::vector<std::string> all;
  for (uint32_t i = 0; i < nouns.nodes(); ++i) all.emplace_back(nouns.names[i]);
  throw Error(Code::value, "wordnet",
              fmt::format("WordNet has no noun {}; use wordnet:nouns, wordnet:mammals or "
                          "a name such as wordnet:dog.n.01{}",
                          name, suggestion(name, all)),
              {}, name);
}

}  // namespace

Taxonomy wordnet_nouns(const std::string& folder) {
  const Senses senses(folder + "/index.noun");
  const MappedFile file = open(folder + "/data.noun");
  NameTable names;
  std::unordered_map<std::string_view, uint32_t> nodes;
  std::vector<std::pair<uint32_t, std::string_view>> hypernyms;
  Lines lines(file);
  while (lines.next()) {
    const std::string_view offset = lines.word();
    lines.word();  // lexicographer file number
    lines.word();  // synset type
    int64_t words = lines.number(16);
    const std::string lemma = lower_case(lines.word());
    lines.word();  // lex_id
    while (--words > 0) lines.word(), lines.word();
    const size_t sense = senses.number(lemma, offset);
    if (sense == 0) lines.fail(fmt::format("index.noun has no sense of {} at {}", lemma, offset));
    const uint32_t node = names.add(fmt::format("{}.n.{:02}", lemma, sense));
    if (!nodes.emplace(offset, node).second)
      lines.fail(fmt::format("duplicate synset offset {}", offset));
    for (int64_t pointers = lines.number(); pointers > 0; --pointers) {
      const std::string_view kind = lines.word(), target = lines.word();
      lines.word();  // part of speech of the target
      lines.word();  // source and target words
      if (kind == "@" || kind == "@i") hypernyms.emplace_back(node, target);
    }
  }
  std::vector<TaxonomyEdge> edges;
  for (const auto& [node, target] : hypernyms) {
    const auto found = nodes.find(target);
    if (found == nodes.end()) {
      throw Error(Code::parse, "wordnet",
                  fmt::format("{}: {} has a hypernym at {}, which is not a synset", file.path(),
                              names[node], target));
    }
    edges.push_back({node, found->second});
  }
  return make_taxonomy(std::move(names), edges);
}

Taxonomy wordnet_taxonomy(std::string_view what, const std::string& folder) {
  Taxonomy nouns = wordnet_nouns(folder);
  if (what == "nouns") return transitive_closure(nouns).taxonomy;
  const uint32_t root = node_named(nouns, what == "mammals" ? "mammal.n.01" : what);
  const Taxonomy closed = transitive_closure(nouns).taxonomy;
  std::vector<uint32_t> below;
  for (uint32_t node = 0; node < closed.nodes(); ++node) {
    if (node == root || closed.is_above(root, node)) below.push_back(node);
  }
  return part_of(closed, below);
}

}  // namespace gyre
