#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/token_batches.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/op/node.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/muon.h"
#include "gyre/optim/schedule.h"
#include "tests/test_data.h"

namespace gyre::bench {
namespace {

constexpr int64_t kBlock = 64, kBatch = 12, kEvaluations = 200;
constexpr uint64_t kTrainSeed = 1, kValidationSeed = 1000, kWeightSeed = 1337;

// How a model of that size is trained.
struct Recipe {
  void (*suit)(DecoderOptions& options);
  std::unique_ptr<Optimizer> (*optimizer)(Decoder& model);
  double clip;
  ScheduleOptions schedule;
};

// nanoGPT's: GPT-2's blocks and AdamW.
std::unique_ptr<Optimizer> adamw(Decoder& model) {
  std::vector<Tensor> tables, vectors;
  for (const Tensor& p : model.parameters()) (p.rank() >= 2 ? tables : vectors).push_back(p);
  AdamWOptions options{.beta2 = 0.99, .weight_decay = 0.1};
  auto optimizer = std::make_unique<AdamW>(tables, options);
  options.weight_decay = 0;
  optimizer->add_group(vectors, options);
  return optimizer;
}

// Ours: the blocks of the architecture gyre and Muon.
std::unique_ptr<Optimizer> muon(Decoder& model) {
  const nn::MatrixRoles roles = model.matrix_roles();
  const auto among = [](const std::vector<Tensor>& some, const Tensor& p) {
    return std::ranges::any_of(some, [&](const Tensor& t) { return t.impl() == p.impl(); });
  };
  std::vector<Tensor> matrices, others;
  for (const Tensor& p : model.parameters()) {
    if (among(roles.stacked, p)) continue;
    (p.rank() < 2 || among(roles.tables, p) ? others : matrices).push_back(p);
  }
  MuonOptions options{.momentum = 0.85, .adamw_lr_ratio = 0.8};
  auto optimizer = std::make_unique<Muon>(matrices, options);
  options.parts = roles.parts;
  optimizer->add_group(roles.stacked, options);
  options.use_muon = false;
  options.weight_decay = 0;
  optimizer->add_group(others, options);
  return optimizer;
}

constexpr Recipe kRecipes[] = {
    {[](DecoderOptions& o) { o.activation = Activation::gelu; },
     adamw,
     1,
     {Schedule::cosine, 1e-3, 1e-4, 100, 2000}},
    {[](DecoderOptions& o) {
       (*std::ranges::find(architectures(), std::string_view("gyre"), [](const Architecture* a) {
         return a->model_type;
       }))->suit(o);
     },
     muon,
     0,
     {.kind = Schedule::wsd, .lr = 0.02, .warmup = 30, .steps = 300, .decay = 0.7}}};

std::string tiny_shakespeare() {
  const char* path = std::getenv("GYRE_TINYSHAKESPEARE");
  std::string text = path && *path ? path : test_data("text/tinyshakespeare.txt");
  if (!file_exists(text)) {
    throw Error(Code::io, "chargpt",
                text + " not found; set GYRE_TINYSHAKESPEARE to the path of the text");
  }
  return read_file(text);
}

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
  Training(const Recipe& recipe, int64_t steps)
      : Training(recipe, steps, codes_of(tiny_shakespeare())) {}

  void run() {
    Generator generator{kWeightSeed};
    model_ = std::make_unique<Decoder>(options_, &generator);
    const std::unique_ptr<Optimizer> optimizer = recipe_.optimizer(*model_);
    for (int64_t step = 0; step < steps_; ++step) {
      optimizer->set_lr(learning_rate(recipe_.schedule, step));
      TokenBatch batch = training_.at(step);
      model_->loss(batch.inputs, batch.targets).backward();
      optimizer->step({.clip = recipe_.clip});
      optimizer->zero_grad();
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
  Training(const Recipe& recipe, int64_t steps, Codes codes)
      : recipe_(recipe),
        steps_(steps ? steps : recipe.schedule.steps),
        options_{.vocab = codes.count,
                 .block_size = kBlock,
                 .layers = 4,
                 .heads = 4,
                 .width = 128,
                 .bias = false},
        training_(std::move(codes.training), kBatch, kBlock, kTrainSeed),
        validation_(std::move(codes.validation), kBatch, kBlock, kValidationSeed) {
    recipe.suit(options_);
  }

  const Recipe& recipe_;
  int64_t steps_;
  DecoderOptions options_;
  TokenBatches training_, validation_;
  std::unique_ptr<Decoder> model_;
};

// sizes: index of the recipe
Ready prepare(const Work& w, const Settings& settings) {
  auto training = std::make_shared<Training>(kRecipes[w.sizes[0]], settings.steps);
  return {[training] { training->run(); }, [training] { return training->validation_loss(); }};
}

constexpr Work training_work(const char* name, const char* definition, int64_t recipe) {
  Work w{name, "s", definition, prepare, {recipe}};
  w.repeats = 1;
  w.warm = 0;
  return w;
}

constexpr Work kWorks[] = {
    training_work("chargpt_2000", "2,000 steps of a GPT of 0.8 M parameters on tinyshakespeare", 0),
    training_work("chargpt_loss",
                  "the same data, sizes and loss with the architecture gyre and Muon", 1)};

}  // namespace

std::span<const Work> chargpt_works() { return kWorks; }

}  // namespace gyre::bench
