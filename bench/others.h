#pragma once

namespace gyre::bench {

/// Watches what else runs on this machine while we measure.
class Others {
 public:
  /// Between begin and end the time counts.
  void begin();
  void end();
  /// Cores that other programs (or other guests of the host) used meanwhile; 0 where the system
  /// does not tell.
  [[nodiscard]] double cores() const;

 private:
  double begun_ = 0, busy_begun_ = 0, own_begun_ = 0;
  double seconds_ = 0, busy_ = 0, own_ = 0;
};

}  // namespace gyre::bench
