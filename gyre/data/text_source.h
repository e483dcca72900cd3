#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/data/jsonl.h"

namespace gyre {

/// The text of the sources that `gyre train` accepts: files, concatenated in the given order, and
/// `wordnet:glosses`. Files named *.jsonl are read by read_jsonl. Errors: value for no source or an
/// unknown scheme; io, naming the file; parse if the text is empty or not UTF-8 (with file and
/// offset), and errors of read_jsonl.
std::string read_text(std::span<const std::string> sources, const JsonlOptions& jsonl = {});

/// Such a text, and where its records end: the lines of `wordnet:glosses`, the documents of JSONL
/// files; empty if a source is another file. Errors as above.
struct TextOfRecords {
  std::string text;
  std::vector<size_t> ends;
};
TextOfRecords read_records(std::span<const std::string> sources, const JsonlOptions& jsonl = {});
/// The end of each line of a text, after its newline.
std::vector<size_t> line_ends(std::string_view text);

/// A source name valid from every working directory: relative paths become absolute, also after
/// `mnist:`.
std::string canonical_source(const std::string& source);

/// The glosses of WordNet (Debian package wordnet-base, in /usr/share/wordnet), one per line, from
/// data.noun, data.verb, data.adj and data.adv in this order: of each line that does not start with
/// two spaces the text after the first `| `, stripped. Errors: io.
std::string wordnet_glosses(const std::string& folder = "/usr/share/wordnet");

/// A text split in two.
struct TextSplit {
  std::string_view training, validation;
};
/// The last `fraction` of the bytes is the validation part, split at a character boundary.
/// Error{value} for a fraction outside [0, 1).
TextSplit split_text(std::string_view text, double fraction);

/// A text split in two by its records.
struct RecordSplit {
  std::string training, validation;
};
/// Shuffles the records of a text, which end at `ends`, by `seed` and their number alone: the
/// training part is the first ones, up to `1 - fraction` of the bytes, and all duplicates of these.
/// Error{value} for a fraction outside [0, 1).
RecordSplit split_records(std::string_view text, std::span<const size_t> ends, double fraction,
                          uint64_t seed = 0);

}  // namespace gyre
