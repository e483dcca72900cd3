#include "gyre/embed/embed_options.h"

#include "gyre/base/error.h"
#include "gyre/io/option_file.h"
#include "gyre/io/record_json.h"

namespace gyre {

ResolvedEmbedOptions resolve_embed_options(const EmbedOptions& options,
                                           std::span<const std::string> given) {
  ResolvedEmbedOptions resolved{options, own_names("embed", record_of<EmbedOptions>, given)};
  if (!options.data.empty()) resolved.given.emplace_back("data");
  if (!options.run.config.empty())
    read_option_file("embed", options.run.config, resolved.options, resolved.given);
  return resolved;
}

void check_embed_options(const EmbedOptions& o) {
  check_record("embed", o);
  if ((o.evaluation.patience > 0 || o.until_rank > 0) && o.evaluation.every == 0) {
    throw Error(Code::value, "embed",
                "`eval_every` must be above 0 with `patience` or `until_rank`, got 0", "above 0",
                "0");
  }
}

Json stored_embed_options(const EmbedOptions& options) {
  Json stored = Json::object();
  const Json all = record_to_json(options);
  for (const Field& field : record_of<EmbedOptions>.fields) {
    if (!(field.tags & kThisProcessOnly)) stored[field.name] = all.at(field.name);
  }
  return stored;
}

EmbedOptions continued_embed_options(const EmbedOptions& options,
                                     std::span<const std::string> given, const Json& stored) {
  EmbedOptions continued;
  record_from_json(continued, stored);
  if (continued.data.empty()) continued.data = options.data;  // not stored by earlier versions
  record_from_json(continued,
                   changes_of_run("embed", record_of<EmbedOptions>, record_to_json(options),
                                  record_to_json(continued), given));
  return continued;
}

}  // namespace gyre
