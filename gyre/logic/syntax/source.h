#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::logic {

/// Bytes [begin, end) of a source file.
struct Place {
  uint32_t file = 0, begin = 0, end = 0;
};
/// From the start of one place to the end of a later one.
inline Place join(Place a, Place b) { return {a.file, a.begin, b.end}; }

/// Line and column, in characters, from 1.
struct LineColumn {
  int64_t line, column;
};

/// The text of a program.
struct SourceFile {
  std::string path;  ///< as messages show it
  std::string text;
};

/// The files of a program by number: its text, then its imports.
class Sources {
 public:
  /// Error{resource} for a text of 4 GiB or more.
  uint32_t add(SourceFile file);
  /// Removes the file that was added last, to which nothing may refer any more.
  void remove_last();
  [[nodiscard]] const SourceFile& operator[](uint32_t file) const { return files_[file]; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(files_.size()); }
  [[nodiscard]] std::string_view text(Place place) const {
    return std::string_view(files_[place.file].text).substr(place.begin, place.end - place.begin);
  }
  [[nodiscard]] LineColumn where(Place place) const;
  /// The line of a place and a second line with a caret below its first character; long lines are
  /// cut on both sides.
  [[nodiscard]] std::string excerpt(Place place) const;

 private:
  struct Line {
    int64_t number;     // from 0
    size_t begin, end;  // without the newline
  };
  [[nodiscard]] Line line_of(uint32_t file, size_t at) const;

  std::deque<SourceFile> files_;                 // texts that tokens view stay in place
  std::vector<std::vector<uint32_t>> newlines_;  // of each file, so that a place is found at once
};

}  // namespace gyre::logic
