#include <algorithm>
#include <string>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/npy.h"

namespace gyre {
namespace {

constexpr const char* kNpyHeader = "npy";
constexpr std::string_view kMagic = "\x93NUMPY";

/// Parses the header, a Python dictionary literal.
class NpyHeaderReader {
 public:
  /// `file` holds at least the header, or is the whole file of `size` bytes.
  NpyHeaderReader(std::string_view file, uint64_t size, const std::string& path)
      : path_(path), file_(file), size_(size) {}

  /// Offset of the elements.
  size_t begin() const { return text_begin() + text_length(); }

  NpyHeader read() {
    header_.begin = begin();
    rest_ = file_.substr(text_begin(), text_length());
    bool has_descr = false, has_order = false, has_shape = false;
    const auto once = [&](bool& seen, const std::string& key) {
      if (seen) fail("its header has the key " + key + " more than once");
      seen = true;
    };
    expect('{');
    while (!take('}')) {
      const std::string key = text();
      expect(':');
      if (key == "descr") {
        once(has_descr, key);
        read_descr();
      } else if (key == "fortran_order") {
        once(has_order, key);
        header_.fortran = flag();
      } else if (key == "shape") {
        once(has_shape, key);
        read_shape();
      } else {
        fail("its header has the unknown key \"" + utf8_lossy(key) + "\"");
      }
      if (!take(',') && peek() != '}') fail("its header lacks a comma");
    }
    peek();
    if (!rest_.empty()) fail("text follows its header");
    if (!has_descr || !has_order || !has_shape) {
      fail("its header must have the keys descr, fortran_order and shape");
    }
    check_size();
    return header_;
  }

 private:
  [[noreturn]] void fail(const Message& why, Code code = Code::parse) const {
    throw Error(code, kNpyHeader, {path_, ": ", why});
  }

  static constexpr size_t kBefore = 8;  // of the length

  size_t length_width() const {
    if (file_.size() < kBefore || !file_.starts_with(kMagic)) fail("is not an .npy file");
    const int version = static_cast<uint8_t>(file_[6]);
    if (version < 1 || version > 3 || file_[7] != 0) {
      fail({"has version ", version, ".", static_cast<uint8_t>(file_[7]),
            "; supported are 1.0, 2.0 and 3.0"});
    }
    return version == 1 ? 2 : 4;
  }

  size_t text_begin() const { return kBefore + length_width(); }

  size_t text_length() const {
    size_t length = 0;
    if (size_ < text_begin()) fail("is truncated");
    for (size_t i = 0; i < length_width(); ++i) {
      length |= static_cast<size_t>(static_cast<uint8_t>(file_[kBefore + i])) << (8 * i);
    }
    if (size_ < text_begin() + length) {
      fail({"is truncated: its header takes ", length, " bytes"});
    }
    return length;
  }

  /// The next character that is not a space; 0 at the end.
  char peek() {
    const size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool take(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("its header lacks a ") + c);
  }

  std::string text() {
    const char quote = peek();
    const size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string::npos;
    if (end == std::string::npos) fail("its header lacks a closing quote");
    const std::string found(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return found;
  }

  bool flag() {
    peek();
    for (const char* word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(std::string_view(word).size());
      return word[0] == 'T';
    }
    fail("fortran_order is neither True nor False");
  }

  int64_t whole_number() {
    constexpr size_t kMostDigits = 18;
    peek();
    const size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0 || digits > kMostDigits) fail("its shape has an invalid size");
    const int64_t value = std::stoll(std::string(rest_.substr(0, digits)));
    rest_.remove_prefix(digits);
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // written by Python 2
    return value;
  }

  void read_shape() {
    expect('(');
    while (!take(')')) {
      if (header_.shape.rank == kMaxRank) fail({"has more than ", kMaxRank, " axes"});
      header_.shape.push_back(whole_number());
      if (!take(',') && peek() != ')') fail("its shape lacks a comma");
    }
  }

  [[noreturn]] void refuse_kind(const std::string& descr, char letter) const {
    constexpr std::pair<char, const char*> kKinds[] = {
        {'c', "complex numbers"}, {'O', "Python objects"}, {'S', "byte strings"},
        {'a', "byte strings"},    {'U', "strings"},        {'V', "records or raw bytes"},
        {'M', "dates"},           {'m', "durations"},      {'f', "floats of that width"}};
    const char* what = "elements of unknown type";
    for (const auto& [kind, name] : kKinds) {
      if (letter == kind) what = name;
    }
    fail({"holds ", what, " (", utf8_lossy(descr), "), which gyre does not support"}, Code::dtype);
  }

  void read_descr() {
    const char first = peek();
    if (first == '[' || first == '(')
      fail("holds records, which gyre does not support", Code::dtype);
    const std::string descr = text();
    const size_t at = descr.empty() ? 0 : std::string_view("<>=|").find(descr[0]) != descr.npos;
    if (at == 1) header_.big_endian = descr[0] == '>';
    const std::string_view kind = std::string_view(descr).substr(at);
    for (int i = 0; i < kDTypes; ++i) {
      header_.dtype = static_cast<DType>(i);
      const char letter = npy_letter(header_.dtype);
      if (letter && kind == letter + std::to_string(size_of(header_.dtype))) return;
    }
    refuse_kind(descr, kind.empty() ? '\0' : kind[0]);
  }

  void check_size() const {
    uint64_t wanted = size_of(header_.dtype);
    for (const int64_t size : header_.shape) {
      if (__builtin_mul_overflow(wanted, static_cast<uint64_t>(size), &wanted)) {
        fail({"its shape ", header_.shape, " overflows"});
      }
    }
    const uint64_t present = size_ - header_.begin;
    if (present != wanted) {
      fail({"has ", present, " bytes for ", header_.shape, ", expected ", wanted});
    }
  }

  const std::string& path_;
  std::string_view file_, rest_;
  uint64_t size_;
  NpyHeader header_;
};

}  // namespace

NpyHeader npy_header(std::string_view file, const std::string& path) {
  return NpyHeaderReader(file, file.size(), path).read();
}

NpyHeader npy_header(const InputFile& file) {
  constexpr uint64_t kLongestStart = 12;
  std::string head(std::min(file.size(), kLongestStart), '\0');
  file.read(0, std::as_writable_bytes(std::span(head)));
  head.resize(NpyHeaderReader(head, file.size(), file.path()).begin());
  file.read(0, std::as_writable_bytes(std::span(head)));
  return NpyHeaderReader(head, file.size(), file.path()).read();
}

}  // namespace gyre
