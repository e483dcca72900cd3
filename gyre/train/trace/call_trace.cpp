#include "gyre/train/trace/call_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "gyre/autograd/backward_pass.h"
#include "gyre/base/error.h"
#include "gyre/tensor/dtype.h"

namespace gyre {
namespace {

constexpr size_t kBuffer = 1 << 16;

int64_t nanoseconds_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A row of the trace: threads are numbered in the order of their first calls.
int row_of_thread() {
  static std::atomic<int> rows{0};
  thread_local const int row = ++rows;
  return row;
}

double microseconds(int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e3; }
double seconds(int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

// ["f32[12,64]", ...], of long lists the beginning, and the size of all elements in bytes.
std::string tensors_json(Inputs tensors, int64_t& bytes) {
  constexpr size_t kShown = 16;
  std::string list = "[";
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (i >= kShown) {
      if (t.defined()) bytes += t.numel() * static_cast<int64_t>(size_of(t.dtype()));
      continue;
    }
    if (list.size() > 1) list += ',';
    if (!t.defined()) {
      list += "null";
      continue;
    }
    const Meta& meta = t.meta();
    bytes += numel(meta.shape) * static_cast<int64_t>(size_of(meta.dtype));
    list += fmt::format("\"{}{}\"", name_of(meta.dtype), to_string(meta.shape));
  }
  if (tensors.size() > kShown) list += fmt::format(",\"{} more\"", tensors.size() - kShown);
  return list + "]";
}

// A result that is a view of the operand reads and writes nothing.
bool moves_nothing(const ObservedCall& call) {
  return call.kind != ObservedCall::reverse && call.op.view && !call.out.empty() &&
         !call.in.empty() && call.in[0].defined() && call.out[0].defined() &&
         call.out[0].impl()->storage.get() == call.in[0].impl()->storage.get();
}

}  // namespace

CallTrace::CallTrace(const std::string& path, TraceOptions options)
    : options_(options), file_(path, GrowingFile::Start::empty) {
  buffer_ = "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"gyre\"}}";
  flush();
  began_ = nanoseconds_now();
  pool_began_ = pool_time();
  add_call_observer(*this);
}

CallTrace::~CallTrace() {
  try {
    finish();
  } catch (const Error&) {  // call finish() to see errors
  }
}

void CallTrace::call(const ObservedCall& call) {
  int64_t bytes = 0;
  std::string in = tensors_json(call.in, bytes), out = tensors_json(call.out, bytes);
  bool kernel = call.computes();
  std::string event = fmt::format(
      "{{\"name\":\"{}{}\",\"cat\":\"{}\",\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{:.3f},"
      "\"dur\":{:.3f},\"args\":{{\"in\":{},\"out\":{},\"bytes\":{},\"busy\":{:.3f}}}}}",
      call.op.name, call.kind == ObservedCall::reverse ? "'" : "",
      running_pass() ? "backward" : "forward", row_of_thread(), microseconds(call.began - began_),
      microseconds(call.nanoseconds), in, out, moves_nothing(call) ? 0 : bytes,
      kernel ? microseconds(call.busy()) : 0.0);
  std::lock_guard lock(mutex_);
  if (stopped_) return;
  Sum& sum = sums_[{&call.op, call.kind == ObservedCall::reverse}];
  ++sum.calls;
  sum.own += call.own;
  sum.busy += kernel ? call.busy() : 0;
  kernels_ += kernel ? call.busy() : 0;
  pool_in_calls_ += kernel ? call.pool.busy : 0;
  write(event);
}

void CallTrace::span(const char* name, int64_t began, int64_t nanoseconds) {
  std::lock_guard lock(mutex_);
  if (stopped_) return;
  write(
      fmt::format("{{\"name\":\"{}\",\"cat\":\"training\",\"ph\":\"X\",\"pid\":1,\"tid\":{},"
                  "\"ts\":{:.3f},\"dur\":{:.3f}}}",
                  name, row_of_thread(), microseconds(began - began_), microseconds(nanoseconds)));
}

void CallTrace::step_done() {
  {
    std::lock_guard lock(mutex_);
    if (++steps_ != options_.steps) return;
  }
  stop();
}

void CallTrace::stop() {
  if (!running_) return;
  running_ = false;
  remove_call_observer(*this);
  std::lock_guard lock(mutex_);
  stopped_ = nanoseconds_now();
  pool_stopped_ = pool_time();
  buffer_ += "\n]\n";
  flush();
}

void CallTrace::finish() {
  stop();
  if (ended_) return;
  ended_ = true;
  if (!failure_.empty()) throw Error(Code::io, "trace", failure_);
}

void CallTrace::write(std::string_view event) {
  int64_t size = static_cast<int64_t>(event.size()) + 2;
  full_ |= written_ + static_cast<int64_t>(buffer_.size()) + size > options_.bytes;
  if (full_) return;
  buffer_.append(",\n") += event;
  if (buffer_.size() >= kBuffer) flush();
}

// Complete events at a time, so that a killed process leaves no partial event.
void CallTrace::flush() {
  if (failure_.empty()) {
    try {
      file_.append(buffer_);
    } catch (const Error& error) {
      failure_ = error.what();
    }
  }
  written_ += static_cast<int64_t>(buffer_.size());
  buffer_.clear();
}

TraceSummary CallTrace::summary() const {
  std::lock_guard lock(mutex_);
  PoolTime pool = stopped_ ? pool_stopped_ : pool_time();
  pool -= pool_began_;
  TraceSummary s;
  s.seconds = seconds((stopped_ ? stopped_ : nanoseconds_now()) - began_);
  s.threads = num_threads();
  s.busy = seconds(kernels_ + pool.busy - pool_in_calls_);
  for (const auto& [op, sum] : sums_) {
    s.ops.push_back({std::string(op.first->name) + (op.second ? "'" : ""), sum.calls,
                     seconds(sum.own), seconds(sum.busy)});
  }
  std::sort(s.ops.begin(), s.ops.end(),
            [](const OpTime& a, const OpTime& b) { return a.seconds > b.seconds; });
  return s;
}

TraceSpan::TraceSpan(CallTrace* trace, const char* name)
    : trace_(trace && trace->running() ? trace : nullptr), name_(name) {
  if (trace_) began_ = nanoseconds_now();
}

TraceSpan::~TraceSpan() {
  if (trace_) trace_->span(name_, began_, nanoseconds_now() - began_);
}

std::string trace_table(const TraceSummary& s, size_t most) {
  std::string table =
      fmt::format("{:<30} {:>8} {:>10} {:>7} {:>10}\n", "op", "calls", "time", "share", "threads");
  double shown = 0, all = 0;
  for (size_t i = 0; i < s.ops.size(); ++i) {
    const OpTime& o = s.ops[i];
    all += o.seconds;
    if (i >= most) continue;
    shown += o.seconds;
    std::string threads = o.busy > 0 ? fmt::format("{:.2f}", o.busy / o.seconds) : "-";
    table += fmt::format("{:<30} {:>8} {:>7.1f} ms {:>6.1f}% {:>10}\n", o.op, o.calls,
                         1e3 * o.seconds, s.seconds > 0 ? 100 * o.seconds / s.seconds : 0, threads);
  }
  auto rest = [&](const char* name, double time) {
    table += fmt::format("{:<30} {:>8} {:>7.1f} ms {:>6.1f}%\n", name, "", 1e3 * time,
                         s.seconds > 0 ? 100 * time / s.seconds : 0);
  };
  if (s.ops.size() > most) rest("other ops", all - shown);
  rest("outside ops", std::max(0.0, s.seconds - all));
  return table + fmt::format("kernels used {:.1f}% of {} threads x {:.2f} s\n",
                             100 * s.busy_share(), s.threads, s.seconds);
}

}  // namespace gyre
