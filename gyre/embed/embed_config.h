#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/embed/embed_options.h"
#include "gyre/io/json.h"

namespace gyre {

/// Options with those of the file `config` in the place of what was not set by hand, and the names
/// of all that were set by either. Errors: those of OptionFile.
struct ResolvedEmbedOptions {
  EmbedOptions options;
  std::vector<std::string> given;
};
ResolvedEmbedOptions resolve_embed_options(const EmbedOptions& options,
                                           std::span<const std::string> given);
/// The options, and `data`, as a file that `config` takes: it makes the same embedding.
Json embed_config_of(const EmbedOptions& options);

/// Error{value} naming the first option that is out of its range.
void check_embed_options(const EmbedOptions& options);

/// What a checkpoint keeps of the options: all but those of one run.
Json stored_embed_options(const EmbedOptions& options);
/// The options of a training that goes on: those that it was told, and changes_of_run.
EmbedOptions continued_embed_options(const EmbedOptions& options,
                                     std::span<const std::string> given, const Json& stored);

}  // namespace gyre
