#include "gyre/data/text_source.h"

#include <fmt/core.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/ascii.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

constexpr std::string_view kGlosses = "wordnet:glosses";
constexpr std::string_view kImages = "mnist:";

void append_glosses(std::string_view file, std::string& glosses) {
  while (!file.empty()) {
    size_t end = file.find('\n');
    std::string_view line = file.substr(0, end);
    file.remove_prefix(end == std::string_view::npos ? file.size() : end + 1);
    size_t bar = line.starts_with("  ") ? std::string_view::npos : line.find("| ");
    if (bar != std::string_view::npos) glosses.append(trim(line.substr(bar + 2))) += '\n';
  }
}

void check_text(const std::string& name, std::string_view text) {
  if (text.empty()) throw Error(Code::parse, "text", name + " is empty", "text", "no bytes");
  if (is_utf8(text)) return;
  size_t at = 0;
  for (Utf8Char c; (c = decode_utf8(text, at)).valid;) at += c.length;
  throw Error(Code::parse, "text", {name, " is not UTF-8 at byte ", at}, "UTF-8",
              {"byte ", static_cast<unsigned char>(text[at])});
}

std::string read_source(const std::string& source, const JsonlOptions& jsonl) {
  if (source == kGlosses) return wordnet_glosses();
  if (source.starts_with("wordnet:") || source.starts_with("mnist:")) {
    throw Error(Code::value, "text", {source, " is not a text source; for WordNet use ", kGlosses},
                kGlosses, source);
  }
  return source.ends_with(".jsonl") ? read_jsonl(source, jsonl) : read_file(source);
}

}  // namespace

std::string read_text(std::span<const std::string> sources, const JsonlOptions& jsonl) {
  if (sources.empty()) {
    throw Error(Code::value, "text", {"no data given; pass text files or ", kGlosses});
  }
  std::string all;
  for (const std::string& source : sources) {
    std::string text = read_source(source, jsonl);
    check_text(source, text);
    all = all.empty() ? std::move(text) : std::move(all) + text;
  }
  return all;
}

std::string canonical_source(const std::string& source) {
  if (source == kGlosses) return source;
  if (source.starts_with(kImages)) {
    return std::string(kImages) + absolute_path(source.substr(kImages.size()));
  }
  return absolute_path(source);
}

std::string wordnet_glosses(const std::string& folder) {
  std::string glosses;
  for (const char* part : {"noun", "verb", "adj", "adv"}) {
    std::string path = folder + "/data." + part;
    if (!file_exists(path)) {
      throw Error(Code::io, "text", path + " does not exist; install Debian's package wordnet-base",
                  path);
    }
    append_glosses(read_file(path), glosses);
  }
  return glosses;
}

TextSplit split_text(std::string_view text, double fraction) {
  if (!(fraction >= 0 && fraction < 1)) {
    throw mismatch(Code::value, "text", "val_fraction must be in [0, 1)", "[0, 1)", fraction);
  }
  auto cut = static_cast<size_t>((1 - fraction) * static_cast<double>(text.size()));
  auto inside = [&](size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  while (inside(cut)) ++cut;
  return {text.substr(0, cut), text.substr(cut)};
}

}  // namespace gyre
