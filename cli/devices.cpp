#include "cli/command.h"
#include "gyre/base/build_info.h"
#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"

namespace gyre {
namespace {

struct Found {
  std::string device;
  bool available;
  std::string detail;  // what it is, or why it is missing
};

std::string cpu_detail() {
  const CpuFeatures& cpu = cpu_features();
  std::string text = fmt::format("kernels for x86-64-{} (the CPU has {}), {} threads",
                                 isa_name(isa()), isa_name(cpu.best), num_threads());
  if (cpu.avx_vnni) text += ", AVX-VNNI";
  if (cpu.avx512_vnni) text += ", AVX-512 VNNI";
  if (cpu.avx512_bf16) text += ", AVX-512 bf16";
  return text;
}

std::string cuda_detail() {
  for (const BuildFeature& feature : build_info().features) {
    if (std::string_view(feature.name) == "CUDA") return feature.detail;
  }
  return "not built in";
}

Json cpu_json() {
  const CpuFeatures& cpu = cpu_features();
  Json j = Json::object();
  j["device"] = "cpu";
  j["available"] = true;
  j["default"] = true;
  j["isa"] = isa_name(isa());
  j["best_isa"] = isa_name(cpu.best);
  j["threads"] = num_threads();
  j["avx_vnni"] = cpu.avx_vnni;
  j["avx512_vnni"] = cpu.avx512_vnni;
  j["avx512_bf16"] = cpu.avx512_bf16;
  return j;
}

Json answer() {
  const BuildInfo& build = build_info();
  Json j = Json::object();
  j["version"] = build.version;
  j["compiler"] = build.compiler;
  j["build_type"] = build.build_type;
  Json cuda = Json::object();
  cuda["device"] = "cuda";
  cuda["available"] = false;
  cuda["default"] = false;
  cuda["reason"] = cuda_detail();
  j["devices"] = Json::array();
  j["devices"].push_back(cpu_json());
  j["devices"].push_back(std::move(cuda));
  j["features"] = Json::array();
  for (const BuildFeature& feature : build.features) {
    Json f = Json::object();
    f["name"] = feature.name;
    f["gives"] = feature.gives;
    f["present"] = feature.present;
    f["detail"] = feature.detail;
    j["features"].push_back(std::move(f));
  }
  return j;
}

int run_devices(const Invocation& call) {
  if (call.json) {
    call.out.json(answer());
    return kDone;
  }
  const BuildInfo& build = build_info();
  call.out.print("{}\n", call.out.heading("Devices"));
  call.out.print("  cpu    used: {}\n", cpu_detail());
  call.out.print("  cuda   unavailable: {}\n", cuda_detail());
  call.out.print("{}\n", call.out.heading("Libraries"));
  std::string absent;
  for (const BuildFeature& feature : build.features) {
    if (feature.present) {
      call.out.print("  {:<6} {} ({})\n", feature.name, feature.detail, feature.gives);
    } else {
      absent += (absent.empty() ? "" : ", ") + fmt::format("{} ({})", feature.name, feature.detail);
    }
  }
  if (!absent.empty()) call.out.print("  missing: {}\n", absent);
  call.out.print("gyre {}, {}, {}\n", build.version, build.compiler, build.build_type);
  return kDone;
}

}  // namespace

const Command devices_command{
    "devices",      "list compute devices and libraries, and why any is missing",
    "gyre devices", {},
    kNoOptions,     run_devices};

}  // namespace gyre
