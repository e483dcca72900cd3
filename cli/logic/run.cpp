#include <algorithm>
#include <chrono>

#include "cli/command.h"
#include "cli/logic/answer_text.h"
#include "cli/logic/diagnostics.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/text/printable.h"
#include "gyre/logic/program.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre {

/// Dtype of the tensors that a program declares without one.
enum class ProgramDType : uint8_t { program, f16, bf16, f32, f64 };
inline constexpr const char* kProgramDTypeNames[] = {"program", "f16", "bf16", "f32", "f64"};
template <>
inline constexpr std::span<const char* const> kChoices<ProgramDType> = kProgramDTypeNames;

/// Where equations of tensors run.
enum class ProgramDevice : uint8_t { automatic, cpu, cuda };
inline constexpr const char* kProgramDeviceNames[] = {"auto", "cpu", "cuda"};
template <>
inline constexpr std::span<const char* const> kChoices<ProgramDevice> = kProgramDeviceNames;

struct RunProgramOptions {
  std::vector<std::string> query{};
  ProgramDType dtype = ProgramDType::program;
  ProgramDevice device = ProgramDevice::automatic;
  bool explain = false, profile = false, check_overflow = false;
  int64_t seed = -1;
  int64_t max_tuples = 0, max_bytes = 0, max_iterations = 0;
  double max_seconds = 0;
  bool test = false, bench = false;
};
GYRE_FIELDS(
    RunProgramOptions,
    GYRE_FIELD(query, "answer this query too: 'Ancestor(Alice, x)?'; may be repeated",
               .metavar = "QUERY"),
    GYRE_FIELD(dtype, "dtype of tensors without one; program: that of `pragma dtype`, or f64"),
    GYRE_FIELD(device, "where equations of tensors run; auto: the CPU"),
    GYRE_FIELD(explain, "print how each equation and rule was evaluated: steps, layouts, results"),
    GYRE_FIELD(profile, "print the seconds and runs of each equation and rule, slowest first"),
    GYRE_FIELD(check_overflow,
               "end with error R07 at the equation that first gives an infinite value or NaN"),
    GYRE_FIELD(test, "run the blocks `test` in place of queries and main"),
    GYRE_FIELD(bench, "time the blocks `bench` in place of queries and main"),
    GYRE_FIELD(seed, "seed of random initialisers; -1: that of `pragma seed`, or 0", .least = -1),
    GYRE_FIELD(max_tuples, "end with error R02 when rules have derived more tuples; 0: no limit",
               .least = 0),
    GYRE_FIELD(max_bytes, "end with error R03 when relations need more memory; 0: no limit",
               .least = 0),
    GYRE_FIELD(max_iterations, "end with error E0304 after as many rounds of rules; 0: no limit",
               .least = 0),
    GYRE_FIELD(max_seconds, "end with error R04 when the program runs longer; 0: no limit",
               .least = 0));

