#pragma once
#include <cmath>
#include <memory>
#include <string>

#include "bench/work.h"
#include "gyre/base/system/child_process.h"

namespace gyre::bench {

/// A peer's result for one set of calls: seconds of one operation, or why there are none.
struct PeerTime {
  double seconds = 0;
  std::string peer{};    ///< "torch 2.13.0 eager"
  std::string reason{};  ///< empty when there is a time
  double error = NAN;    ///< relative, of the weights it packs; NaN: it packs none
};

/// Names of peers: torch and geoopt in three modes, libraries of matrix products, libraries that
/// pack weights or encode text, and engines of rules.
inline constexpr const char* kPeers =
    "eager,compile,fused,onednn,openblas,onnxruntime,llama_f32,llama_f16,llama_q8_0,llama_q4_0,"
    "llama_q4_k,llama_iq2_s,llama_iq2_xxs,tiktoken,tokenizers,duckdb,clingo,egglog,scipy,numpy";

/// bench/peers.py, which runs the same benchmarks with other libraries, in the Python interpreter
/// GYRE_PEER_PYTHON (default: python3).
class Peers {
 public:
  explicit Peers(const Settings& settings);
  /// Times one set of calls of a peer (kPeers); the first call also prepares and warms up.
  PeerTime sample(const char* work, const std::string& against);

 private:
  std::string missing_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace gyre::bench
