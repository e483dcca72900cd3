#include "gyre/base/cpu.h"

#include <atomic>
#include <cstdlib>
#include <string>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr const char* kNames[] = {"v2", "v3", "v4"};
constexpr int kUnset = -1;
constinit std::atomic<int> chosen{kUnset};

Isa from_environment() {
  const char* name = std::getenv("GYRE_ISA");
  if (!name || !*name) return best_isa();
  for (int i = 0; i < kIsas; ++i) {
    if (name != std::string(kNames[i])) continue;
    if (i > best_isa()) {
      throw Error(Code::unavailable, "GYRE_ISA", std::string("this CPU has no ") + name,
                  kNames[best_isa()], name);
    }
    return static_cast<Isa>(i);
  }
  throw Error(Code::value, "GYRE_ISA", "'" + std::string(name) + "' is not v2, v3 or v4",
              "v2, v3 or v4", name);
}

}  // namespace

Isa best_isa() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return v4;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    return v3;
  }
#endif
  return v2;
}

Isa isa() {
  int now = chosen.load(std::memory_order_relaxed);
  if (now == kUnset) {
    now = from_environment();
    chosen.store(now, std::memory_order_relaxed);
  }
  return static_cast<Isa>(now);
}

const char* isa_name(Isa isa) noexcept { return kNames[isa]; }

void set_isa(Isa isa) {
  if (isa > best_isa()) {
    throw Error(Code::unavailable, "set_isa", std::string("this CPU has no ") + kNames[isa],
                kNames[best_isa()], kNames[isa]);
  }
  chosen.store(isa, std::memory_order_relaxed);
}

}  // namespace gyre
