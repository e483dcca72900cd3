#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/temporary_folder.h"
#include "bench/work.h"
#include "gyre/base/system/file.h"
#include "gyre/logic/program.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre::bench {
namespace {

constexpr const char* kLearn = R"(
pragma dtype f32
tensor X[e: 64, i: 64] = random(seed=1)
tensor T[e: 64] = random(seed=2)
tensor W1[h: 64, i: 64] learnable = xavier()
tensor B1[h: 64] learnable = zeros
tensor W2[h: 64] learnable = random(low=-0.2, high=0.2)
tensor B2[] learnable = 0
H[e, h] = tanh(W1[h, i] X[e, i] + B1[h])
Y[e] = sig(W2[h] H[e, h] + B2)
Loss = (Y[e] - T[e])^2 / 64
learn { objective: Loss, optimizer: adam(lr=0.001), epochs: 1000 }
)";
constexpr int64_t kEpochs = 1000;

std::shared_ptr<logic::Program> learning() {
  return std::make_shared<logic::Program>(
      logic::Program::parse(kLearn, "bench", op_table(), optimizer_table()));
}

// The same steps by calls of ops: what the limit is.
struct Steps {
  explicit Steps(logic::Program& p) : x(p.tensor("X")), t(p.tensor("T")) {
    for (const char* name : {"W1", "B1", "W2", "B2"}) {
      Tensor w = clone(p.tensor(name).detach());
      w.set_requires_grad();
      parameters.push_back(w);
    }
    Json options = Json::object();
    options["lr"] = 0.001;
    optimizer = make_optimizer(optimizer_table(), "adam", options, parameters);
  }
  void run() {
    for (int64_t i = 0; i < kEpochs; ++i) {
      const Tensor h = tanh(matmul(x, transpose(parameters[0], 0, 1)) + parameters[1]);
      const Tensor y = sigmoid(matmul(h, parameters[2]) + parameters[3]);
      sum(square(y - t) * Tensor(1.0 / 64)).backward();
      optimizer->step();
      for (Tensor& p : parameters) p.zero_grad();
    }
  }
  Tensor x, t;
  std::vector<Tensor> parameters;
  std::unique_ptr<Optimizer> optimizer;
};

Ready learn(const Work&, const Settings&) {
  const std::shared_ptr<logic::Program> program = learning();
  const auto steps = std::make_shared<Steps>(*program);
  return {.call = [program] { program->run(); }, .least = [steps] { steps->run(); }};
}

constexpr Work learn_work() {
  Work w{"logic_learn", "ms",
         "1,000 steps of Adam by a program, f32, 64 examples, 64 inputs, 64 hidden; the limit is "
         "the same steps in C++, op by op",
         learn};
  w.repeats = 5;
  w.warm = 1;
  return w;
}

constexpr const char* kAncestors = R"(
Parent(Alice, Bob); Parent(Bob, Charlie); Parent(Charlie, David); Parent(Bob, Eve)
Ancestor(x, y) <- Parent(x, y)
Ancestor(x, z) <- Ancestor(x, y), Parent(y, z)
Ancestor(Alice, x)?
Ancestor(x, David)?
Ancestor(David, Alice)?
Ancestor(x, y)?
)";

struct AncestorsFile : TemporaryFolder {
  AncestorsFile() { write_file_atomic(text(), kAncestors); }
  [[nodiscard]] std::string text() const { return path + "/ancestors.tl"; }
};

// A process of this program that runs a program in the language.
Ready start(const Work&, const Settings&) {
  const auto file = std::make_shared<const AncestorsFile>();
  const std::string command = "'" + std::filesystem::read_symlink("/proc/self/exe").string() +
                              "' run '" + file->text() + "' > /dev/null";
  return {[file, command] {
    if (std::system(command.c_str()) != 0) throw Error(Code::io, "bench", command + " failed");
  }};
}

constexpr Work kProgramsWorks[] = {
    learn_work(),
    {"logic_start", "ms", "gyre run from the start of its process: two rules, four queries",
     start}};

}  // namespace

std::span<const Work> logic_works() { return kProgramsWorks; }

}  // namespace gyre::bench
