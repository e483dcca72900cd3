#include "gyre/kernel/overflow.h"

#include <optional>

#include "gyre/kernel/not_finite.h"

namespace gyre {
namespace {

struct OverflowCheck final : CallObserver {
  void call(const ObservedCall& call) override {
    const std::optional<NotFinite> found = find_not_finite(call);
    if (found && found->from_finite) refuse(Code::numeric, call.op, found->text());
  }
};

constinit OverflowCheck overflow_check;
thread_local std::optional<ThreadObserver> checking;

}  // namespace

OverflowMode overflow_mode() noexcept {
  return checking ? OverflowMode::error : OverflowMode::ieee;
}

void set_overflow_mode(OverflowMode mode) noexcept {
  if (mode == overflow_mode()) return;
  mode == OverflowMode::error ? (void)checking.emplace(overflow_check) : checking.reset();
}

}  // namespace gyre
