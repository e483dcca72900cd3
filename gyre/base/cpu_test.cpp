#include "gyre/base/cpu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

Code code_of_choosing(const char* wanted, Isa best) {
  Error error = error_of([&] { choose_isa(wanted, best); });
  EXPECT_TRUE(contains(error.what(), wanted)) << error.what();
  EXPECT_EQ(error.actual, error.code == Code::value ? wanted : isa_name(best));
  return error.code;
}

TEST(ChooseIsa, TakesTheBestByDefault) {
  for (Isa best : {v2, v3, v4}) {
    EXPECT_EQ(choose_isa(nullptr, best), best);
    EXPECT_EQ(choose_isa("", best), best);
    for (Isa level = v2; level <= best; level = static_cast<Isa>(level + 1)) {
      EXPECT_EQ(choose_isa(isa_name(level), best), level);
    }
  }
}

TEST(ChooseIsa, RejectsUnsupportedLevels) {
  EXPECT_EQ(code_of_choosing("v4", v3), Code::unavailable);
  EXPECT_EQ(code_of_choosing("v4", v2), Code::unavailable);
  EXPECT_EQ(code_of_choosing("v3", v2), Code::unavailable);
}

TEST(ChooseIsa, ChoosesAmongBuiltLevels) {
  EXPECT_EQ(choose_isa(nullptr, v4, 0b011), v3);
  EXPECT_EQ(choose_isa("", v4, 0b001), v2);
  EXPECT_EQ(choose_isa(nullptr, v3, 0b101), v2);
  EXPECT_EQ(choose_isa("v2", v4, 0b101), v2);
  const Error lacks = error_of([] { choose_isa("v3", v4, 0b101); });
  EXPECT_EQ(lacks.code, Code::unavailable);
  EXPECT_EQ(lacks.expected, "v2, v4");
  EXPECT_EQ(lacks.actual, "v3");
  const Error none = error_of([] { choose_isa(nullptr, v3, 0b100); });
  EXPECT_EQ(none.code, Code::unavailable);
  EXPECT_TRUE(contains(none.what(), "built for x86-64-v4 only")) << none.what();
}

TEST(ChooseIsa, RejectsOtherValues) {
  for (const char* word : {"v1", "v5", "V3", "avx2", "v3 ", "3"}) {
    EXPECT_EQ(code_of_choosing(word, v4), Code::value) << word;
  }
}

TEST(Cpu, IsaIsTheRuleAppliedToThisProcess) {
  EXPECT_EQ(isa(), choose_isa(std::getenv("GYRE_ISA"), cpu_features().best, built_isas()));
}

TEST(Cpu, SetIsaAcceptsSupportedLevelsOnly) {
  const Isa before = isa();
  for (Isa level : {v2, v3, v4}) {
    if (level <= cpu_features().best && (built_isas() >> level & 1)) {
      set_isa(level);
      EXPECT_EQ(isa(), level);
    } else {
      EXPECT_THROW(set_isa(level), Error);
    }
  }
  EXPECT_THROW(set_isa(isas), Error);
  set_isa(before);
}

TEST(Cpu, FeaturesAgreeWithTheCompilersRuntime) {
#if defined(__x86_64__)
  const CpuFeatures& f = cpu_features();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  EXPECT_EQ(f.best >= v3, avx2);
  EXPECT_EQ(f.best == v4, avx512);
  EXPECT_EQ(f.avx512_vnni, avx512 && __builtin_cpu_supports("avx512vnni"));
  EXPECT_EQ(f.avx512_vbmi, avx512 && __builtin_cpu_supports("avx512vbmi"));
  EXPECT_EQ(f.avx512_bf16, avx512 && __builtin_cpu_supports("avx512bf16"));
#else
  EXPECT_EQ(cpu_features().best, v2);
#endif
}

}  // namespace
}  // namespace gyre
