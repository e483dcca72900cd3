#pragma once
#include <string>
#include <string_view>

#include "gyre/relation/taxonomy.h"

namespace gyre {

/// WordNet's nouns (Debian package wordnet-base) with their direct hypernyms, of kinds (`@`) and of
/// instances (`@i`), in the order of data.noun. Names are as in NLTK, `dog.n.01`: first lemma in
/// lower case, part of speech, sense number by position in index.noun. Errors: io, naming the
/// missing file and the package; parse, with file and line.
Taxonomy wordnet_nouns(const std::string& folder = "/usr/share/wordnet");

/// The transitive closure named by `wordnet:WHAT`: `nouns`, all of them; `mammals`, mammal.n.01 and
/// its hyponyms; the name of any noun, and its hyponyms. Errors: those of wordnet_nouns; value for
/// an unknown noun, suggesting a similar one.
Taxonomy wordnet_taxonomy(std::string_view what, const std::string& folder = "/usr/share/wordnet");

}  // namespace gyre
