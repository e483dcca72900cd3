#include <cmath>
#include <vector>

#include "bench/limit.h"
#include "bench/others.h"
#include "bench/peers.h"
#include "bench/stopwatch.h"
#include "bench/work.h"
#include "cli/command.h"
#include "gyre/base/text/comma_list.h"
#include "gyre/base/text/nearest.h"
#include "gyre/base/thread_pool.h"
#include "gyre/tensor/allocator.h"
#include "gyre/train/trace/call_trace.h"

namespace gyre {

struct BenchOptions {
  bool list = false, peer = false, busy = false;
  std::vector<std::string> against{"eager"};
  int64_t steps = 0;
};
GYRE_FIELDS(
    BenchOptions,
    GYRE_FIELD(list, "list the benchmarks and what they time (with --json: one array)"),
    GYRE_FIELD(peer, "run the same work in other libraries in turn and compare (bench/peers.py)"),
    GYRE_FIELD(against,
               "peers to compare with (needs --peer): eager, compile or fused "
               "(torch, geoopt), onednn, openblas, onnxruntime, llama_TYPE (llama.cpp: f32, "
               "f16, q8_0, q4_0, q4_k, iq2_s, iq2_xxs), tiktoken, tokenizers",
               .tags = kCommas, .metavar = "PEER,PEER"),
    GYRE_FIELD(busy,
               "time more calls: CPU time (user and system) over wall time times threads, "
               "and the fraction of thread time in kernels"),
    GYRE_FIELD(steps, "steps of training benchmarks; 0: their default", .least = 0));

namespace {

#ifdef GYRE_BENCH

using namespace bench;

struct Row {
  const Work& work;
  Spread time, peer_time{};
  double limit = 0;  // seconds at the limit; 0: none
  std::string peer{}, peer_reason{};
  double validation_loss = NAN;
  size_t peak_bytes = 0;
  double others = 0;                     // cores used by other processes meanwhile
  double error = NAN, peer_error = NAN;  // relative, of packed weights
  double bytes = NAN;                    // of files
  double busy = NAN, in_kernels = NAN;   // shares of time x threads

