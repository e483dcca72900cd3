#include "cli/logic/line_editor.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>

#include "gyre/base/system/terminal.h"

#ifdef GYRE_EDIT
#include <histedit.h>
#endif

namespace gyre {

std::vector<std::string> completions(std::vector<std::string> words, const std::string& start) {
  std::erase_if(words, [&](const std::string& word) { return !word.starts_with(start); });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

namespace {

// Without libedit, and where lines come from a file or a pipe.
LineEditor::Result read_plainly(std::string& line) {
  line.clear();
  errno = 0;
  for (int c = std::getchar(); c != '\n'; c = std::getchar()) {
    if (c == EOF) {
      const bool was_interrupted = std::ferror(stdin) && errno == EINTR;
      std::clearerr(stdin);
      if (was_interrupted) return LineEditor::Result::cancelled;
      return line.empty() ? LineEditor::Result::end : LineEditor::Result::line;
    }
    line += static_cast<char>(c);
  }
  if (line.ends_with('\r')) line.pop_back();
  return LineEditor::Result::line;
}

}  // namespace

#ifdef GYRE_EDIT

struct LineEditor::Impl {
  explicit Impl(const std::function<std::vector<std::string>()>& words)
      : words(words), lines(history_init()) {
    std::setlocale(LC_CTYPE, "");  // libedit reads characters by the locale
    editor = el_init("gyre", stdin, stdout, stderr);
    HistEvent event;
    constexpr int kMostLines = 1000;
    history(lines, &event, H_SETSIZE, kMostLines);
    history(lines, &event, H_SETUNIQUE, 1);
    if (const char* home = std::getenv("HOME")) file = std::string(home) + "/.gyre_history";
    if (!file.empty()) history(lines, &event, H_LOAD, file.c_str());
    el_set(editor, EL_CLIENTDATA, this);
    el_set(editor, EL_PROMPT, &prompt_of);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, history, lines);
    // el_set() would never free copies of these names
    el_wset(editor, EL_ADDFN, L"gyre-complete", L"complete a name", &complete);
    el_set(editor, EL_BIND, "^I", "gyre-complete", nullptr);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    // Ctrl-C is a key while a line is edited, so that no read has to be interrupted.
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    el_wset(editor, EL_ADDFN, L"gyre-cancel", L"cancel the line", &cancel);
    el_set(editor, EL_BIND, "^C", "gyre-cancel", nullptr);
  }
  Impl(const Impl&) = delete;
  ~Impl() {
    HistEvent event;
    if (!file.empty()) history(lines, &event, H_SAVE, file.c_str());
    el_end(editor);
    history_end(lines);
  }

  static Impl& of(EditLine* editor) {
    void* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<Impl*>(self);
  }
  static char* prompt_of(EditLine* editor) { return of(editor).prompt.data(); }
  static unsigned char cancel(EditLine* editor, wint_t) {
    of(editor).was_cancelled = true;
    return CC_NEWLINE;
  }
  static bool is_part_of_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80 || c == '_' || c == '\'' || c == ':';
  }
  // Inserts what all words that fit have in common, or lists them.
  static unsigned char complete(EditLine* editor, wint_t) {
    const LineInfo* info = el_line(editor);
    const char* begin = info->cursor;
    while (begin > info->buffer && is_part_of_word(begin[-1])) --begin;
    const std::string start(begin, info->cursor);
    const std::vector<std::string> found = completions(of(editor).words(), start);
    if (found.empty()) return CC_REFRESH_BEEP;
    size_t common = found.front().size();
    for (const std::string& word : found) {
      const auto [a, b] = std::mismatch(word.begin(), word.end(), found[0].begin(), found[0].end());
      common = std::min(common, static_cast<size_t>(a - word.begin()));
    }
    const std::string rest = found[0].substr(start.size(), common - start.size());
    if (!rest.empty()) return el_insertstr(editor, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    if (found.size() == 1) return CC_NORM;
    constexpr size_t kMostShown = 60;
    std::printf("\n");
    for (size_t i = 0; i < std::min(found.size(), kMostShown); ++i)
      std::printf("%s%s", i > 0 ? "  " : "", found[i].c_str());
    std::printf("%s\n", found.size() > kMostShown ? "  .." : "");
    std::fflush(stdout);
    return CC_REDISPLAY;
  }

  Result read(const char* text, std::string& line) {
    prompt = text;
    was_cancelled = false;
    int count = 0;
    const char* got = el_gets(editor, &count);
    if (was_cancelled) {
      std::printf("^C\n");
      return Result::cancelled;
    }
    if (!got || count <= 0) return Result::end;
    line.assign(got, static_cast<size_t>(count));
    if (line.ends_with('\n')) line.pop_back();
    HistEvent event;
    if (!line.empty()) history(lines, &event, H_ENTER, line.c_str());
    return Result::line;
  }

  const std::function<std::vector<std::string>()>& words;
  History* lines;
  EditLine* editor = nullptr;
  std::string prompt{}, file{};
  bool was_cancelled = false;
};

#else

struct LineEditor::Impl {
  explicit Impl(const std::function<std::vector<std::string>()>&) {}
  Result read(const char*, std::string& line) { return read_plainly(line); }
};

#endif

LineEditor::LineEditor(std::function<std::vector<std::string>()> words)
    : interactive_(is_terminal(stdin) && is_terminal(stdout)), words_(std::move(words)) {
#ifdef GYRE_EDIT
  if (interactive_) impl_ = std::make_unique<Impl>(words_);
#endif
}

LineEditor::~LineEditor() = default;

LineEditor::Result LineEditor::read(const char* prompt, std::string& line) {
  if (impl_) return impl_->read(prompt, line);
  if (interactive_) std::printf("%s", prompt);
  std::fflush(stdout);
  const Result result = read_plainly(line);
  if (interactive_ && result == Result::cancelled) std::printf("\n");
  return result;
}

}  // namespace gyre
