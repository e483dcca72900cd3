#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/embed/embed_options.h"
#include "gyre/io/json.h"

namespace gyre {

/// Options merged with those of the file `config`, and the names of all set explicitly or by the
/// file. Errors: those of read_option_file().
struct ResolvedEmbedOptions {
  EmbedOptions options;
  std::vector<std::string> given;
};
ResolvedEmbedOptions resolve_embed_options(const EmbedOptions& options,
                                           std::span<const std::string> given);
/// Error{value} naming the first option that is out of range.
void check_embed_options(const EmbedOptions& options);

/// The options stored in a checkpoint, all but those tagged kThisRunOnly; also a file for `config`
/// that reproduces the embedding.
Json stored_embed_options(const EmbedOptions& options);
/// Options of a resumed run: the stored ones with changes_of_run applied.
EmbedOptions continued_embed_options(const EmbedOptions& options,
                                     std::span<const std::string> given, const Json& stored);

}  // namespace gyre
