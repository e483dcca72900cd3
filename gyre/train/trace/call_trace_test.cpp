#include "gyre/train/trace/call_trace.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/io/json.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Trace : public ::testing::Test {
 protected:
  void TearDown() override {
    set_num_threads(0);
    remove_tree(path_);
  }
  // The calls in the file; the end of the array may be missing.
  std::vector<Json> events(bool closed = true) const {
    std::string text = read_file(path_);
    EXPECT_EQ(text.ends_with("\n]\n"), closed) << text.substr(text.size() - 20);
    if (!closed) text += "]";
    std::vector<Json> found;
    const Json all = Json::parse(text);
    for (const Json& event : all.as_array()) {
      if (event.at("ph").as_string() == "X") found.push_back(event);
    }
    return found;
  }
  static std::string name(const Json& event) { return event.at("name").as_string(); }
  std::string path_ = ::testing::TempDir() + "gyre_trace_" + std::to_string(::getpid()) + ".json";
};

TEST_F(Trace, HoldsEveryCall) {
  Tensor x = ones({3, 4}).set_requires_grad();
  {
    CallTrace trace(path_);
    Tensor y = sum(exp(transpose(x, 0, 1)));
    y.backward();
    std::thread([] { exp(ones({2})); }).join();
    trace.finish();
    exp(x);
  }
  std::vector<Json> all = events();
  ASSERT_GT(all.size(), 4u);
  EXPECT_EQ(name(all[0]), "transpose");
  EXPECT_EQ(all[0].at("args").at("bytes").as_integer(), 0) << "a view";
  EXPECT_EQ(name(all[1]), "exp");
  EXPECT_EQ(all[1].at("args").at("in").dump(), R"(["f32[4, 3]"])");
  EXPECT_EQ(all[1].at("args").at("out").dump(), R"(["f32[4, 3]"])");
  EXPECT_EQ(all[1].at("args").at("bytes").as_integer(), 2 * 12 * 4);
  EXPECT_EQ(all[1].at("cat").as_string(), "forward");
  EXPECT_EQ(name(all[2]), "sum");
  size_t rules = 0;
  for (const Json& event : all) rules += name(event) == "exp'";
  EXPECT_EQ(rules, 1u);
  EXPECT_EQ(all[3].at("cat").as_string(), "backward");
  EXPECT_EQ(name(all.back()), "exp");
  EXPECT_NE(all.back().at("tid").as_integer(), all[0].at("tid").as_integer());
  for (size_t i = 1; i < all.size(); ++i) {
    double begin = all[i].at("ts").as_real(), end = begin + all[i].at("dur").as_real(),
           before = all[i - 1].at("ts").as_real() + all[i - 1].at("dur").as_real();
    EXPECT_GE(end, before) << "a nested call comes first";
  }
}

TEST_F(Trace, StopsAfterItsSteps) {
  CallTrace trace(path_, {.steps = 2});
  for (int step = 0; step < 5; ++step) {
    TraceSpan span(&trace, "step");
    exp(ones({2}));
    trace.step_done();
    EXPECT_EQ(trace.running(), step < 1);
  }
  std::vector<Json> all = events();
  ASSERT_EQ(all.size(), 3u) << "the span of the second step was open when the trace ended";
  EXPECT_EQ(name(all[1]), "step");
  EXPECT_EQ(trace.summary().ops.at(0).calls, 2);
}

TEST_F(Trace, HasAMaximumSize) {
  TraceSummary summary;
  {
    CallTrace trace(path_, {.bytes = 2000});
    for (int i = 0; i < 100; ++i) exp(ones({2}));
    trace.finish();
    summary = trace.summary();
  }
  EXPECT_LE(file_size(path_), 2003u);
  EXPECT_GT(events().size(), 5u);
  EXPECT_EQ(summary.ops.at(0).calls, 100) << "omitted calls are counted";
}

TEST_F(Trace, OfAKilledProcessIsReadable) {
  pid_t child = ::fork();
  if (child == 0) {
    set_num_threads(1);
    CallTrace trace(path_);
    for (int i = 0; i < 1000; ++i) exp(ones({2}));
    ::_exit(0);
  }
  int status;
  ::waitpid(child, &status, 0);
  EXPECT_GT(events(false).size(), 100u);
}

TEST_F(Trace, SumsTimePerOp) {
  set_num_threads(2);
  Tensor x = ones({256, 256});
  TraceSummary s;
  {
    CallTrace trace(path_);
    for (int i = 0; i < 3; ++i) matmul(x, exp(x));
    s = trace.summary();
  }
  ASSERT_EQ(s.ops.size(), 2u);
  double all = 0, busy = 0;
  for (const OpTime& op : s.ops) {
    EXPECT_EQ(op.calls, 3);
    EXPECT_GT(op.busy, 0);
    EXPECT_LE(op.busy, 2.01 * op.seconds);
    all += op.seconds;
    busy += op.busy;
  }
  EXPECT_LE(all, s.seconds);
  EXPECT_NEAR(s.busy, busy, 1e-9);
  EXPECT_EQ(s.threads, 2);
  std::string table = trace_table(s, 1);
  EXPECT_TRUE(contains(table, s.ops[0].op)) << table;
  EXPECT_TRUE(contains(table, "other ops")) << table;
  EXPECT_EQ(s.busy_share(), s.busy / (2 * s.seconds));
}

TEST_F(Trace, CountsLoopsOutsideOfOps) {
  set_num_threads(2);
  CallTrace trace(path_);
  parallel_for(8, 1,
               [](int64_t, int64_t) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  EXPECT_GE(trace.summary().busy, 0.016);
}

TEST_F(Trace, ReportsWriteErrors) {
  EXPECT_EQ(code_of([&] { CallTrace trace("/none/trace.json"); }), Code::io);
  CallTrace trace("/dev/full");
  exp(ones({2}));
  EXPECT_EQ(code_of([&] { trace.finish(); }), Code::io);
  EXPECT_EQ(trace.summary().ops.at(0).calls, 1);
}

}  // namespace
}  // namespace gyre
