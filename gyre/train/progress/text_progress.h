#pragma once
#include <cstdint>
#include <string>

#include "gyre/train/progress/writing_sink.h"

namespace gyre {

/// Prints the progress of a training run.
class TextProgress : public WritingSink<TrainSink> {
 public:
  using WritingSink::WritingSink;

  void preparing(std::string_view stage, int64_t done, int64_t total) override;
  void stepped(const StepProgress& progress) override;
  void validated(const Validation& validation) override;
  void saved(const std::string& checkpoint) override;
  void sampled(int64_t step, std::string_view text) override;

 private:
  std::string stage_;
};

/// The line of a step: `step/total  loss  lr  |g|  tok/s  memory  elapsed  ETA`;
/// ETA only if it is known that half a second or more remains.
std::string progress_line(const StepProgress& progress);
/// "0.9 s", "12 s", "3:05 min", "2:03:04 h".
std::string duration_text(double seconds);
/// "12,345" below a million, "1.23 M" above.
std::string grouped(int64_t number);

}  // namespace gyre
