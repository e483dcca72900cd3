#pragma once
#include <string>

#include "gyre/io/json.h"
#include "gyre/logic/program.h"

namespace gyre {

/// The hypernyms of all nouns of WordNet, derived by a program of two rules.
struct NounsDemo {
  std::string path;        ///< the program, for `gyre run`
  double seconds = 0;      ///< to derive all pairs, without reading WordNet
  int64_t direct = 0;      ///< pairs of a noun and one directly above
  int64_t pairs = 0;       ///< pairs of a noun and one above
  logic::Answer answer{};  ///< the hypernyms of a dog
  logic::Proof proof{};    ///< that one of them is one

  /// Writes the program to a file and runs it. Errors: those of logic::Program, io.
  static NounsDemo derive(const std::string& path);
  /// "entity.n.01, animal.n.01, ...".
  [[nodiscard]] std::string hypernyms() const;
  /// A line for each atom of the proof, indented.
  [[nodiscard]] std::string proof_text() const;
  [[nodiscard]] Json json() const;
  [[nodiscard]] std::string html() const;
};

}  // namespace gyre
