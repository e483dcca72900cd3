#include "gyre/embed/embed.h"

#include <cmath>

#include "cli/command.h"
#include "cli/trained.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/system/terminal.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/printable.h"
#include "gyre/embed/embed_progress.h"
#include "gyre/embed/embedding.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

std::string figures(const Reconstruction& rank) {
  if (std::isnan(rank.mean_rank)) return "not evaluated";
  return fmt::format("mean rank {:.3f}, MAP {:.4f}", rank.mean_rank, rank.map);
}

void show(Output& out, const std::string& folder, const EmbedReport& report) {
  out.print("{} after {}: {}\n", folder, counted(report.epochs, "epoch"), figures(report.rank));
  if (!std::isnan(report.baseline.mean_rank)) {
    out.print("Euclidean baseline of the same dimension: {}\n", figures(report.baseline));
  }
  if (report.stopped_early) {
    out.print("stopped early; best mean rank {:.3f} in epoch {}\n", report.best_mean_rank,
              report.best_epoch);
  }
  if (report.new_epochs == 0 && !report.interrupted) {
    out.print("nothing to do: no epochs left\n");
  } else {
    out.print("{} of training, {} pairs per second\n", duration_text(report.seconds),
              grouped(std::llround(report.pairs_per_second)));
  }
}

Json json_of(const std::vector<Neighbour>& nodes) {
  Json list = Json::array();
  for (const Neighbour& n : nodes) {
    Json entry = Json::object();
    entry["name"] = n.name;
    entry["distance"] = n.distance;
    list.push_back(std::move(entry));
  }
  return list;
}

int query(const Invocation& call) {
  const auto& options = call.as<EmbedQueryOptions>();
  const EmbeddingAnswer answer =
      Embedding(EmbeddingFolder(call.operands[0])).query(call.operands[1], options.neighbours);
  if (call.json) {
    Json json = Json::object();
    json["name"] = answer.name;
    json["neighbours"] = json_of(answer.neighbours);
    json["ancestors"] = json_of(answer.ancestors);
    call.out.json(json);
    return kDone;
  }
  auto print = [&](const char* heading, const std::vector<Neighbour>& nodes) {
    call.out.print("{}\n", call.out.heading(heading));
    for (const Neighbour& n : nodes)
      call.out.print("  {:8.4f}  {}\n", n.distance, printable(n.name));
  };
  call.out.print("{}\n", printable(answer.name));
  print("nearest neighbours", answer.neighbours);
  print("ancestors", answer.ancestors);
  return kDone;
}

int run_embed(const Invocation& call) {
  const auto& options = call.as<EmbedOptions>();
  const EmbedOptions all = resolve_embed_options(options, call.given).options;
  if (all.run.print_config) {
    call.out.text(stored_embed_options(all).dump(2) + "\n");
    return kDone;
  }
  if (all.run.out.empty())
    throw UsageError("--out DIR is missing: the folder to write the embedding to");
  if (all.data.empty() && !all.checkpoints.resume) {
    throw UsageError("missing EDGES: a TSV or CSV file, wordnet:mammals or wordnet:nouns");
  }
  const EmbedReport report = [&] {
    EmbedText progress(stderr, is_terminal(stderr), note_interrupts);
    return embed(options, call.given, progress);
  }();
  return answer_trained(call, "embed", all.run.out, report, show);
}

const Command query_command{
    "embed query",
    "list the nearest neighbours and the ancestors of a word in an embedding",
    "gyre embed query mammals dog --neighbours 5",
    {"DIR WORD", "a folder written by gyre embed; the name of a node (dog.n.01) or its lemma (dog)",
     2, 2},
    record_of<EmbedQueryOptions>,
    query};

const Command* const kParts[] = {&query_command};

}  // namespace

const Command embed_command{
    "embed",
    "embed a taxonomy in hyperbolic space and query it",
    "gyre embed wordnet:mammals --out mammals --dim 5\n  gyre embed query mammals dog",
    {"EDGES",
     "a TSV or CSV file of edges, wordnet:mammals, wordnet:nouns or any noun, for example "
     "wordnet:dog.n.01; or: query DIR WORD (see gyre embed query --help)",
     0, 1},
    record_of<EmbedOptions>,
    run_embed,
    nullptr,
    kParts};

}  // namespace gyre
