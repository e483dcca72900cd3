#include "gyre/train/progress/writing_sink.h"

#include "gyre/base/text/printable.h"

namespace gyre {

void StatusLine::print(std::string_view lines) {
  const std::string text = printable_lines(lines);
  if (drawn_) std::fputs("\r\x1b[K", out_);
  drawn_ = false;
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fputc('\n', out_);
  std::fflush(out_);
}

void StatusLine::redraw(std::string_view line) {
  const std::string text = printable(line);
  std::fputs("\r\x1b[K", out_);
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
  drawn_ = true;
}

void StatusLine::end(bool echoed) {
  if (drawn_ || (terminal_ && echoed)) std::fputc('\n', out_);
  drawn_ = false;
}

}  // namespace gyre
