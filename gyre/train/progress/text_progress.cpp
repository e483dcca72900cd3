#include "gyre/train/progress/text_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/system/memory.h"

namespace gyre {

std::string duration_text(double seconds) {
  if (!(seconds >= 0) || seconds > 1e9) return "?";
  if (seconds < 59.5) return fmt::format("{:.{}f} s", seconds, seconds < 9.95 ? 1 : 0);
  auto s = static_cast<int64_t>(seconds + 0.5);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02} h", s / 3600, s / 60 % 60, s % 60);
}

std::string grouped(int64_t number) {
  if (number >= 1000000) return fmt::format("{:.2f} M", static_cast<double>(number) / 1e6);
  if (number < 1000) return fmt::format("{}", number);
  return fmt::format("{},{:03}", number / 1000, number % 1000);
}

std::string progress_line(const StepProgress& p) {
  std::string line =
      fmt::format("{}/{}  loss {:.4f}  lr {:.2e}  |g| {:.2f}  {:.0f} {}/s  {}  {}", p.step, p.total,
                  p.loss.item(), p.lr, p.gradient_norm.item(), p.tokens_per_second, p.unit,
                  size_text(static_cast<double>(p.memory_bytes)), duration_text(p.elapsed));
  return p.remaining >= 0.5 ? line + "  ETA " + duration_text(p.remaining) : line;
}

void TextProgress::preparing(std::string_view stage, int64_t done, int64_t total) {
  bool fresh = stage_ != stage;
  stage_ = stage;
  if (line_.terminal() && total > 0) {
    if (done % 64 == 0 || done == total) line_.redraw(fmt::format("{}  {}/{}", stage, done, total));
  } else if (fresh) {
    line_.print(stage);
  }
}

void TextProgress::stepped(const StepProgress& p) { show(p, p.step == p.total); }

void TextProgress::validated(const Validation& v) {
  line_.print(fmt::format("step {}  validation {}{}", v.step, figures_text(v.figures),
                          v.best ? "  best" : ""));
}

void TextProgress::saved(const std::string& checkpoint) {
  if (!line_.terminal()) line_.print("saved " + checkpoint);
}

void TextProgress::sampled(int64_t step, std::string_view text) {
  line_.print(fmt::format("sample at step {}:", step));
  for (size_t at = 0, end; at <= text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    line_.print("  | " + std::string(text.substr(at, end - at)));
  }
}

}  // namespace gyre
