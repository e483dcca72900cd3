#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench/language/tiny_shakespeare.h"
#include "bench/temporary_folder.h"
#include "bench/work.h"
#include "gyre/models/train.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/progress/sink.h"

namespace gyre::bench {
namespace {

// A training run, as `gyre train` makes it with these options.
struct Recipe {
  const char* preset;
  std::string (*data)(const char* work);
  void (*apply)(TrainOptions& options);
  std::vector<std::string> given;  // what apply() sets
  int64_t evaluations;             // about
};

std::string glosses(const char*) { return "wordnet:glosses"; }

void run_for(TrainOptions& o, const char* optimizer, int64_t steps) {
  o.trainer.optimizer.name = optimizer;
  o.trainer.schedule.steps = steps;
}

// The number of steps of learning_chargpt: the loss is then below that of chargpt_2000.
const Recipe kRecipes[] = {
    {"glosses", glosses, [](TrainOptions& o) { run_for(o, "adamw", 800); }, {}, 10},
    {"glosses", glosses, [](TrainOptions& o) { run_for(o, "muon", 800); }, {}, 10},
    {"chargpt",
     tiny_shakespeare,
     [](TrainOptions& o) {
       run_for(o, "muon", 320);
       o.model = "gyre";
       o.trainer.optimizer.more = "momentum=0.85,adamw_lr_ratio=0.8";
       o.trainer.optimizer.clip = 0;
       o.trainer.schedule.decay = 0.7;
     },
     {"model", "optimizer_options", "clip", "lr_decay"},
     1}};

// Prints the validation loss by wall time.
struct Curve : TrainSink {
  const char* work;
  double elapsed = 0, loss = NAN;
  explicit Curve(const char* name) : work(name) {}
  void stepped(const StepProgress& p) override { elapsed = p.elapsed; }
  void validated(const Validation& v) override {
    loss = v.figures.loss;
    std::fprintf(stderr, "%s  %6.1f s  step %5lld  validation loss %.4f  bits per byte %.4f\n",
                 work, elapsed, static_cast<long long>(v.step), loss, v.figures.bits_per_byte);
  }
};

// sizes: index of the recipe
Ready learning_prepare(const Work& w, const Settings& settings) {
  const Recipe& recipe = kRecipes[w.sizes[0]];
  auto curve = std::make_shared<Curve>(w.name);
  TrainOptions o;
  o.preset = recipe.preset;
  o.data.sources = {recipe.data(w.name)};
  recipe.apply(o);
  if (settings.steps) o.trainer.schedule.steps = settings.steps;
  o.trainer.evaluation.every = std::max<int64_t>(1, o.trainer.schedule.steps / recipe.evaluations);
  o.trainer.checkpoints.every = 0;
  return {[o, curve, &recipe]() mutable {
            const TemporaryFolder folder;
            o.trainer.run.out = folder.path + "/model";
            std::vector<std::string> given{"data",       "preset",     "optimizer", "steps",
                                           "eval_every", "save_every", "out"};
            given.insert(given.end(), recipe.given.begin(), recipe.given.end());
            train(o, given, layer_table(), optimizer_table(), *curve);
          },
          [curve] { return curve->loss; }};
}

constexpr Work work(const char* name, const char* definition, int64_t recipe) {
  Work w{name, "s", definition, learning_prepare, {recipe}};
  w.repeats = 1;
  w.warm = 0;
  return w;
}

constexpr const char* kGlosses =
    "training run of the preset glosses, with its tokenizer and validations";
constexpr Work kLearningWorks[] = {
    work("learning_glosses_adamw", kGlosses, 0), work("learning_glosses_muon", kGlosses, 1),
    work("learning_chargpt",
         "320 steps of the architecture gyre with Muon on the data and sizes of chargpt_2000", 2)};

}  // namespace

std::span<const Work> learning_works() { return kLearningWorks; }

}  // namespace gyre::bench
