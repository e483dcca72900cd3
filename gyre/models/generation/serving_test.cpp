#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/generation/generate.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/shape/shape.h"

// One model that eight threads read at once.

namespace gyre {
namespace {

constexpr int kClients = 8;
using Answers = std::vector<std::vector<int32_t>>;

// What a client asks for: prompts of different lengths, answers longer than the context.
GenerateOptions request(int client) {
  GenerateOptions options{.max_tokens = 30,
                          .sampling = {.temperature = 0.8, .top_k = 12, .seed = 5 + client}};
  for (int i = 0; i <= client; ++i) options.ids.push_back(std::to_string((7 * i + client) % 31));
  return options;
}

std::vector<int32_t> answer(const LanguageModel& model, int client) {
  return generate(model, nullptr, request(client), [](std::string_view) {}).ids;
}

Answers one_after_another(const LanguageModel& model) {
  Answers found;
  for (int i = 0; i < kClients; ++i) found.push_back(answer(model, i));
  return found;
}

// serve(client) of all clients, each on a thread of its own.
template <class Serve>
Answers at_once(Serve serve) {
  Answers found(kClients);
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] { found[static_cast<size_t>(i)] = serve(i); });
  }
  for (std::thread& client : clients) client.join();
  return found;
}

class Serving : public testing::Test {
 protected:
  Serving() { model_.eval(); }

  static constexpr DecoderOptions kOptions{
      .vocab = 31, .block_size = 24, .layers = 2, .heads = 2, .width = 16};
  Generator generator_{.seed = 3};
  Decoder model_{kOptions, &generator_};
};

TEST_F(Serving, EightThreadsAnswerAsOneDoes) {
  EXPECT_EQ(at_once([&](int i) { return answer(model_, i); }), one_after_another(model_));
}

TEST_F(Serving, CopiesShareTheWeightsOfAMappedFile) {
  const std::string folder = testing::TempDir() + "gyre_serving";
  model_.save(folder, nullptr);
  const std::unique_ptr<LanguageModel> mapped = load_language_model(folder, FileAccess::map);
  mapped->eval();
  EXPECT_EQ(at_once([&](int i) { return answer(*mapped->share(), i); }), one_after_another(model_));
}

// The ninth thread distils the model into another one.
TEST_F(Serving, AnswersWhileItTeachesAnotherModel) {
  const Answers wanted = one_after_another(model_);
  Generator seed{.seed = 4};
  Decoder student(kOptions, &seed);
  std::thread teacher([&] {
    const Tensor tokens = reshape(arange(0, 12, 1, {DType::i64}), {2, 6});
    for (int step = 0; step < 5; ++step) {
      Tensor logits;
      {
        NoGrad constant;
        logits = model_(tokens);
      }
      mse(student(tokens), logits).backward();
    }
  });
  EXPECT_EQ(at_once([&](int i) { return answer(model_, i); }), wanted);
  teacher.join();
  EXPECT_TRUE(student.wte.weight.grad().defined());
  EXPECT_FALSE(model_.wte.weight.grad().defined());
}

}  // namespace
}  // namespace gyre
