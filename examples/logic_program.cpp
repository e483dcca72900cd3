// A program of rules and equations from C++: facts and tensors of the host in, answers, proofs and
// gradients out.
#include <cstdio>

#include "gyre/gyre.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

int main() {
  using namespace gyre;
  const Tensor score = tensor<double>({0.5, -1, 2}, {3});  // used in place
  Tensor weight = tensor<double>({1, 1, 1}, {3});
  weight.set_requires_grad();
  logic::ProgramInputs inputs;
  inputs.tensors = {{"Score", score}, {"Weight", weight}};
  inputs.relations = {{"Cites", 2, {{"b"}, {"a"}, {"c"}, {"b"}}}};  // b cites a, c cites b
  logic::Program program = logic::Program::parse(
      R"(
        domain Paper = {a, b, c}
        relation Cites(x: Paper, y: Paper)
        Builds(x, y) <- Cites(x, y)
        Builds(x, z) <- Builds(x, y), Cites(y, z)
        Rank[x] = Builds(x, y) Weight[y] Score[y]
        Loss = (Rank[x] - 1)^2
      )",
      "example.tl", op_table(), optimizer_table(), {}, inputs);

  const logic::Answer below = program.query("Builds(c, x)?");
  for (const auto& row : below.rows) std::printf("c builds on %s\n", row[0].text.c_str());
  const logic::Answer why = program.query("Builds(c, a)? @why");
  std::printf("%s, by a proof of height %d\n", why.proofs[0].atom.c_str(), why.proofs[0].height());

  program.tensor("Loss").backward();
  std::printf("loss %g, its gradient by Weight: %g %g %g\n", program.tensor("Loss").item(),
              to_vector<double>(weight.grad())[0], to_vector<double>(weight.grad())[1],
              to_vector<double>(weight.grad())[2]);

  program.add({"Cites", 2, {{"a"}, {"c"}}});  // the fixpoint continues: now each builds on all
  return below.rows.size() == 2 && program.query("Builds(x, y)?").rows.size() == 9 ? 0 : 1;
}
