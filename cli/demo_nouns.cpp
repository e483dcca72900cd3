#include "cli/demo_nouns.h"

#include <fmt/format.h>

#include <chrono>

#include "gyre/base/system/file.h"
#include "gyre/base/text/html.h"
#include "gyre/ops/create/create.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre {
namespace {

constexpr const char* kProgram =
    R"(// Every noun of WordNet and what it is a kind of, directly or not.
Is(x, y) = "wordnet:nouns"
IsA(x, y) <- Is(x, y)
IsA(x, z) <- IsA(x, y), Is(y, z)
Direct = Is(x, y)
Pairs = IsA(x, y)

Pairs?
IsA("dog.n.01", x)?
IsA("dog.n.01", "animal.n.01")? @why
)";

void add_lines(const logic::Proof& p, size_t indent, std::string& text) {
  text += std::string(indent, ' ') + p.atom +
          (p.rule.empty() ? "" : fmt::format("  by line {}", p.line)) + '\n';
  for (const logic::Proof& b : p.because) add_lines(b, indent + 2, text);
}

}  // namespace

NounsDemo NounsDemo::derive(const std::string& path) {
  NounsDemo demo{path};
  AtomicFile file(path);
  file.write(std::string_view(kProgram));
  file.commit();
  logic::Program program = logic::Program::read(path, op_table(), optimizer_table());
  demo.direct = static_cast<int64_t>(program.tensor("Direct").item());
  const auto start = std::chrono::steady_clock::now();
  demo.pairs = static_cast<int64_t>(program.tensor("Pairs").item());
  demo.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  demo.answer = program.query("IsA(\"dog.n.01\", x)?");
  const logic::Answer why = program.query("IsA(\"dog.n.01\", \"animal.n.01\")? @why");
  demo.proof = why.proofs.at(0);
  return demo;
}

std::string NounsDemo::hypernyms() const {
  std::string text;
  for (const auto& row : answer.rows) text += (text.empty() ? "" : ", ") + row[0].text;
  return text;
}

std::string NounsDemo::proof_text() const {
  std::string text;
  add_lines(proof, 0, text);
  return text;
}

Json NounsDemo::json() const {
  Json j = Json::object();
  j["program"] = path;
  j["direct"] = direct;
  j["pairs"] = pairs;
  j["seconds"] = seconds;
  j["hypernyms"] = Json::array();
  for (const auto& row : answer.rows) j["hypernyms"].push_back(row[0].text);
  j["proof"] = proof_text();
  return j;
}

std::string NounsDemo::html() const {
  return "<pre>" + escape_html(kProgram) + "</pre>\n<p>" +
         escape_html(fmt::format("{} pairs from {} in {:.3f} s. A dog is: {}.", pairs, direct,
                                 seconds, hypernyms())) +
         "</p>\n<pre>" + escape_html(proof_text()) + "</pre>\n";
}

}  // namespace gyre