  [[nodiscard]] double of_limit() const { return limit / time.median; }
  [[nodiscard]] double ratio() const { return peer_time.median / time.median; }
  [[nodiscard]] double gweights() const { return work.weights / time.median / 1e9; }
};

std::vector<const Work*> all_works() {
  std::vector<const Work*> works;
#define X(name) \
  for (const Work& w : name##_works()) works.push_back(&w);
  GYRE_BENCH_GROUPS(X)
#undef X
  return works;
}

// The benchmark of that name, or all whose names contain the word.
void choose(std::string_view word, std::vector<const Work*>& chosen) {
  std::vector<const Work*> found;
  std::vector<std::string> names;
  for (const Work* work : all_works()) {
    names.emplace_back(work->name);
    if (word == work->name) found = {work};
    if (word == work->name) break;
    if (names.back().find(word) != std::string::npos) found.push_back(work);
  }
  if (found.empty()) {
    std::string near = nearest(word, names);
    throw UsageError(fmt::format("unknown benchmark '{}'", word),
                     near.empty() ? std::string("run `gyre bench --list` to see them.")
                                  : "did you mean " + near + "?");
  }
  chosen.insert(chosen.end(), found.begin(), found.end());
}

double scale_of(const Work& work) {
  std::string_view unit = work.unit;
  return unit == "ns" ? 1e9 : unit == "us" ? 1e6 : unit == "ms" ? 1e3 : 1;
}

// Shares of time x threads: of CPU time, and in kernels, which is traced.
void measure_busy(Stopwatch& watch, Row& row) {
  constexpr double kSeconds = 3, kMostCalls = 300;
  const double each = row.time.median * row.work.operations;
  const int calls = static_cast<int>(std::clamp(kSeconds / each, 1.0, kMostCalls));
  const auto run = [&] {
    for (int i = 0; i < calls; ++i) watch.ready().call();
  };
  Others cores;
  cores.begin();
  run();
  cores.end();
  row.busy = cores.own_cores() / num_threads();
  CallTrace trace("/dev/null", {.bytes = 0});
  run();
  trace.finish();
  row.in_kernels = trace.summary().busy_share();
}

Row measure(const Work& work, const Settings& settings, Peers* peers, const std::string& against,
            bool busy) {
  double rate = rate_now(work.limit, work.floats);
  allocator::empty_cache();
  allocator::reset_peak();
  Row row{.work = work, .time = {}};
  std::vector<double> ours, theirs;
  Others others;
  {
    Stopwatch watch(work, settings);
    for (int i = 0; i < work.repeats; ++i) {
      if (peers && row.peer_reason.empty()) {
        PeerTime peer = peers->sample(work.name, against);
        row.peer_reason = peer.reason;
        if (peer.reason.empty()) theirs.push_back(peer.seconds);
        row.peer = peer.peer;
        row.peer_error = peer.error;
        if (work.warm > 0) watch.touch();
      }
      others.begin();
      ours.push_back(watch.sample());
      others.end();
    }
    row.time = spread_of(ours);
    row.peak_bytes = allocator::stats().peak;
    if (busy && work.warm > 0) measure_busy(watch, row);
    if (watch.ready().validation_loss) row.validation_loss = watch.ready().validation_loss();
    if (watch.ready().error) row.error = watch.ready().error();
    if (watch.ready().bytes) row.bytes = watch.ready().bytes();
    row.limit = watch.limit();
  }
  row.others = others.cores();
  if (row.peer_reason.empty() && !theirs.empty()) row.peer_time = spread_of(theirs);
  rate = std::max(rate, rate_now(work.limit, work.floats));
  if (rate > 0) row.limit = amount_of(work) / rate;
  return row;
}

Json digits(double value) {
  return std::isfinite(value) ? Json(std::stod(fmt::format("{:.4g}", value))) : Json();
}

Json json_of(const Row& row) {
  double scale = scale_of(row.work);
  Json j = Json::object();
  j["work"] = row.work.name;
  j["unit"] = row.work.unit;
  j["threads"] = num_threads();
  j["median"] = digits(row.time.median * scale);
  j["min"] = digits(row.time.min * scale);
  j["max"] = digits(row.time.max * scale);
  j["limit"] = row.limit > 0 ? digits(row.limit * scale) : Json();
  j["of_limit"] = row.limit > 0 ? digits(row.of_limit()) : Json();
  bool has_peer = row.peer_time.median > 0;
  j["peer"] = has_peer ? digits(row.peer_time.median * scale) : Json();
  j["ratio"] = has_peer ? digits(row.ratio()) : Json();
  if (has_peer) j["peer_name"] = row.peer;
  if (!row.peer_reason.empty()) j["peer_reason"] = row.peer_reason;
  if (std::isfinite(row.validation_loss)) j["validation_loss"] = row.validation_loss;
  if (row.work.weights > 0) j["gweights_per_s"] = digits(row.gweights());
  if (std::isfinite(row.error)) j["error"] = digits(row.error);
  if (std::isfinite(row.bytes)) j["bytes"] = static_cast<int64_t>(row.bytes);
  if (std::isfinite(row.peer_error)) j["peer_error"] = digits(row.peer_error);
  if (std::isfinite(row.busy)) j["busy"] = digits(row.busy);
  if (std::isfinite(row.busy)) j["in_kernels"] = digits(row.in_kernels);
  j["others"] = digits(row.others);
  j["peak_bytes"] = static_cast<int64_t>(row.peak_bytes);
  return j;
}

std::string line_of(const Row& row) {
  double scale = scale_of(row.work);
  std::string line =
      fmt::format("{:<34} {:>9.4g} {:<2} {:>9.4g} {:>9.4g}", row.work.name, row.time.median * scale,
                  row.work.unit, row.time.min * scale, row.time.max * scale);
  if (row.limit > 0) {
    line += fmt::format(" {:>9.4g} {:>8.2f}", row.limit * scale, row.of_limit());
  } else {
    line += fmt::format(" {:>9} {:>8}", "-", "-");
  }
  if (row.peer_time.median > 0) {
    line += fmt::format(" {:>9.4g} {:>7.2f}", row.peer_time.median * scale, row.ratio());
  } else {
    line += fmt::format(" {:>9} {:>7}", "-", "-");
  }
  line += fmt::format(" {:>8.1f} {:>6.2f}", static_cast<double>(row.peak_bytes) / 1e6, row.others);
  if (std::isfinite(row.validation_loss)) {
    line += fmt::format("  validation loss {:.4f}", row.validation_loss);
  }
  if (row.work.weights > 0) line += fmt::format("  {:.3g} Gweights/s", row.gweights());
  if (std::isfinite(row.error)) line += fmt::format("  error {:.4f}", row.error);
  if (std::isfinite(row.bytes)) line += fmt::format("  {:.4g} MB", row.bytes / 1e6);
  if (std::isfinite(row.busy))
    line += fmt::format("  busy {:.3f}, in kernels {:.3f}", row.busy, row.in_kernels);
  if (!row.peer.empty()) line += "  " + row.peer;
  if (std::isfinite(row.peer_error)) line += fmt::format(", error {:.4f}", row.peer_error);
  if (!row.peer_reason.empty()) line += "  no peer: " + row.peer_reason;
  return line + "\n";
}

void list(const Invocation& call, const std::vector<const Work*>& works) {
  Json all = Json::array();
  for (const Work* work : works) {
    if (!call.json) call.out.print("{:<36} {}\n", work->name, work->definition);
    Json j = Json::object();
    j["work"] = work->name;
    j["unit"] = work->unit;
    j["definition"] = work->definition;
    all.push_back(std::move(j));
  }
  if (call.json) call.out.json(all);
}

int run_bench(const Invocation& call) {
  const auto& options = call.as<BenchOptions>();
  if (call.has("against") && !options.peer) throw UsageError("--against needs --peer");
  for (const std::string& peer : options.against) {
    if (!has_item(kPeers, peer))
      throw UsageError(fmt::format("--against: unknown peer '{}'; peers are {}", peer, kPeers));
  }
  std::vector<const Work*> works;
  for (const std::string& word : call.operands) choose(word, works);
  if (call.operands.empty()) works = all_works();
  if (options.list) {
    list(call, works);
    return kDone;
  }
  Settings settings{options.steps};
  std::unique_ptr<Peers> peers;
  std::vector<std::string> against{""};
  if (options.peer) {
    peers = std::make_unique<Peers>(settings);
    against = options.against;
  }
  if (!call.json) {
    call.out.text(call.out.heading(fmt::format(
        "{:<34} {:>12} {:>9} {:>9} {:>9} {:>8} {:>9} {:>7} {:>8} {:>6}", "work", "median", "min",
        "max", "limit", "of limit", "peer", "ratio", "peak MB", "others")));
    call.out.text("\n");
  }
  for (const Work* work : works) {
    for (const std::string& peer : against) {
      Row row = measure(*work, settings, peers.get(), peer, options.busy);
      if (call.json) {
        call.out.json(json_of(row));
      } else {
        call.out.text(line_of(row));
      }
      call.out.flush();
    }
  }
  return kDone;
}

#else

int run_bench(const Invocation&) {
  throw Error(Code::unavailable, "bench",
              "this build of gyre has no benchmarks (GYRE_BENCH=OFF); scripts/build builds one "
              "that has them");
}

#endif

}  // namespace

const Command bench_command{
    "bench",
    "run benchmarks and compare with hardware limits and other libraries",
    "gyre bench matmul_512 softmax --peer --against eager,onednn",
    {"BENCHMARK", "benchmarks by name or part of a name; default: all", 0, kAny},
    record_of<BenchOptions>,
    run_bench};

}  // namespace gyre
