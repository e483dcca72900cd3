#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// How the contents of a file are accessed.
enum class FileAccess : uint8_t {
  read,  ///< copied to memory: later changes of the file have no effect
  map,   ///< memory-mapped (base/system/mapped_file.h): pages are read when first touched
};

/// Throws Error{io} "cannot VERB PATH: reason", with the reason of an errno.
[[noreturn]] void raise_io(std::string_view verb, const std::string& path, int error);

/// A regular file, opened for reading at any offset.
class InputFile {
 public:
  /// Errors: io (missing, unreadable, a directory, not a regular file), with path and reason.
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// In bytes, when it was opened.
  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Fills `out` with the bytes from `offset` on. Errors: io; also when the file ends before.
  void read(uint64_t offset, std::span<std::byte> out) const;

 private:
  friend class MappedFile;
  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

/// Writes a file atomically: readers see the old content or the new one, never a part. Bytes go to
/// a temporary file in the same directory; `commit` flushes it to disk, renames it to `path` and
/// flushes the directory. Without `commit` the destructor removes the temporary file, and `path` is
/// unchanged. Symbolic links are followed and their target replaced; the mode of an existing file
/// is kept. If `path` is a device or a pipe (`/dev/stdout`), bytes are written to it directly.
/// Errors: io, with path and reason (no such directory, no permission, no space left, ...).
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

 private:
  std::string path_;       // as given, for messages
  std::string target_;     // links resolved
  std::string temporary_;  // empty when writing straight to a device
  int descriptor_ = -1;
};

/// Removes temporary files in a folder left by killed processes or by this one, none of whose
/// threads may be writing there. Errors: io.
void remove_unfinished_files(const std::string& folder);

/// A file opened for appending; a killed process loses nothing that was already appended.
class GrowingFile {
 public:
  enum class Start : uint8_t {
    append,  ///< after existing content; created if missing
    empty,   ///< truncate existing content
    fresh,   ///< the file must not exist
  };
  /// Errors: io.
  GrowingFile(const std::string& path, Start start);
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile();

  /// Writes with one system call, provided the system accepts all bytes at once (it does for
  /// lines): then appends of several processes do not interleave. Errors: io.
  void append(std::string_view bytes);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Appends lines to a file (created if missing). Lines of several processes do not interleave, and
/// a killed process leaves whole lines. Errors: io.
class LineLog {
 public:
  explicit LineLog(const std::string& path) : file_(path, GrowingFile::Start::append) {}

  /// Writes `line` and a newline. Errors: io; value if `line` contains a newline.
  void append(std::string_view line);

 private:
  GrowingFile file_;
};

/// All bytes of a file, pipe or device. Errors: io (missing, unreadable, a directory).
[[nodiscard]] std::string read_file(const std::string& path);

/// `AtomicFile` in one call. Errors: io, with the old file unchanged.
void write_file_atomic(const std::string& path, std::string_view content);

/// The absolute path; a relative one is relative to the working directory.
[[nodiscard]] std::string absolute_path(const std::string& path);

/// Size in bytes of a regular file. Errors: io.
[[nodiscard]] uint64_t file_size(const std::string& path);

[[nodiscard]] bool file_exists(const std::string& path);   ///< of any kind, links followed
[[nodiscard]] bool is_directory(const std::string& path);  ///< links followed
/// Whether both paths exist and name the same file, links followed.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

/// Creates the directory and its parents; existing ones are fine. Errors: io.
void create_directories(const std::string& path);

/// Names (without the folder, without `.` and `..`) of a directory's entries, in byte order.
/// Errors: io.
[[nodiscard]] std::vector<std::string> list_directory(const std::string& path);

/// Removes a file, or a directory recursively (links are removed, not followed). A missing path is
/// fine. Errors: io.
void remove_tree(const std::string& path);

/// Renames a file or directory within one file system, replacing a file or an empty directory, and
/// flushes the parent directory. Errors: io.
void rename_path(const std::string& from, const std::string& to);

}  // namespace gyre
