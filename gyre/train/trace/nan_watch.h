#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "gyre/op/call_observer.h"

namespace gyre {

/// Where a number that is not finite came from.
struct NanFinding {
  std::string op;
  /// The operand that had a NaN before any op had made one: data or a parameter; else -1.
  int operand = -1;
  bool backward = false;
  bool reverse = false;  ///< its reverse rule, of cotangents and kept values
  int64_t call = 0;      ///< of the step, from 1
  double value = 0;      ///< NaN or an infinity
  std::string tensor;    ///< that holds it: "f32[2, 3]"
  std::string element;   ///< its first place there: "[0, 1]"
  std::string operands;  ///< of the op: "f32[2, 3], f32[3]"
  [[nodiscard]] std::string text() const;
};

/// Looks for the first call that gives NaN although no operand has one, or an infinity although
/// all operands are finite: one pass over every result that is computed. Infinite operands and
/// literals are taken as meant (masks). Inside vmap() it sees nothing.
///
/// What is found is kept, and thrown by check(), so that calls run as they do without it.
class NanWatch final : public CallObserver {
 public:
  /// Begins to watch.
  NanWatch();
  ~NanWatch();

  /// Counts calls from here, those of this thread, and forgets what was found.
  void begin_step(int64_t step);
  [[nodiscard]] std::optional<NanFinding> finding() const;
  /// Error{numeric} naming step, op, shapes and element when something was found.
  void check() const;

  void call(const ObservedCall& call) override;

 private:
  mutable std::mutex mutex_;
  int64_t step_ = 0, calls_ = 0;
  std::thread::id thread_ = std::this_thread::get_id();  // whose calls are looked at
  std::optional<NanFinding> found_;
};

}  // namespace gyre
