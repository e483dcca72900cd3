#include "gyre/base/system/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "gyre/base/error.h"

extern char** environ;

namespace gyre {
namespace {

[[noreturn]] void fail(const std::string& name, const char* step, int reason) {
  throw Error(Code::io, name, {step, ": ", std::strerror(reason)});
}

void close_end(int& descriptor) noexcept {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

}  // namespace

ChildProcess::ChildProcess(std::span<const std::string> arguments) : name_(arguments[0]) {
  std::vector<char*> words;
  for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  if (pipe2(to, O_CLOEXEC) != 0) fail(name_, "cannot create a pipe", errno);
  if (pipe2(from, O_CLOEXEC) != 0) {
    int reason = errno;
    close_end(to[0]);
    close_end(to[1]);
    fail(name_, "cannot create a pipe", reason);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  pid_t process = -1;
  int reason = posix_spawnp(&process, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close_end(to[0]);
  close_end(from[1]);
  input_ = to[1];
  output_ = from[0];
  if (reason != 0) {
    close_end(input_);
    close_end(output_);
    fail(name_, "cannot start", reason);
  }
  process_ = process;
}

ChildProcess::~ChildProcess() {
  end_input();
  close_end(output_);
  wait();
}

void ChildProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(input_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(name_, "cannot write to its input", errno);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

void ChildProcess::end_input() noexcept { close_end(input_); }

bool ChildProcess::fill() {
  char piece[1 << 14];
  for (;;) {
    ssize_t n = read(output_, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(name_, "cannot read its output", errno);
    buffer_.append(piece, static_cast<size_t>(n));
    return n > 0;
  }
}

bool ChildProcess::read_line(std::string& line) {
  size_t end;
  while ((end = buffer_.find('\n')) == std::string::npos) {
    if (!fill()) {
      line = std::move(buffer_);
      buffer_.clear();
      return !line.empty();
    }
  }
  line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return true;
}

std::string ChildProcess::read_all() {
  while (fill()) {
  }
  std::string all = std::move(buffer_);
  buffer_.clear();
  return all;
}

int ChildProcess::wait() noexcept {
  if (process_ < 0) return code_;
  int status = 0;
  while (waitpid(static_cast<pid_t>(process_), &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

}  // namespace gyre
