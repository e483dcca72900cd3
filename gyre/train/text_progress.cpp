#include "gyre/train/text_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/memory.h"

namespace gyre {
namespace {

constexpr double kRedrawEvery = 0.1, kPrintEvery = 5;  // seconds

}  // namespace

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
                  p.loss, p.lr, p.gradient_norm, p.tokens_per_second, p.unit,
                  size_text(static_cast<double>(p.memory_bytes)), duration_text(p.elapsed));
  return p.remaining < 0.5 ? line : line + "  ETA " + duration_text(p.remaining);
}

TextProgress::~TextProgress() {
  bool echoed = terminal_ && stop_ && *stop_;  // the ^C of who stopped it
  if (drawn_ || echoed) std::fputc('\n', out_);
}

void TextProgress::print(std::string_view text) {
  if (drawn_) std::fputs("\r\x1b[K", out_);
  drawn_ = false;
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fputc('\n', out_);
  std::fflush(out_);
}

void TextProgress::redraw(std::string_view text) {
  std::fputs("\r\x1b[K", out_);
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
  drawn_ = true;
}

void TextProgress::preparing(std::string_view stage, int64_t done, int64_t total) {
  bool fresh = stage_ != stage;
  stage_ = stage;
  if (terminal_ && total > 0) {
    if (done % 64 == 0 || done == total) redraw(fmt::format("{}  {}/{}", stage, done, total));
  } else if (fresh) {
    print(stage);
  }
}

void TextProgress::started(std::string_view what) {
  print(what);
  if (stop_flag_) stop_ = stop_flag_();
}

void TextProgress::stepped(const StepProgress& p) {
  bool last = p.step == p.total;
  if (!last && p.elapsed - shown_ < (terminal_ ? kRedrawEvery : kPrintEvery)) return;
  shown_ = p.elapsed;
  if (terminal_ && !last) {
    redraw(progress_line(p));
  } else {
    print(progress_line(p));
  }
}

void TextProgress::validated(const Validation& v) {
  print(fmt::format("step {}  validation {}{}", v.step, figures_text(v.figures),
                    v.best ? "  best" : ""));
}

void TextProgress::saved(const std::string& checkpoint) {
  if (!terminal_) print("saved " + checkpoint);
}

void TextProgress::sampled(int64_t step, std::string_view text) {
  print(fmt::format("step {} writes:", step));
  for (size_t at = 0, end; at <= text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    print("  | " + std::string(text.substr(at, end - at)));
  }
}

void TextProgress::noted(std::string_view lines) { print(lines); }

void TextProgress::warned(std::string_view message) { print("warning: " + std::string(message)); }

}  // namespace gyre
