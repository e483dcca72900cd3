#pragma once
#include <memory>
#include <string>

#include "bench/work.h"
#include "gyre/base/system/child_process.h"

namespace gyre::bench {

/// What a peer said about one set of calls: seconds of one operation, or why there are none.
struct PeerTime {
  double seconds = 0;
  std::string peer{};    ///< "torch 2.13.0 eager"
  std::string reason{};  ///< empty when there is a time
};

/// bench/peers.py, which does the same works with other libraries, in the Python that
/// GYRE_PEER_PYTHON names (python3 by default).
class Peers {
 public:
  explicit Peers(const Settings& settings);
  /// One more set of calls; the first one prepares and warms up too. `against` names the peer:
  /// eager, compile or fused (torch), onednn, openblas.
  PeerTime sample(const char* work, const std::string& against);

 private:
  std::string missing_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace gyre::bench
