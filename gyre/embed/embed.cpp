#include "gyre/embed/embed.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/edge_list.h"
#include "gyre/data/wordnet.h"
#include "gyre/embed/embed_config.h"
#include "gyre/embed/embedding_folder.h"
#include "gyre/embed/picture/embed_picture.h"
#include "gyre/io/record_json.h"
#include "gyre/train/out_folder.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void refuse_embedding(const std::string& message, std::string expected = {},
                                   std::string actual = {}) {
  throw Error(Code::value, "embed", message, std::move(expected), std::move(actual));
}

// log.jsonl: one line per evaluation or saved epoch. A resumed run keeps the lines up to its
// checkpoint.
class EmbeddingLog {
 public:
  EmbeddingLog(const std::string& folder, int64_t epoch) : log_(kept(folder, epoch)) {}

  void add(int64_t epoch, const EmbeddingState& s, double lr, double seconds) {
    Json entry = Json::object();
    entry["epoch"] = epoch;
    if (s.loss) entry["loss"] = *s.loss;
    entry["lr"] = lr;
    if (s.evaluated == epoch) {
      entry["mean_rank"] = s.figures->mean_rank;
      entry["map"] = s.figures->map;
    }
    entry["seconds"] = seconds;
    log_.append(entry.dump());
  }

 private:
  static std::string kept(const std::string& folder, int64_t epoch) {
    const std::string path = folder + "/log.jsonl";
    if (!file_exists(path)) return path;
    const std::string all = read_file(path);
    std::string lines;
    for (size_t at = 0, end; at < all.size(); at = end + 1) {
      end = std::min(all.find('\n', at), all.size());
      const std::string_view line = std::string_view(all).substr(at, end - at);
      try {
        if (Json::parse(line).at("epoch").as_integer() <= epoch) {
          lines.append(line) += '\n';
        }
      } catch (const Error&) {  // incomplete line of a killed process
      }
    }
    write_file_atomic(path, lines);
    return path;
  }

  LineLog log_;
};

// Trains one embedding. Without a folder nothing is written.
class Run {
 public:
  Run(const EmbedOptions& options, const Taxonomy& taxonomy, EmbeddingFolder::Checkpoint from,
      const EmbeddingFolder* folder, EmbedSink& sink)
      : options_(options),
        taxonomy_(taxonomy),
        at_(std::move(from)),
        folder_(folder),
        sink_(sink),
        schedule_(schedule_of(options)),
        trainer_(taxonomy, schedule_, at_.points),
        first_(at_.state.position.epoch) {
    if (options.evaluation.patience > 0 && !at_.best) count_from_here();
    if (folder) log_.emplace(folder->path(), first_);
  }

  EmbedReport operator()() {
    started_ = Clock::now();
    const int64_t end = options_.checkpoints.stop_at > 0
                            ? std::min(options_.checkpoints.stop_at, options_.epochs)
                            : options_.epochs;
    if (state().position.epoch >= end && folder_ && options_.checkpoints.stop_at == 0) evaluate();
    while (state().position.epoch < end && !report_.interrupted && !out_of_patience()) {
      run_epoch(end);
    }
    return finish();
  }

  [[nodiscard]] const PointTable& points() const { return leaves_best() ? *at_.best : at_.points; }

 private:
  EmbeddingState& state() { return at_.state; }
  [[nodiscard]] bool leaves_best() const { return report_.stopped_early && at_.best; }

  // Points of earlier epochs are not stored, so early stopping counts from these.
  void count_from_here() {
    EmbeddingState& s = state();
    s.best_epoch = s.worse = 0;
    if (!s.figures || s.evaluated != s.position.epoch || s.position.batch > 0) return;
    s.best_epoch = s.evaluated;
    s.best = *s.figures;
    at_.best = at_.points;
  }

  void run_epoch(int64_t end) {
    const Clock::time_point begun = Clock::now();
    const int64_t epoch = state().position.epoch;
    trainer_.run_epoch(state().position, [this] { return sink_.stop_wanted(); });
    training_ += seconds_since(begun);
    report_.interrupted = state().position.epoch == epoch;
    if (report_.interrupted) return save();
    ++new_epochs_;
    state().loss = state().position.loss / static_cast<double>(taxonomy_.pairs());
    if (!std::isfinite(*state().loss)) {
      throw Error(
          Code::numeric, "embed",
          fmt::format("the loss is not finite in epoch {}; lower `lr`", state().position.epoch),
          "a finite number", fmt::format("{}", *state().loss));
    }
    after_epoch(end);
  }

