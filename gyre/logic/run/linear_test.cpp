// Linear layers in one op, against the same equation in parts.
#include <gtest/gtest.h>

#include "gyre/logic/program.h"
#include "gyre/ops/index/index.h"
#include "tests/logic_programs.h"

namespace gyre::logic {
namespace {

constexpr const char* kData = R"(
pragma dtype f32
tensor X[e: 5, i: 7] = random(seed=1)
tensor Z[b: 2, e: 5, i: 7] = random(seed=2)
tensor W[h: 3, i: 7] learnable = random(low=-1, seed=3)
tensor V[i: 7, h: 3] learnable = random(low=-1, seed=4)
tensor B[h: 3] learnable = random(low=-1, seed=5)
tensor C[e: 5] learnable = random(low=-1, seed=6)
)";
constexpr const char* kLearn =
    "\nLoss = H[..]^2\nlearn { objective: Loss, optimizer: sgd(lr=0.01), epochs: 3 }\n";

struct Form {
  const char *left, *function, *product, *bias;
  bool is_layer;
};
constexpr Form kForms[] = {
    {"e, h", "tanh", "W[h, i] X[e, i]", "B[h]", true},
    {"e, h", "relu", "X[e, i] W[h, i]", "B[h]", true},
    {"e, h", "sig", "V[i, h] X[e, i]", "B[h]", true},
    {"b, e, h", "silu", "W[h, i] Z[b, e, i]", "B[h]", true},
    {"b, e, h", "gelu", "Z[b, e, i] V[i, h]", "B[h]", true},
    {"e, h", "tanh", "W[h, i] X[e, i]", "C[e]", false},
    {"e, h", "exp", "W[h, i] X[e, i]", "B[h]", false},
    {"h, e", "tanh", "W[h, i] X[e, i]", "B[h]", false},
    {"e, h", "tanh", "W[h, i] X[e, i+1]", "B[h]", false},
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST(LinearLayer, HasTheBitsOfItsParts) {
  for (const Form& f : kForms) {
    const std::string left = std::string("[") + f.left + "]",
                      learn = replaced(kLearn, "[..]", left), call = f.function;
    const std::string whole = kData + ("H" + left + " = " + call + "(" + f.product + " + " +
                                       f.bias + ")" + learn),
                      parts = kData + ("P" + left + " = " + f.product + "\nS" + left + " = P" +
                                       left + " + " + f.bias + "\nH" + left + " = " + call + "(S" +
                                       left + ")" + learn);
    Program one = program(whole, {.reports = true}), other = program(parts);
    const Tensor a = one.tensor("H"), b = other.tensor("H");
    EXPECT_EQ(to_vector<float>(a), to_vector<float>(b)) << whole;
    EXPECT_EQ(to_vector<double>(one.run().back().values),
              to_vector<double>(other.run().back().values))
        << whole;
    for (const char* name : {"W", "V", "B", "C"}) {
      EXPECT_EQ(to_vector<float>(one.tensor(name)), to_vector<float>(other.tensor(name)))
          << name << " in " << whole;
    }
    std::string plan;
    for (const StatementReport& report : one.reports()) {
      for (const std::string& line : report.plan) plan += line + "\n";
    }
    EXPECT_EQ(plan.find("linear layer of ") != std::string::npos, f.is_layer) << plan << whole;
  }
}

}  // namespace
}  // namespace gyre::logic
