#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// A TrainSink, or another RunSink, that keeps the warnings, and ends the training when it has been
/// asked often enough.
template <class Sink>
struct Recorded : Sink {
  void warned(std::string_view message) override { warnings.emplace_back(message); }
  bool stop_wanted() override { return asks_before_stop-- <= 0; }

  std::vector<std::string> warnings;
  int64_t asks_before_stop = INT64_MAX;
};

}  // namespace gyre
