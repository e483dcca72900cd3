#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gyre {

/// Reads lines from standard input. On a terminal it shows a prompt and, in a build with libedit,
/// has history and completion by Tab.
class LineEditor {
 public:
  enum class Result : uint8_t { line, cancelled, end };
  /// `words`: those that complete what was typed so far.
  explicit LineEditor(std::function<std::vector<std::string>()> words);
  LineEditor(const LineEditor&) = delete;
  ~LineEditor();

  /// Reads a line without its newline; `cancelled` when it was interrupted by Ctrl-C.
  Result read(const char* prompt, std::string& line);
  /// Whether lines come from a terminal.
  [[nodiscard]] bool interactive() const { return interactive_; }

 private:
  struct Impl;
  bool interactive_;
  std::function<std::vector<std::string>()> words_;
  std::unique_ptr<Impl> impl_;  // of libedit; null where it is not used
};

/// The words that begin with `start`, sorted, each once.
[[nodiscard]] std::vector<std::string> completions(std::vector<std::string> words,
                                                   const std::string& start);

}  // namespace gyre
