// Adds a layer: a gated linear unit, (x W^T + b) sigmoid(x V^T + c) (Dauphin et al. 2017).
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gyre/gyre.h"
#include "gyre/nn/layer_def.h"
#include "gyre/nn/make_layer.h"
#include "gyre/op/samples.h"
#include "gyre/registry/layer_table.h"

namespace gyre {
struct GluOptions {
  int64_t in = 0, out = 0;
};
GYRE_FIELDS(GluOptions, GYRE_FIELD(in, "length of the last axis of the input", .least = 1),
            GYRE_FIELD(out, "length of the last axis of the result", .least = 1));
}  // namespace gyre
using namespace gyre;

/// (x W^T + b) sigmoid(x V^T + c): [..., in] to [..., out]. `weight` [2 out, in] is W above V,
/// `bias` [2 out] is b before c.
class Glu final : public nn::Layer {
 public:
  /// Error{value} for sizes below 1.
  explicit Glu(const GluOptions& o, Generator* generator = nullptr) {
    check_record("GLU", o);
    weight = nn::xavier({2 * o.out, o.in}, 1, generator);
    bias = nn::zeros({2 * o.out});
  }
  Tensor operator()(const Tensor& x) const override {
    Tensors halves = chunk(linear(x, weight, bias), 2, -1);
    return halves[0] * sigmoid(halves[1]);
  }
  void visit(nn::Visitor& v) override {
    v.parameter("weight", weight);
    v.parameter("bias", bias);
  }

  Tensor weight, bias;
};

constinit const nn::LayerDef glu_layer = nn::define_layer<Glu, GluOptions>(
    "GLU", "(x W^T + b) sigmoid(x V^T + c), a gated linear unit", [](nn::LayerSamples& s) {
      Samples draw;
      s.add(GluOptions{.in = 3, .out = 2}, {draw.uniform({4, 3})});
      s.add(GluOptions{.in = 2, .out = 5}, {draw.uniform({2, 3, 2})});
      s.refuse(Code::value, GluOptions{.in = 2, .out = 0});
      s.refuse(Code::value, GluOptions{});
    });

// Trains a model to tell the quadrants of the plane where x y > 0; its accuracy afterwards.
double train(nn::Layer& model) {
  Tensor x = 2 * rand({512, 2}) - 1;
  Tensor y = to(prod(x, 1) > 0, DType::i64);
  AdamW optimizer(model.parameters(), {.lr = 0.02});
  for (int step = 0; step < 300; ++step) {
    Tensor loss = cross_entropy(model(x), y);
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  return mean(to(argmax(model(x), 1) == y, DType::f32)).item();
}

void check(bool passed, const char* what) {
  std::printf("%-40s %s\n", what, passed ? "ok" : "FAILED");
  if (!passed) std::exit(1);
}

int main() {
  manual_seed(1);
  nn::Sequential model(Glu({.in = 2, .out = 16}), nn::Linear(16, 2));
  for (const NamedTensor& p : model.named_parameters()) std::printf("%s\n", p.name.c_str());
  check(train(model) > 0.95, "it learns");

  std::vector<const nn::LayerDef*> layers(layer_table().layers.begin(), layer_table().layers.end());
  layers.push_back(&glu_layer);
  Json description = Json::parse(R"([{"layer": "GLU", "in": 2, "out": 16},
                                     {"layer": "Linear", "in": 16, "out": 2}])");
  auto made = nn::make_model(nn::LayerTable{layers}, description);
  made->load_state_dict(model.state_dict());
  Tensor x = rand({8, 2});
  check(all(made->forward({&x, 1})[0] == model(x)).item() != 0, "made from JSON");

  nn::LayerSamples samples;
  glu_layer.samples(samples);
  for (nn::LayerSamples::Call& call : samples.calls) {
    auto layer = glu_layer.make(call.options->value, nullptr);
    layer->to(DType::f64);
    call.in[0].set_requires_grad();
    check(bool(gradcheck([&](Inputs in) { return layer->forward(in); }, call.in)), "gradients");
  }
}
