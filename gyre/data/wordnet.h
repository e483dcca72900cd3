#pragma once
#include <string>
#include <string_view>

#include "gyre/relation/taxonomy.h"

namespace gyre {

/// WordNet's nouns (Debian's wordnet-base) with their hypernyms, kinds (`@`) and instances (`@i`)
/// alike, not closed; in the order of data.noun. Names are as `dog.n.01`: the first lemma in lower
/// case, part of speech, sense number by its place in index.noun. Errors: io, naming the file that
/// is missing and the package; parse, naming file and line.
Taxonomy wordnet_nouns(const std::string& folder = "/usr/share/wordnet");

/// The closed taxonomy that `wordnet:WHAT` names: `nouns`, all of them; `mammals`, mammal.n.01 and
/// all below it; the name of any noun, and all below it. Errors: those of wordnet_nouns; value, a
/// noun that WordNet has not, with one that is like it.
Taxonomy wordnet_taxonomy(std::string_view what, const std::string& folder = "/usr/share/wordnet");

}  // namespace gyre
