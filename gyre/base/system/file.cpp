#include "gyre/base/system/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>

#include "gyre/base/error.h"

namespace gyre {
namespace {

[[noreturn]] void raise(std::string_view verb, const std::string& path, const std::string& reason) {
  throw Error(Code::io, "", fmt::format("cannot {} {}: {}", verb, path, reason));
}

std::string reason_of(int error) {
  if (error == ENOENT) return "no such file or directory";
  if (error == EACCES) return "permission denied";
  if (error == ENOSPC) return "no space left on the device";
  return std::strerror(error);
}

[[noreturn]] void raise(std::string_view verb, const std::string& path, int error) {
  raise_io(verb, path, error);
}

/// Closes the descriptor in its destructor; `release` transfers ownership.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

int open_retrying(const char* path, int flags, mode_t mode = 0) {
  int descriptor;
  do {
    descriptor = ::open(path, flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

struct stat stat_of(const std::string& path, int descriptor) {
  struct stat found;
  if (::fstat(descriptor, &found) != 0) raise("open", path, errno);
  if (S_ISDIR(found.st_mode)) raise("open", path, "it is a directory");
  return found;
}

// Linux transfers at most 2 GiB - 4096 bytes per call.
constexpr size_t kLargestTransfer = size_t{1} << 30;

/// 0, or the errno of the first write that failed.
int write_all(int descriptor, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, data, std::min(size, kLargestTransfer));
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    data += written;
    size -= static_cast<size_t>(written);
  }
  return 0;
}

std::string parent_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A rename is durable only once its directory is flushed; file systems that cannot are no error.
void flush_directory(const std::string& path) {
  const Descriptor directory(open_retrying(path.c_str(), O_RDONLY | O_DIRECTORY));
  if (directory.get() >= 0) ::fsync(directory.get());
}

/// `path` with links followed, also when the last file does not exist yet.
std::string resolved(const std::string& path) {
  char buffer[PATH_MAX];
  if (::realpath(path.c_str(), buffer) != nullptr) return buffer;
  return path;
}

constexpr std::string_view kTemporary = ".gyre-", kTemporaryEnd = ".tmp";

/// Unique in this process; short, so that the longest legal file name still has a temporary one.
std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  std::string number = std::to_string(counter.fetch_add(1, std::memory_order_relaxed));
  std::string name = parent_of(target) + "/";
  name.append(kTemporary) += std::to_string(::getpid()) + "-" + number;
  return name.append(kTemporaryEnd);
}

/// Whether a temporary name belongs to a running process other than this one.
bool of_another_process(std::string_view name) {
  name.remove_prefix(kTemporary.size());
  pid_t process = 0;
  std::from_chars(name.data(), name.data() + name.size(), process);
  return process > 0 && process != ::getpid() && (::kill(process, 0) == 0 || errno == EPERM);
}

}  // namespace

void raise_io(std::string_view verb, const std::string& path, int error) {
  raise(verb, path, reason_of(error));
}

InputFile::InputFile(const std::string& path)
    : path_(path), descriptor_(open_retrying(path.c_str(), O_RDONLY | O_NONBLOCK)) {
  Descriptor file(descriptor_);
  if (file.get() < 0) raise("open", path, errno);
  const struct stat found = stat_of(path, file.get());
  if (!S_ISREG(found.st_mode)) raise("open", path, "it is not a regular file");
  size_ = static_cast<uint64_t>(found.st_size);
  (void)file.release();
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), std::min(out.size(), kLargestTransfer),
                                static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) raise("read", path_, errno);
    if (got == 0) {
      raise("read", path_,
            fmt::format("it ends after {} bytes; it was shortened meanwhile", offset));
    }
    offset += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(resolved(path)) {
  constexpr std::string_view kVerb = "write";
  struct stat old;
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) raise(kVerb, path_, "it is a directory");
  if (exists && !S_ISREG(old.st_mode)) {
    descriptor_ = open_retrying(target_.c_str(), O_WRONLY);
    if (descriptor_ < 0) raise(kVerb, path_, errno);
    return;
  }
  // Rename needs no permission to write the old file; a read-only file is protected on purpose.
  if (exists && ::access(target_.c_str(), W_OK) != 0) raise(kVerb, path_, errno);
  do {
    temporary_ = temporary_name(target_);
    descriptor_ = open_retrying(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) raise(kVerb, path_, errno);
  if (exists) ::fchmod(descriptor_, old.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write(std::string_view text) {
  if (descriptor_ < 0) throw Error(Code::internal, "write_file", path_ + ": already committed");
  if (const int reason = write_all(descriptor_, text.data(), text.size())) {
    raise("write", path_, reason);
  }
}

void AtomicFile::commit() {
  if (descriptor_ < 0) throw Error(Code::internal, "write_file", path_ + ": already committed");
  const bool in_place = temporary_.empty();
  if (!in_place && ::fsync(descriptor_) != 0) raise("flush", path_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) raise("close", path_, errno);
  if (in_place) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) raise("rename", path_, errno);
  temporary_.clear();
  flush_directory(parent_of(target_));
}

GrowingFile::GrowingFile(const std::string& path, Start start) : path_(path) {
  int how = start == Start::empty ? O_TRUNC : start == Start::fresh ? O_EXCL : 0;
  descriptor_ = open_retrying(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | how, 0666);
  if (descriptor_ < 0) raise("open", path_, errno);
}

GrowingFile::~GrowingFile() { ::close(descriptor_); }

void GrowingFile::append(std::string_view bytes) {
  if (const int reason = write_all(descriptor_, bytes.data(), bytes.size())) {
    raise("write", path_, reason);
  }
}

void LineLog::append(std::string_view line) {
  if (line.find('\n') != std::string_view::npos) {
    throw Error(Code::value, "append_line", "a line must not contain a newline");
  }
  file_.append(std::string(line) + '\n');
}

std::string read_file(const std::string& path) {
  const Descriptor file(open_retrying(path.c_str(), O_RDONLY));
  if (file.get() < 0) raise("open", path, errno);
  const struct stat found = stat_of(path, file.get());
  std::string content;
  size_t filled = 0;
  // The size is only a first guess: /proc files report 0, and a log may grow meanwhile.
  content.resize(static_cast<size_t>(found.st_size) + 1);
  for (;;) {
    if (filled == content.size()) content.resize(2 * content.size());
    const ssize_t got = ::read(file.get(), content.data() + filled, content.size() - filled);
    if (got < 0) {
      if (errno == EINTR) continue;
      raise("read", path, errno);
    }
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  content.resize(filled);
  return content;
}

void write_file_atomic(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

uint64_t file_size(const std::string& path) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0) raise("open", path, errno);
  if (S_ISDIR(found.st_mode)) raise("open", path, "it is a directory");
  if (!S_ISREG(found.st_mode)) raise("open", path, "it is not a regular file");
  return static_cast<uint64_t>(found.st_size);
}

std::string absolute_path(const std::string& path) {
  if (path.starts_with('/')) return path;
  char buffer[PATH_MAX];
  if (::getcwd(buffer, sizeof buffer) == nullptr) return path;  // it was removed
  return std::string(buffer) + "/" + path;
}

bool file_exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

bool is_directory(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat one, other;
  return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

void create_directories(const std::string& path) {
  constexpr std::string_view kVerb = "create the directory";
  if (path.empty()) raise(kVerb, path, ENOENT);
  for (size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0777) == 0) continue;
    const int reason = errno;
    if (is_directory(part)) continue;
    if (reason == EEXIST) raise(kVerb, path, part + " is not a directory");
    raise(kVerb, path, reason);
  }
}

std::vector<std::string> list_directory(const std::string& path) {
  DIR* directory = ::opendir(path.c_str());
  if (directory == nullptr) raise("list", path, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  const int reason = errno;
  ::closedir(directory);
  if (reason != 0) raise("list_directory", path, reason);
  std::sort(names.begin(), names.end());
  return names;
}

void remove_unfinished_files(const std::string& folder) {
  for (const std::string& name : list_directory(folder)) {
    if (!name.starts_with(kTemporary) || !name.ends_with(kTemporaryEnd)) continue;
    if (!of_another_process(name)) remove_tree(folder + "/" + name);
  }
}

void remove_tree(const std::string& path) {
  struct stat found;
  if (::lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return;
    raise("remove_tree", path, errno);
  }
  const bool directory = S_ISDIR(found.st_mode);
  if (directory) {
    for (const std::string& name : list_directory(path)) remove_tree(path + "/" + name);
  }
  if ((directory ? ::rmdir(path.c_str()) : ::unlink(path.c_str())) != 0) {
    raise("remove_tree", path, errno);
  }
}

void rename_path(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) raise("rename", from + " to " + to, errno);
  flush_directory(parent_of(to));
}

}  // namespace gyre
