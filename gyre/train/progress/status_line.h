#pragma once
#include <cstdio>
#include <string_view>

namespace gyre {

/// Output lines, and on a terminal one status line below them that is redrawn.
class StatusLine {
 public:
  /// `out` must outlive this; a failure to write shows in ferror(out).
  StatusLine(std::FILE* out, bool terminal) : out_(out), terminal_(terminal) {}

  [[nodiscard]] bool terminal() const { return terminal_; }
  /// A permanent line.
  void print(std::string_view text);
  /// A line that the next one replaces; for terminals.
  void redraw(std::string_view text);
  /// Ends the status line on the terminal, or one begun by an echo (the ^C of an interrupt).
  void end(bool echoed);

 private:
  std::FILE* out_;
  bool terminal_;
  bool drawn_ = false;  // a status line is on the terminal
};

}  // namespace gyre
