#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyre/embed/embed_options.h"

namespace gyre {

/// WordNet's mammals in two dimensions: a hyperbolic embedding and a Euclidean one to compare.
struct MammalsDemo {
  std::string folder{};
  EmbedReport disk{}, plane{};

  /// Trains both and writes disk/ and plane/ to `folder` like `gyre embed`, replacing those there;
  /// shows progress on standard error. Errors: those of embed(), io.
  static MammalsDemo learn(const std::string& folder, int64_t seed);
  /// Names and reports of both embeddings.
  [[nodiscard]] std::vector<std::pair<std::string, const EmbedReport*>> named() const;
  [[nodiscard]] bool interrupted() const { return disk.interrupted || plane.interrupted; }
  /// Both pictures side by side with their metrics.
  [[nodiscard]] std::string html() const;
};

/// Error{value} if `folder` has a part that `gyre embed` did not write and learn() would replace.
void check_mammals_folder(const std::string& folder);

}  // namespace gyre
