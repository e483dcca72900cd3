#include "gyre/base/cpu.h"

#include <atomic>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace gyre {
namespace {

#if defined(__x86_64__)

struct Leaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Leaf leaf(unsigned number, unsigned sub) {
  Leaf r;
  __get_cpuid_count(number, sub, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

constexpr unsigned bits(std::initializer_list<int> positions) {
  unsigned mask = 0;
  for (int p : positions) mask |= 1u << p;
  return mask;
}

constexpr bool all(unsigned value, unsigned mask) { return (value & mask) == mask; }

/// The registers that the operating system saves (XCR0); only legal when OSXSAVE is set.
unsigned saved_state() {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// The lists of the x86-64 psABI, section 3.1.1 (micro-architecture levels).
CpuFeatures detect() {
  CpuFeatures f;
  const Leaf one = leaf(1, 0), seven = leaf(7, 0), seven_one = leaf(7, 1),
             more = leaf(0x80000001, 0);
  const bool osxsave = all(one.ecx, bits({27}));
  const unsigned state = osxsave ? saved_state() : 0;
  const bool has_v3 = all(state, bits({1, 2})) &&
                      all(one.ecx, bits({12, 22, 28, 29})) &&  // FMA MOVBE AVX F16C
                      all(seven.ebx, bits({3, 5, 8})) &&       // BMI1 AVX2 BMI2
                      all(more.ecx, bits({5}));                // LZCNT
  const bool has_v4 = has_v3 && all(state, bits({5, 6, 7})) &&
                      all(seven.ebx, bits({16, 17, 28, 30, 31}));  // AVX512 F DQ CD BW VL
  f.best = has_v4 ? v4 : has_v3 ? v3 : v2;
  f.avx_vnni = has_v3 && all(seven_one.eax, bits({4}));
  f.avx512_vnni = has_v4 && all(seven.ecx, bits({11}));
  f.avx512_vbmi = has_v4 && all(seven.ecx, bits({1}));
  f.avx512_bf16 = has_v4 && all(seven_one.eax, bits({5}));
  return f;
}

#else

CpuFeatures detect() { return {}; }

#endif

// `isas` until it is chosen.
constinit std::atomic<Isa> current{isas};

bool has(IsaSet set, Isa level) { return level < isas && (set >> level & 1); }

// "v2, v4"
std::string names_of(IsaSet set) {
  std::string names;
  for (Isa level : {v2, v3, v4}) {
    if (has(set, level)) names += (names.empty() ? "" : ", ") + std::string(isa_name(level));
  }
  return names;
}

void require(Isa level, Isa best, IsaSet built, const char* who) {
  if (level <= best && !has(built, level)) {
    throw Error(
        Code::unavailable, who,
        {"kernels for x86-64-", isa_name(level), " were not built; available: ", names_of(built)},
        names_of(built), isa_name(level));
  }
  if (level <= best) return;
  throw Error(Code::unavailable, who,
              {"this CPU does not support x86-64-", isa_name(level), "; its best level is ",
               isa_name(best)},
              isa_name(level), isa_name(best));
}

}  // namespace

const CpuFeatures& cpu_features() noexcept {
  static const CpuFeatures features = detect();
  return features;
}

const char* isa_name(Isa isa) noexcept {
  static constexpr const char* kNames[] = {"v2", "v3", "v4", "?"};
  return kNames[isa < isas ? isa : isas];
}

IsaSet built_isas() noexcept { return GYRE_ISAS; }

Isa choose_isa(const char* wanted, Isa best, IsaSet built) {
  if (wanted == nullptr || *wanted == '\0') {
    for (Isa level : {v4, v3, v2}) {
      if (level <= best && has(built, level)) return level;
    }
    throw Error(Code::unavailable, "isa",
                "kernels were built for x86-64-" + names_of(built) +
                    " only, and the best level of this CPU is " + isa_name(best),
                names_of(built), isa_name(best));
  }
  for (Isa level : {v2, v3, v4}) {
    if (std::string_view(wanted) != isa_name(level)) continue;
    require(level, best, built, "GYRE_ISA");
    return level;
  }
  throw Error(Code::value, "GYRE_ISA", {"expected v2, v3 or v4, got \"", wanted, "\""},
              "v2, v3 or v4", wanted);
}

Isa isa() {
  Isa level = current.load(std::memory_order_relaxed);
  if (level == isas) {
    level = choose_isa(std::getenv("GYRE_ISA"), cpu_features().best, built_isas());
    num_threads();  // throws for an invalid GYRE_THREADS, before a kernel that cannot
    current.store(level, std::memory_order_relaxed);
  }
  return level;
}

void set_isa(Isa level) {
  require(level, cpu_features().best, built_isas(), "set_isa");
  current.store(level, std::memory_order_relaxed);
}

}  // namespace gyre
