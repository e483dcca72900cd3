// The fuzzing loop where libFuzzer is not linked (every preset but `fuzz`): runs the entry point on
// the files of a corpus, then on mutations of them. The same seed makes the same inputs. An input
// that fails is written to a file crash-SEED-RUN, which can be passed in place of the corpus.
//
//   X_fuzz [-seed=N] [-runs=N] FILE_OR_FOLDER...
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/memory/poison.h"
#if GYRE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Input = std::string;
constexpr size_t kLongest = 1 << 16;

uint64_t seed = 1, run = 0;
Input input;

void keep_input() {
  const std::string name = "crash-" + std::to_string(seed) + "-" + std::to_string(run);
  std::ofstream(name, std::ios::binary).write(input.data(), std::ssize(input));
  std::fprintf(stderr, "run %llu of seed %llu failed; its input is in %s\n",
               static_cast<unsigned long long>(run), static_cast<unsigned long long>(seed),
               name.c_str());
}

void try_input() {
  // A copy of exactly these bytes: reading past the end is seen.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  ++run;
}

class Mutator {
 public:
  Mutator(uint64_t seed, const std::vector<Input>& corpus) : words_(seed), corpus_(corpus) {}

  Input next() {
    Input x = corpus_[below(corpus_.size())];
    for (uint64_t n = 1 + below(4); n-- > 0;) change(x);
    x.resize(std::min(x.size(), kLongest));
    return x;
  }

 private:
  uint64_t below(uint64_t n) { return n ? words_() % n : 0; }

  // Bytes [from, from + length) of x, at most `most` of them.
  struct Part {
    size_t from, length;
  };
  Part part(const Input& x, size_t most) {
    const size_t from = below(x.size() + 1);
    return {from, below(std::min(most, x.size() - from) + 1)};
  }

  void change(Input& x) {
    const size_t at = below(x.size() + 1);
    switch (below(9)) {
      case 0:
        if (at < x.size()) x[at] = static_cast<char>(x[at] ^ (1 << below(8)));
        return;
      case 1:
        if (at < x.size()) x[at] = static_cast<char>(words_());
        return;
      case 2:
        x.resize(at);
        return;
      case 3: {
        const Part cut = part(x, 64);
        x.erase(cut.from, cut.length);
        return;
      }
      case 4: {
        const Part again = part(x, 64);
        x.insert(at, x.substr(again.from, again.length));
        return;
      }
      case 5: {
        const Input& other = corpus_[below(corpus_.size())];
        const Part taken = part(other, other.size());
        x.insert(at, other, taken.from, taken.length);
        return;
      }
      case 6: {  // an extreme integer, little-endian
        constexpr uint64_t kExtremes[] = {
            0,          1,          0x7f,      0xff,       0x7fff,           0xffff,
            0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX, uint64_t{1} << 63};
        const uint64_t value = kExtremes[below(std::size(kExtremes))];
        const size_t width = size_t{1} << below(4);
        for (size_t i = 0; i < width && at + i < x.size(); ++i) {
          x[at + i] = static_cast<char>(value >> (8 * i));
        }
        return;
      }
      case 7: {  // what parsers of text look for
        constexpr std::string_view kWords[] = {
            "\"", "\\", ",",   "{",    "}",     "[",   "]",    ":",    "\n",          "\r",
            "\t", "-",  "nan", "null", "1e999", "\\u", "\xff", "\xc3", "\xef\xbb\xbf"};
        x.insert(at, kWords[below(std::size(kWords))]);
        return;
      }
      default: {  // another number in place of digits
        size_t begin = x.find_first_of("0123456789", at), end = begin;
        if (begin == Input::npos) return;
        while (end < x.size() && x[end] >= '0' && x[end] <= '9') ++end;
        constexpr std::string_view kNumbers[] = {
            "0", "1", "-1", "65536", "4294967296", "9223372036854775807", "18446744073709551616"};
        x.replace(begin, end - begin, kNumbers[below(std::size(kNumbers))]);
      }
    }
  }

  std::mt19937_64 words_;
  const std::vector<Input>& corpus_;
};

Input contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

uint64_t number(std::string_view text) {
  uint64_t n = 0;
  const auto end = text.data() + text.size();
  if (const auto r = std::from_chars(text.data(), end, n); r.ec != std::errc() || r.ptr != end) {
    std::fprintf(stderr, "expected a number, got %.*s\n", static_cast<int>(text.size()),
                 text.data());
    std::exit(2);
  }
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t runs = 0;
  std::vector<std::filesystem::path> files;
  for (const std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    if (argument.starts_with("-seed=")) {
      seed = number(argument.substr(6));
    } else if (argument.starts_with("-runs=")) {
      runs = number(argument.substr(6));
    } else if (std::filesystem::is_directory(argument)) {
      for (const auto& entry : std::filesystem::directory_iterator(argument)) {
        files.push_back(entry.path());
      }
    } else {
      files.emplace_back(argument);
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Input> corpus;
  for (const auto& file : files) corpus.push_back(contents(file));
  if (corpus.empty()) {
    std::fprintf(stderr, "expected files or folders of inputs\n");
    return 2;
  }

  std::signal(SIGABRT, [](int) {  // of std::abort() and of an exception that nothing catches
    keep_input();
    std::_Exit(1);
  });
#if GYRE_ASAN
  __sanitizer_set_death_callback(keep_input);
#endif
  for (const Input& one : corpus) {
    input = one;
    try_input();
  }
  Mutator mutations(seed, corpus);
  for (uint64_t i = 0; i < runs; ++i) {
    input = mutations.next();
    try_input();
  }
  std::printf("%llu inputs\n", static_cast<unsigned long long>(run));
}
