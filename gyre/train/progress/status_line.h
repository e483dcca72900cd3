#pragma once
#include <cstdio>
#include <string_view>

namespace gyre {

/// Lines that stay, and on a terminal one below them that is redrawn.
class StatusLine {
 public:
  /// `out` must outlive this; a failure to write shows in ferror(out).
  StatusLine(std::FILE* out, bool terminal) : out_(out), terminal_(terminal) {}

  [[nodiscard]] bool terminal() const { return terminal_; }
  /// A line that stays.
  void print(std::string_view text);
  /// A line that the next one replaces; for terminals.
  void redraw(std::string_view text);
  /// Ends the line that stands on the terminal, or one that an echo began (the ^C of who stopped
  /// the program).
  void end(bool echoed);

 private:
  std::FILE* out_;
  bool terminal_;
  bool drawn_ = false;  // a line that may be replaced stands on the terminal
};

}  // namespace gyre
