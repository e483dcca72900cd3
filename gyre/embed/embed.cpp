#include "gyre/embed/embed.h"

#include <fmt/format.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/edge_list.h"
#include "gyre/data/wordnet.h"
#include "gyre/embed/embedding_folder.h"
#include "gyre/embed/picture/embed_picture.h"
#include "gyre/io/record_json.h"
#include "gyre/train/log/training_log.h"
#include "gyre/train/loop.h"
#include "gyre/train/out_folder.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

[[noreturn]] void refuse_embedding(const std::string& message) {
  throw Error(Code::value, "embed", message);
}

// Trains one embedding. Without a folder nothing is written.
class EmbeddingRun final : public LoopTask {
 public:
  EmbeddingRun(const EmbedOptions& options, const Taxonomy& taxonomy,
               EmbeddingFolder::Checkpoint from, const EmbeddingFolder* folder, EmbedSink& sink)
      : options_(options),
        taxonomy_(taxonomy),
        at_(std::move(from)),
        folder_(folder),
        sink_(sink),
        trainer_(taxonomy, options, at_.points) {
    if (options.evaluation.patience > 0 && !at_.best) count_from_here();
    if (!folder) return;
    const std::string log = folder->path() + "/log.jsonl";
    resume_log(log, state().step, "epoch");
    log_.emplace(log);
  }

  EmbedReport operator()() {
    EmbeddingState& s = state();
    s.validation_due = s.step >= options_.epochs && folder_ && options_.checkpoints.stop_at == 0 &&
                       s.evaluated != s.step;
    done_ = run_loop({.steps = options_.epochs,
                      .evaluation = options_.evaluation,
                      .checkpoints = options_.checkpoints},
                     s, *this);
    if (folder_) folder_->write_embedding(taxonomy_, points());
    return report();
  }

  [[nodiscard]] const PointTable& points() const { return leaves_best() ? *at_.best : at_.points; }

  bool run_step() override {
    EmbeddingState& s = state();
    if (!trainer_.run_epoch(s.step, s.position, [this] { return sink_.stop_wanted(); })) {
      save();
      return false;
    }
    s.loss = s.position.loss / static_cast<double>(taxonomy_.pairs());
    if (std::isfinite(s.loss)) return true;
    throw Error(Code::numeric, "embed",
                fmt::format("the loss is not finite in epoch {}; lower `lr`", s.step + 1),
                "a finite number", fmt::format("{}", s.loss));
  }

  void stepped(const LoopProgress& progress, bool validates) override {
    done_ = progress;
    if (!validates) show();
  }

  bool stop_wanted() override { return false; }  // the next epoch asks

  std::optional<Validation> validate() override {
    EmbeddingState& s = state();
    const int64_t queries = options_.eval_nodes > 0 ? options_.eval_nodes : INT64_MAX;
    s.figures =
        reconstruct(taxonomy_, at_.points, queries, static_cast<uint64_t>(options_.run.seed));
    s.evaluated = s.step;
    Validation done;
    done.figures.loss = s.figures.mean_rank;
    return done;
  }

  bool validated(const Validation& validation) override {
    EmbeddingState& s = state();
    if (validation.best) {
      s.best = s.figures;
      at_.best.reset();  // also without patience, since those are no longer the best
      if (options_.evaluation.patience > 0) at_.best = at_.points.clone();
    }
    sink_.evaluated(s.step, s.figures, validation.best);
    if (done_.new_steps > 0) show();
    return false;
  }

  [[nodiscard]] bool satisfied() const override {
    const EmbeddingState& s = at_.state;
    return s.evaluated == s.step && s.figures.mean_rank <= options_.until_rank;
  }

  void save() override {
    if (!folder_) return;
    state().options = stored_embed_options(options_);
    folder_->write_checkpoint(at_);
  }

 private:
  EmbeddingState& state() { return at_.state; }
  [[nodiscard]] bool leaves_best() const { return done_.stopped_early && at_.best; }

