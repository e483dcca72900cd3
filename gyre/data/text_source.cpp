#include "gyre/data/text_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/ascii.h"
#include "gyre/base/text/utf8.h"
#include "gyre/data/permutation.h"

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

std::string read_source(const std::string& source, const JsonlOptions& jsonl,
                        std::vector<size_t>& ends) {
  if (source == kGlosses) {
    std::string glosses = wordnet_glosses();
    ends = line_ends(glosses);
    return glosses;
  }
  if (source.starts_with("wordnet:") || source.starts_with("mnist:")) {
    throw Error(Code::value, "text", {source, " is not a text source; for WordNet use ", kGlosses},
                kGlosses, source);
  }
  if (!source.ends_with(".jsonl")) return read_file(source);
  const MappedFile file(source);
  return jsonl_text(file.text(), source, jsonl, &ends);
}

}  // namespace

std::string read_text(std::span<const std::string> sources, const JsonlOptions& jsonl) {
  return read_records(sources, jsonl).text;
}

std::vector<size_t> line_ends(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t end = 0; end < text.size(); ends.push_back(end))
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return ends;
}

TextOfRecords read_records(std::span<const std::string> sources, const JsonlOptions& jsonl) {
  if (sources.empty()) {
    throw Error(Code::value, "text", {"no data given; pass text files or ", kGlosses});
  }
  TextOfRecords all;
  bool known = true;
  for (const std::string& source : sources) {
    std::vector<size_t> ends;
    std::string text = read_source(source, jsonl, ends);
    known = known && !ends.empty();
    check_text(source, text);
    for (size_t end : ends) all.ends.push_back(all.text.size() + end);
    all.text = all.text.empty() ? std::move(text) : std::move(all.text) + text;
  }
  if (!known) all.ends.clear();
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

namespace {

void check_fraction(double fraction) {
  if (fraction >= 0 && fraction < 1) return;
  throw mismatch(Code::value, "text", "val_fraction must be in [0, 1)", "[0, 1)", fraction);
}

}  // namespace

RecordSplit split_records(std::string_view text, std::span<const size_t> ends, double fraction,
                          uint64_t seed) {
  check_fraction(fraction);
  const Permutation order(static_cast<int64_t>(ends.size()), seed);
  const auto record = [&](int64_t i) {
    const auto at = static_cast<size_t>(order[i]);
    const size_t begin = at > 0 ? ends[at - 1] : 0;
    return text.substr(begin, ends[at] - begin);
  };
  const double wanted = (1 - fraction) * static_cast<double>(text.size());
  RecordSplit parts;
  std::unordered_set<std::string_view> seen;
  int64_t i = 0;
  for (; i < order.size() && static_cast<double>(parts.training.size()) < wanted; ++i) {
    parts.training += record(i);
    seen.insert(record(i));
  }
  for (; i < order.size(); ++i)
    (seen.contains(record(i)) ? parts.training : parts.validation) += record(i);
  return parts;
}

TextSplit split_text(std::string_view text, double fraction) {
  check_fraction(fraction);
  auto cut = static_cast<size_t>((1 - fraction) * static_cast<double>(text.size()));
  auto inside = [&](size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  while (inside(cut)) ++cut;
  return {text.substr(0, cut), text.substr(cut)};
}

}  // namespace gyre
