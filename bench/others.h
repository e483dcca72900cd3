#pragma once

namespace gyre::bench {

/// Measures the CPU use of other processes, and of this one, during a measurement.
class Others {
 public:
  /// Time between begin and end counts.
  void begin();
  void end();
  /// Cores used meanwhile by other processes (or other guests of the host); 0 if the system does
  /// not report them.
  [[nodiscard]] double cores() const;
  /// Cores that this process used meanwhile.
  [[nodiscard]] double own_cores() const;

 private:
  double begun_ = 0, busy_begun_ = 0, own_begun_ = 0;
  double seconds_ = 0, busy_ = 0, own_ = 0;
};

}  // namespace gyre::bench