  // Points of earlier epochs are not stored, so early stopping counts from these.
  void count_from_here() {
    EmbeddingState& s = state();
    static_cast<LoopState&>(s) = {.step = s.step};
    s.best = {};
    if (s.evaluated != s.step || s.position.batch > 0) return;
    s.best_step = s.evaluated;
    s.best = s.figures;
    s.best_loss = s.best.mean_rank;
    at_.best = at_.points.clone();
  }

  // Tells the sink of the epoch, and the log if it was evaluated or is saved.
  void show() {
    const EmbeddingState& s = at_.state;
    const double lr = embed_rate(options_, s.step - 1);
    sink_.advanced({.epoch = s.step,
                    .total = options_.epochs,
                    .loss = s.loss,
                    .lr = lr,
                    .mean_rank = s.figures.mean_rank,
                    .map = s.figures.map,
                    .pairs_per_second = done_.per_second(taxonomy_.pairs()),
                    .elapsed = done_.elapsed,
                    .remaining = done_.remaining});
    const int64_t every = options_.checkpoints.every;
    const bool evaluated = s.evaluated == s.step;
    if (!log_ || !(evaluated || (every > 0 && s.step % every == 0))) return;
    Json entry = Json::object();
    entry["epoch"] = s.step;
    entry["loss"] = s.loss;
    entry["lr"] = lr;
    if (evaluated) {
      entry["mean_rank"] = s.figures.mean_rank;
      entry["map"] = s.figures.map;
    }
    entry["seconds"] = done_.in_steps;
    log_->append(entry.dump());
  }

  [[nodiscard]] EmbedReport report() const {
    const EmbeddingState& s = at_.state;
    return {.rank = leaves_best() ? s.best : s.figures,
            .seconds = done_.in_steps,
            .nodes = taxonomy_.nodes(),
            .pairs = taxonomy_.pairs(),
            .epochs = s.step,
            .new_epochs = done_.new_steps,
            .loss = s.loss,
            .pairs_per_second = done_.per_second(taxonomy_.pairs()),
            .best_epoch = s.best_step,
            .best_mean_rank = s.best.mean_rank,
            .interrupted = done_.interrupted,
            .stopped_early = done_.stopped_early};
  }

  const EmbedOptions& options_;
  const Taxonomy& taxonomy_;
  EmbeddingFolder::Checkpoint at_;
  const EmbeddingFolder* folder_;
  EmbedSink& sink_;
  EmbeddingTrainer trainer_;
  std::optional<LineLog> log_;
  LoopProgress done_;
};

Taxonomy load(const EmbedOptions& o, EmbedSink& sink) {
  constexpr std::string_view kWordnet = "wordnet:";
  if (o.data.starts_with(kWordnet)) return wordnet_taxonomy(o.data.substr(kWordnet.size()));
  EdgeList list = read_edges(o.data, o.edges);
  for (const std::string& note : list.notes) sink.warned(note);
  int64_t repeated = 0;
  Taxonomy taxonomy = make_taxonomy(std::move(list.names), list.edges, &repeated);
  if (repeated > 0) {
    sink.warned(fmt::format("{}: {} ignored", o.data, counted(repeated, "duplicate edge")));
  }
  if (taxonomy.pairs() == 0) refuse_embedding(o.data + " has no edge between two different nodes");
  if (!o.closure) return taxonomy;
  Closure closed = transitive_closure(taxonomy);
  if (closed.cyclic > 0) {
    std::string way;
    for (uint32_t node : closed.cycle) way += std::string(taxonomy.names[node]) + " -> ";
    sink.warned(
        fmt::format("{}: {} on cycles are their own ancestors, which is ignored; a cycle: {}{}",
                    o.data, counted(closed.cyclic, "node"), way, taxonomy.names[closed.cycle[0]]));
  }
  return std::move(closed.taxonomy);
}