namespace {

using logic::Answer;
using logic::LocatedDiagnostic;

// The program in a file; "-" is standard input.
logic::Program program_in(const std::string& path, const logic::ProgramOptions& options = {}) {
  if (path != "-") return logic::Program::read(path, op_table(), optimizer_table(), options);
  return logic::Program::parse(read_file("/dev/stdin"), "<stdin>", op_table(), optimizer_table(),
                               options);
}

void show_warnings(const logic::Program& program) {
  for (const LocatedDiagnostic& d : program.warnings())
    fmt::print(stderr, "{}\n", logic::text_of(d));
}

logic::ProgramOptions program_options(const RunProgramOptions& o) {
  constexpr DType kTypes[] = {DType::f64, DType::f16, DType::bf16, DType::f32, DType::f64};
  logic::ProgramOptions p;
  if (o.dtype != ProgramDType::program) p.dtype = kTypes[static_cast<size_t>(o.dtype)];
  if (o.seed >= 0) p.seed = o.seed;
  if (o.device == ProgramDevice::cuda)
    throw Error(Code::unavailable, "run", "no CUDA device: equations run on the CPU");
  p.reports = o.explain || o.profile;
  p.check_overflow = o.check_overflow;
  if (o.max_tuples > 0) p.max_tuples = o.max_tuples;
  if (o.max_bytes > 0) p.max_bytes = o.max_bytes;
  if (o.max_seconds > 0) p.max_seconds = o.max_seconds;
  if (o.max_iterations > 0) p.max_iterations = o.max_iterations;
  return p;
}

void profile(Output& out, std::vector<logic::StatementReport> reports) {
  double total = 0;
  for (const logic::StatementReport& r : reports) total += r.seconds;
  std::stable_sort(reports.begin(), reports.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  out.print("{}\n", out.heading("   seconds  share      runs  statement"));
  for (const logic::StatementReport& r : reports) {
    if (r.runs == 0) continue;
    out.print("{:>10.6f} {:>5.1f}% {:>9}  {}:{}  {}\n", r.seconds, 100 * r.seconds / total, r.runs,
              r.path, r.line, shown_text(r.text));
  }
}

void check_blocks(const logic::Program& program, const char* kind, const std::string& path) {
  if (program.blocks(kind).empty())
    throw Error(Code::value, "run", {path, " has no block ", kind, " NAME { .. }"});
}

// A line for each block `test`; those that fail do not keep others from running.
int run_tests(logic::Program& program, const Invocation& call) {
  Json all = Json::array();
  int failed = 0;
  for (const std::string& name : program.blocks("test")) {
    Json j = Json::object();
    j["test"] = name;
    j["passed"] = true;
    try {
      program.run_block("test", name);
      if (!call.json) call.out.print("{}: passed\n", name);
    } catch (const logic::ProgramError& error) {
      ++failed;
      j["passed"] = false;
      const Json found = diagnostics_json(error.diagnostics());
      j["error"] = found.as_array()[0];
      if (!call.json)
        call.out.print("{}: failed\n{}\n", name, logic::text_of(error.diagnostics()[0]));
    }
    all.push_back(std::move(j));
  }
  if (call.json) call.out.json(all);
  return failed ? kFailed : kDone;
}

// The median time of five runs of each block `bench`.
int run_benches(logic::Program& program, const Invocation& call) {
  constexpr int kRounds = 5;
  Json all = Json::array();
  for (const std::string& name : program.blocks("bench")) {
    std::vector<double> times;
    for (int i = 0; i < kRounds; ++i) {
      program.forget();  // a run that finds its values ready takes no time
      const auto start = std::chrono::steady_clock::now();
      program.run_block("bench", name);
      times.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
              .count());
    }
    std::sort(times.begin(), times.end());
    Json j = Json::object();
    j["bench"] = name;
    j["ms"] = times[kRounds / 2];
    if (!call.json)
      call.out.print("{}: {:.3f} ms, median of {}\n", name, times[kRounds / 2], kRounds);
    all.push_back(std::move(j));
  }
  if (call.json) call.out.json(all);
  return kDone;
}

int run_program(const Invocation& call) {
  const auto& options = call.as<RunProgramOptions>();
  logic::ProgramOptions p = program_options(options);
  if (options.test && options.bench) throw UsageError("--test and --bench are given together");
  if ((options.test || options.bench) && (options.explain || options.profile))
    throw UsageError("--explain and --profile are not for --test and --bench");
  p.stop = note_interrupts();
  p.print = [&](std::string_view line) {  // beside --json, standard output has the answers alone
    if (call.json)
      fmt::print(stderr, "{}\n", line);
    else
      call.out.print("{}\n", line);
  };
  try {
    logic::Program program = program_in(call.operands[0], p);
    show_warnings(program);
    if (options.test || options.bench)
      check_blocks(program, options.test ? "test" : "bench", call.operands[0]);
    if (options.test) return run_tests(program, call);
    if (options.bench) return run_benches(program, call);
    std::vector<Answer> answers = program.run();
    for (const std::string& query : options.query) answers.push_back(program.query(query));
    Json all = Json::array();
    for (const Answer& a : answers) {
      if (call.json)
        all.push_back(answer_json(a));
      else
        show_answer(call.out, a);
    }
    const std::vector<logic::StatementReport> reports = program.reports();
    if (call.json && p.reports) {
      Json j = Json::object();
      j["kind"] = "statements";
      j["value"] = Json::array();
      for (const logic::StatementReport& r : reports) j["value"].push_back(report_json(r));
      all.push_back(std::move(j));
    }
    if (call.json) call.out.json(all);
    if (!call.json && options.explain) explain(call.out, reports);
    if (!call.json && options.profile) profile(call.out, reports);
  } catch (const logic::ProgramError& error) {
    return complain(error, call.json);
  } catch (const logic::Stopped&) {
    return kInterrupted;
  }
  return kDone;
}

int run_check(const Invocation& call) {
  int result = kDone;
  Json all = Json::array();
  for (const std::string& path : call.operands) {
    std::vector<LocatedDiagnostic> found;
    try {
      found = program_in(path).warnings();
    } catch (const logic::ProgramError& error) {
      found = error.diagnostics();
      result = kFailed;
    } catch (const Error& error) {  // other files are checked all the same
      result = complain({kFailed, code_name(error.code), error.op, error.message(), "", "", ""},
                        call.json);
      continue;
    }
    const Json list = diagnostics_json(found);
    for (const Json& d : list.as_array()) all.push_back(d);
    for (const LocatedDiagnostic& d : found) {
      if (!call.json) call.out.print("{}\n", logic::text_of(d));
    }
  }
  if (call.json) call.out.json(all);
  return result;
}

}  // namespace

const Command run_command{"run",
                          "run a tensor logic program",
                          "gyre run ancestor.tl --query 'Ancestor(Alice, x)?'",
                          {"FILE", "a program (.tl); - for standard input", 1, 1},
                          record_of<RunProgramOptions>,
                          run_program};

const Command check_command{
    "check",
    "check tensor logic programs without running them: prints every error and warning",
    "gyre check ancestor.tl",
    {"FILE", "programs (.tl); - for standard input", 1, kAny},
    kNoOptions,
    run_check};

}  // namespace gyre
