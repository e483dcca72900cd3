#include "cli/trained.h"

#include <algorithm>
#include <cctype>

namespace gyre {
namespace {

// A word quoted for a shell.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "-_./:,+=@%";
  auto plain = [&](unsigned char c) {
    return std::isalnum(c) || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void print_resume(Output& out, const char* command, const std::string& folder) {
  out.print("interrupted; to resume, run: gyre {} --out {} --resume\n", command, quoted(folder));
}

}  // namespace gyre
