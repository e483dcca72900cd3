#include "gyre/embed/embed_config.h"

#include <fmt/format.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/io/option_file.h"
#include "gyre/io/record_json.h"

namespace gyre {
namespace {

constexpr const char* kData = "data";

[[noreturn]] void refuse(const char* name, const char* wanted, const std::string& actual) {
  throw Error(Code::value, "embed", fmt::format("`{}` must be {}, got {}", name, wanted, actual),
              wanted, actual);
}

}  // namespace

ResolvedEmbedOptions resolve_embed_options(const EmbedOptions& options,
                                           std::span<const std::string> given) {
  ResolvedEmbedOptions resolved{options, {given.begin(), given.end()}};
  if (options.config.empty()) return resolved;
  OptionFile file("embed", options.config);
  file.take(kData, [&](const Json& data) {
    if (options.data.empty()) resolved.options.data = data.as_string(kData);
  });
  file.set(resolved.options, resolved.given);
  return resolved;
}

Json embed_config_of(const EmbedOptions& options) {
  Json config = Json::object();
  config[kData] = options.data;
  const Json stored = stored_embed_options(options);
  for (const Json::Member& member : stored.as_object()) config[member.key] = member.value;
  return config;
}

void check_embed_options(const EmbedOptions& o) {
  struct Whole {
    const char* name;
    int64_t value, least, most;
    const char* wanted;
  };
  constexpr int64_t kMost = int64_t{1} << 40;
  const Whole wholes[] = {{"dim", o.dim, 1, 65536, "from 1 to 65536"},
                          {"epochs", o.epochs, 0, kMost, "0 or more"},
                          {"negatives", o.negatives, 1, 65536, "from 1 to 65536"},
                          {"batch", o.batch, 0, 65536, "from 0 to 65536"},
                          {"burn_in", o.burn_in, 0, kMost, "0 or more"},
                          {"seed", o.seed, 0, INT64_MAX, "0 or more"},
                          {"eval_every", o.eval_every, 0, kMost, "0 or more"},
                          {"eval_nodes", o.eval_nodes, 0, kMost, "0 or more"},
                          {"patience", o.patience, 0, kMost, "0 or more"},
                          {"save_every", o.save_every, 0, kMost, "0 or more"},
                          {"stop_at", o.stop_at, 0, kMost, "0 or more"}};
  for (const Whole& w : wholes) {
    if (w.value < w.least || w.value > w.most) refuse(w.name, w.wanted, fmt::format("{}", w.value));
  }
  if (!(o.lr >= 0) || !std::isfinite(o.lr)) refuse("lr", "0 or more", fmt::format("{}", o.lr));
  if (!(o.until_rank >= 0)) refuse("until_rank", "0 or more", fmt::format("{}", o.until_rank));
  if ((o.patience > 0 || o.until_rank > 0) && o.eval_every == 0) {
    refuse("eval_every", "above 0 with `patience` or `until_rank`", "0");
  }
}

Json stored_embed_options(const EmbedOptions& options) {
  Json stored = Json::object();
  const Json all = record_to_json(options);
  for (const Field& field : record_of<EmbedOptions>.fields) {
    if (!(field.tags & kThisRunOnly)) stored[field.name] = all.at(field.name);
  }
  return stored;
}

EmbedOptions continued_embed_options(const EmbedOptions& options,
                                     std::span<const std::string> given, const Json& stored) {
  EmbedOptions continued;
  record_from_json(continued, stored);
  record_from_json(continued, changes_of_run("embed", record_of<EmbedOptions>,
                                             record_to_json(options), stored, given));
  return continued;
}

}  // namespace gyre