EmbeddingFolder::Checkpoint beginning(const EmbedOptions& o, const Taxonomy& taxonomy) {
  return {{}, PointTable(o.model, taxonomy.nodes(), o.dim, static_cast<uint64_t>(o.run.seed)), {}};
}

// Trains on the same pairs in Euclidean space, with its own hyperparameters.
void add_baseline(const EmbedOptions& o, const Taxonomy& taxonomy, EmbedSink& sink,
                  EmbedReport& report) {
  EmbedOptions euclidean = o;
  euclidean.model = Geometry::euclidean;
  euclidean.lr = 0;
  euclidean.epochs = 0;
  euclidean.evaluation = {.every = 0};
  euclidean.checkpoints.stop_at = 0;
  euclidean.until_rank = 0;
  euclidean = suited(euclidean, taxonomy.nodes());
  sink.noted("Euclidean baseline, for comparison");
  EmbeddingRun run(euclidean, taxonomy, beginning(euclidean, taxonomy), nullptr, sink);
  const EmbedReport result = run();
  report.interrupted = result.interrupted;
  report.baseline = result.rank;
}

}  // namespace

EmbedReport embed(const EmbedOptions& options, std::span<const std::string> by_hand,
                  EmbedSink& sink) {
  ResolvedEmbedOptions resolved = resolve_embed_options(options, by_hand);
  EmbedOptions& o = resolved.options;
  if (o.run.out.empty())
    refuse_embedding("`out` is missing; give the output folder of the embedding");
  if (o.data.empty() && !o.checkpoints.resume)
    refuse_embedding("no data: give a file of edges or wordnet:NAME");
  if (!o.checkpoints.resume) check_embed_options(o);
  const OutFolder held(o.run.out);
  const EmbeddingFolder folder(o.run.out);
  if (o.checkpoints.resume != folder.holds_training()) {
    refuse_embedding(
        o.checkpoints.resume
            ? "there is no checkpoint in " + o.run.out + " to `resume` from"
            : o.run.out +
                  " already holds a training run; pass `resume` to continue it, or choose "
                  "another `out`");
  }
  if (!o.checkpoints.resume)
    held.require_free("embed", {"embedding.safetensors", "embedding.tsv"}, "epoch");
  if (o.run.threads > 0) set_num_threads(static_cast<int>(o.run.threads));
  std::optional<EmbeddingFolder::Checkpoint> from;
  Taxonomy taxonomy;
  if (o.checkpoints.resume) {
    from.emplace(folder.read_checkpoint());
    o = continued_embed_options(o, resolved.given, from->state.options);
    check_embed_options(o);
    taxonomy = folder.read_taxonomy();
    if (from->points.nodes() != taxonomy.nodes()) {
      refuse_embedding(fmt::format("{}: the checkpoint has {} points, but the taxonomy {} nodes",
                                   o.run.out, from->points.nodes(), taxonomy.nodes()));
    }
  } else {
    taxonomy = load(o, sink);
    o = suited(o, taxonomy.nodes());
    from.emplace(beginning(o, taxonomy));
    folder.write_taxonomy(taxonomy);
  }
  sink.started(fmt::format("{}: {} nodes, {} pairs; {} of {}, {}", o.run.out,
                           grouped(taxonomy.nodes()), grouped(taxonomy.pairs()), name_of(o.model),
                           counted(o.dim, "dimension"), counted(num_threads(), "thread")));
  EmbeddingRun run(o, taxonomy, std::move(*from), &folder, sink);
  EmbedReport report = run();
  const bool done = report.stopped_early || report.epochs >= o.epochs;
  if (done && o.baseline && o.model != Geometry::euclidean) {
    add_baseline(o, taxonomy, sink, report);
  }
  if (done && o.picture && !report.interrupted) {
    report.interrupted = !write_disk_picture(o, taxonomy, run.points(), sink);
  }
  write_file_atomic(o.run.out + "/metrics.json", record_to_json(report).dump(2) + "\n");
  return report;
}

}  // namespace gyre