  [[nodiscard]] bool due(int64_t every) const {
    return every > 0 && at_.state.position.epoch % every == 0;
  }

  void after_epoch(int64_t end) {
    const int64_t epoch = state().position.epoch;
    const bool last = epoch == options_.epochs;
    if (due(options_.evaluation.every) || last) evaluate();
    sink_.advanced(progress());
    if (log_ && (state().evaluated == epoch || due(options_.checkpoints.every))) {
      log_->add(epoch, state(), schedule_.rate(epoch - 1), training_);
    }
    if (folder_ && (due(options_.checkpoints.every) || epoch == end || out_of_patience())) save();
  }

  [[nodiscard]] EmbedProgress progress() const {
    const EmbeddingState& s = at_.state;
    EmbedProgress p;
    p.epoch = s.position.epoch;
    p.total = options_.epochs;
    p.loss = s.loss.value_or(EmbedReport::kNone);
    p.lr = schedule_.rate(p.epoch - 1);
    p.mean_rank = s.figures ? s.figures->mean_rank : EmbedReport::kNone;
    p.map = s.figures ? s.figures->map : EmbedReport::kNone;
    p.pairs_per_second = pairs_per_second();
    p.elapsed = seconds_since(started_);
    p.remaining = p.elapsed / static_cast<double>(std::max<int64_t>(1, new_epochs_)) *
                  static_cast<double>(options_.epochs - p.epoch);
    return p;
  }

  [[nodiscard]] double pairs_per_second() const {
    return training_ > 0 ? static_cast<double>(new_epochs_ * taxonomy_.pairs()) / training_ : 0;
  }

  void evaluate() {
    EmbeddingState& s = state();
    if (s.evaluated == s.position.epoch && s.position.batch == 0) return;
    const int64_t queries = options_.eval_nodes > 0 ? options_.eval_nodes : INT64_MAX;
    s.figures =
        reconstruct(taxonomy_, at_.points, queries, static_cast<uint64_t>(options_.run.seed));
    s.evaluated = s.position.epoch;
    const bool best = s.best_epoch == 0 || s.figures->mean_rank < s.best.mean_rank;
    if (best) {
      s.best_epoch = s.position.epoch;
      s.best = *s.figures;
      at_.best.reset();  // also without patience, since those are no longer the best
      if (options_.evaluation.patience > 0) at_.best = at_.points;
    }
    s.worse = best ? 0 : s.worse + 1;
    sink_.evaluated(s.position.epoch, *s.figures, best);
  }

  bool out_of_patience() {
    const EmbeddingState& s = state();
    report_.stopped_early =
        (options_.evaluation.patience > 0 && s.worse >= options_.evaluation.patience) ||
        (s.figures && s.evaluated == s.position.epoch &&
         s.figures->mean_rank <= options_.until_rank);
    return report_.stopped_early;
  }

  void save() {
    if (!folder_) return;
    state().options = stored_embed_options(options_);
    folder_->write_checkpoint(state(), at_.points, at_.best ? &*at_.best : nullptr);
  }

  EmbedReport finish() {
    if (folder_) folder_->write_embedding(taxonomy_, points());
    const EmbeddingState& s = state();
    if (const auto figures = leaves_best() ? s.best : s.figures) report_.rank = *figures;
    report_.seconds = training_;
    report_.nodes = taxonomy_.nodes();
    report_.pairs = taxonomy_.pairs();
    report_.epochs = s.position.epoch;
    report_.new_epochs = new_epochs_;
    report_.loss = s.loss.value_or(EmbedReport::kNone);
    report_.pairs_per_second = pairs_per_second();
    report_.best_epoch = s.best_epoch;
    if (s.best_epoch > 0) report_.best_mean_rank = s.best.mean_rank;
    return report_;
  }

  const EmbedOptions& options_;
  const Taxonomy& taxonomy_;
  EmbeddingFolder::Checkpoint at_;
  const EmbeddingFolder* folder_;
  EmbedSink& sink_;
  EmbeddingSchedule schedule_;
  EmbeddingTrainer trainer_;
  int64_t first_, new_epochs_ = 0;
  std::optional<EmbeddingLog> log_;
  EmbedReport report_;
  Clock::time_point started_;
  double training_ = 0;
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
  Run run(euclidean, taxonomy, beginning(euclidean, taxonomy), nullptr, sink);
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
                           grouped(taxonomy.nodes()), grouped(taxonomy.pairs()),
                           kGeometryNames[static_cast<size_t>(o.model)],
                           counted(o.dim, "dimension"), counted(num_threads(), "thread")));
  Run run(o, taxonomy, std::move(*from), &folder, sink);
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
