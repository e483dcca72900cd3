#include <algorithm>
#include <memory>
#include <string>

#include "bench/language/tiny_shakespeare.h"
#include "bench/work.h"
#include "gyre/base/system/file.h"
#include "gyre/data/token_batches.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/op/node.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/schedule.h"

namespace gyre::bench {
namespace {

constexpr int64_t kBlock = 64, kBatch = 12, kSteps = 2000, kEvaluations = 200;
constexpr uint64_t kTrainSeed = 1, kValidationSeed = 1000, kWeightSeed = 1337;
constexpr ScheduleOptions kSchedule{Schedule::cosine, 1e-3, 1e-4, 100, kSteps};

// Ids are indices into the sorted distinct bytes of the whole text.
struct Codes {
  std::vector<int32_t> training, validation;
  int64_t count = 0;
};

Codes codes_of(const std::string& text) {
  std::array<int32_t, 256> id{};
  for (char c : text) id[static_cast<unsigned char>(c)] = 1;
  Codes codes;
  for (int32_t& i : id) {
    if (i) i = static_cast<int32_t>(codes.count++);
  }
  std::vector<int32_t> all;
  for (char c : text) all.push_back(id[static_cast<unsigned char>(c)]);
  auto cut = all.begin() + static_cast<int64_t>(0.9 * static_cast<double>(all.size()));
  codes.training.assign(all.begin(), cut);
  codes.validation.assign(cut, all.end());
  return codes;
}

class Training {
 public:
  explicit Training(int64_t steps)
      : Training(steps, codes_of(read_file(tiny_shakespeare("chargpt_2000")))) {}

  void run() {
    Generator generator{kWeightSeed};
    model_ = std::make_unique<Decoder>(options_, &generator);
    std::vector<Tensor> tables, vectors;
    for (const Tensor& p : model_->parameters()) (p.rank() >= 2 ? tables : vectors).push_back(p);
    AdamWOptions adamw{.beta2 = 0.99, .weight_decay = 0.1};
    AdamW optimizer(tables, adamw);
    adamw.weight_decay = 0;
    optimizer.add_group(vectors, adamw);
    for (int64_t step = 0; step < steps_; ++step) {
      optimizer.set_lr(learning_rate(kSchedule, step));
      TokenBatch batch = training_.at(step);
      model_->loss(batch.inputs, batch.targets).backward();
      optimizer.step({.clip = 1});
      optimizer.zero_grad();
    }
  }

  [[nodiscard]] double validation_loss() const {
    NoGrad off;
    double sum = 0;
    for (int64_t i = 0; i < kEvaluations; ++i) {
      TokenBatch batch = validation_.at(i);
      sum += model_->loss(batch.inputs, batch.targets).item();
    }
    return sum / kEvaluations;
  }

 private:
  Training(int64_t steps, Codes codes)
      : steps_(steps),
        options_{.vocab = codes.count,
                 .block_size = kBlock,
                 .layers = 4,
                 .heads = 4,
                 .width = 128,
                 .bias = false,
                 .activation = Activation::gelu},
        training_(std::move(codes.training), kBatch, kBlock, kTrainSeed),
        validation_(std::move(codes.validation), kBatch, kBlock, kValidationSeed) {}

  int64_t steps_;
  DecoderOptions options_;
  TokenBatches training_, validation_;
  std::unique_ptr<Decoder> model_;
};

Ready prepare(const Work&, const Settings& settings) {
  auto training = std::make_shared<Training>(settings.steps ? settings.steps : kSteps);
  return {[training] { training->run(); }, [training] { return training->validation_loss(); }};
}

constexpr Work training_work() {
  Work w{"chargpt_2000", "s", "2,000 steps of a GPT of 0.8 M parameters on tinyshakespeare",
         prepare};
  w.repeats = 1;
  w.warm = 0;
  return w;
}

constexpr Work kChargptWorks[] = {training_work()};

}  // namespace

std::span<const Work> chargpt_works() { return kChargptWorks; }

}  // namespace gyre::bench
