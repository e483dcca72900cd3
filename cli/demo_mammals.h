#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyre/embed/embed_options.h"

namespace gyre {

/// WordNet's mammals in two dimensions: hyperbolic ones and, to compare with, Euclidean ones.
struct MammalsDemo {
  std::string folder{};
  EmbedReport disk{}, plane{};

  /// Learns both; `folder` gets disk/ and plane/, as `gyre embed` makes them, in place of those
  /// that were there. Tells on standard error how it goes. Errors: those of embed(), io.
  static MammalsDemo learn(const std::string& folder, int64_t seed);
  /// Their names and figures.
  [[nodiscard]] std::vector<std::pair<std::string, const EmbedReport*>> named() const;
  [[nodiscard]] bool interrupted() const { return disk.interrupted || plane.interrupted; }
  /// Both pictures side by side and what they say.
  [[nodiscard]] std::string html() const;
};

/// Error{value} where `folder` has something that learn() would replace and that `gyre embed` has
/// not made.
void check_mammals_folder(const std::string& folder);

}  // namespace gyre
