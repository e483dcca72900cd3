#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gyre/data/jsonl.h"

namespace gyre {

/// The text behind the names that `gyre train` takes: files, joined in the order given, and
/// `wordnet:glosses`. Of a file whose name ends with .jsonl it is that of read_jsonl. Errors:
/// value, no name or an unknown scheme; io, naming the file; parse, when the text is not UTF-8
/// (naming file and offset) or empty, and those of read_jsonl.
std::string read_text(std::span<const std::string> sources, const JsonlOptions& jsonl = {});

/// The name by which the same data are found from every working directory: a path made absolute,
/// after `mnist:` too.
std::string canonical_source(const std::string& source);

/// The glosses of WordNet (Debian's wordnet-base, under /usr/share/wordnet), one a line: data.noun,
/// data.verb, data.adj and data.adv in this order; of each line that does not begin with two spaces
/// the text after the first `| `, stripped. Errors: io.
std::string wordnet_glosses(const std::string& folder = "/usr/share/wordnet");

/// A text cut in two.
struct TextSplit {
  std::string_view training, validation;
};
/// The last `fraction` of the bytes are for validation; the cut lies before a whole character.
/// Error{value} for a fraction outside [0, 1).
TextSplit split_text(std::string_view text, double fraction);

}  // namespace gyre
