#pragma once
#include <string>

namespace gyre {

/// 400 lines of a few words, for models to learn.
inline std::string sentences() {
  std::string text;
  const char* words[] = {"the cat", "a dog", "the bird", "an old man", "a tree"};
  const char* ends[] = {" sat down.\n", " ran away.\n", " sings.\n"};
  for (int i = 0; i < 400; ++i) text += std::string(words[i * i % 5]) + ends[i * 7 % 11 % 3];
  return text;
}

}  // namespace gyre
