#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "bench/temporary_folder.h"
#include "bench/work.h"
#include "gyre/models/train.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/progress/sink.h"

namespace gyre::bench {
namespace {

constexpr int64_t kSteps = 800;
constexpr const char* kOptimizers[] = {"adamw", "muon"};

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

// sizes: index of the optimiser
Ready prepare(const Work& w, const Settings& settings) {
  auto curve = std::make_shared<Curve>(w.name);
  TrainOptions o;
  o.preset = "glosses";
  o.data.sources = {"wordnet:glosses"};
  o.trainer.optimizer.name = kOptimizers[w.sizes[0]];
  o.trainer.schedule.steps = settings.steps ? settings.steps : kSteps;
  o.trainer.evaluation.every = std::max<int64_t>(1, o.trainer.schedule.steps / 10);
  o.trainer.checkpoints.every = 0;
  return {[o, curve]() mutable {
            const TemporaryFolder folder;
            o.trainer.run.out = folder.path + "/model";
            const std::vector<std::string> given{"data",       "preset",     "optimizer", "steps",
                                                 "eval_every", "save_every", "out"};
            train(o, given, layer_table(), optimizer_table(), *curve);
          },
          [curve] { return curve->loss; }};
}

constexpr Work work(const char* name, int64_t optimizer) {
  Work w{name,
         "s",
         "training run of the preset glosses, with its tokenizer and validations",
         prepare,
         {optimizer}};
  w.repeats = 1;
  w.warm = 0;
  return w;
}

constexpr Work kWorks[] = {work("learning_glosses_adamw", 0), work("learning_glosses_muon", 1)};

}  // namespace

std::span<const Work> learning_works() { return kWorks; }

}  // namespace gyre::bench
