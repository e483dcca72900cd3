// Prints a line of name and hash for each result that scripts/compare_bits compares. It compiles
// against both commits: a header that has moved is included from either place.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "gyre/base/xxhash64.h"
#include "gyre/gyre.h"
#include "gyre/io/record_json.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/registry/op_table.h"
#if __has_include("gyre/models/decoder/decoder.h")
#include "gyre/models/decoder/decoder.h"
#elif __has_include("gyre/models/gpt2/gpt.h")
#include "gyre/models/gpt2/gpt.h"
#else
#include "gyre/models/gpt.h"
#endif

using namespace gyre;

namespace {

constexpr int64_t kLarge = 20000;  // elements of an enlarged operand: several tiles and chunks
constexpr int kSteps = 50;

#if __has_include("gyre/models/decoder/decoder.h")
using LanguageGpt = Decoder;
using SizesOfGpt = DecoderOptions;
#else
using LanguageGpt = Gpt;
using SizesOfGpt = GptOptions;
#endif

// ---- facts ----

void print_fact(const std::string& name, const Xxhash64& hash) {
  std::printf("%s  %016" PRIx64 "\n", name.c_str(), hash.digest());
}

void print_refusal(const std::string& name, const Error& e) {
  std::printf("%s  error:%s\n", name.c_str(), code_name(e.code));
}

std::vector<std::byte> bytes_of(const Tensor& t) {
  std::vector<std::byte> bytes(static_cast<size_t>(t.numel()) * size_of(t.dtype()));
  read_elements(t.detach(), t.dtype(), bytes.data());
  return bytes;
}

// Older commits have no tensors of other kinds.
template <class T>
bool is_plain(const T& t) {
  if constexpr (requires { t.plain(); }) return t.defined() && t.plain();
  return t.defined();
}

// Dtype, shape and the elements in row-major order; nothing of strides, offset or history.
void add_tensor(Xxhash64& hash, const Tensor& t) {
  if (!t.defined()) return hash.update("none");
  hash.update(std::string(name_of(t.dtype())) + to_string(t.shape()));
  if (is_plain(t)) return hash.update(std::span<const std::byte>(bytes_of(t)));
  const Storage& words = *t.impl()->storage;
  hash.update(std::span<const std::byte>(words.data, words.bytes));
}

void print_tensor(const std::string& name, const Tensor& t) {
  Xxhash64 hash;
  add_tensor(hash, t);
  print_fact(name, hash);
}

// ---- ops ----

bool is_varied(const Tensor& t) { return is_plain(t) && is_floating(t.dtype()); }

// Calls body(i, at) for every element: its place in row-major order and its indices.
template <class Body>
void for_each_index(const Shape& shape, Body body) {
  int64_t at[kMaxRank] = {};
  for (int64_t i = 0, n = numel(shape); i < n; ++i) {
    body(i, at);
    for (int k = shape.rank; k-- > 0 && ++at[k] == shape[k];) at[k] = 0;
  }
}

// Writes to element `to` of a tensor, counted in its memory, the element `from` of the bytes.
void copy_element(const Tensor& t, int64_t to, const std::vector<std::byte>& bytes, int64_t from) {
  const auto size = static_cast<int64_t>(size_of(t.dtype()));
  std::memcpy(t.bytes() + to * size, bytes.data() + from * size, static_cast<size_t>(size));
}

// The same elements with the axes reversed in memory.
Tensor transposed(const Tensor& t) {
  if (t.rank() < 2 || !is_plain(t)) return t;
  Shape strides = t.shape();
  for (int64_t k = 0, step = 1; k < t.rank(); step *= t.shape()[static_cast<int>(k++)]) {
    strides[static_cast<int>(k)] = step;
  }
  Tensor r = make_view(empty(Shape{t.numel()}, t.dtype()), t.shape(), strides, 0);
  const std::vector<std::byte> bytes = bytes_of(t);
  for_each_index(t.shape(), [&](int64_t i, const int64_t* at) {
    int64_t place = 0;
    for (int k = 0; k < t.rank(); ++k) place += at[k] * strides[k];
    copy_element(r, place, bytes, i);
  });
  return r;
}

// Axes of size `old` get size `now`; values repeat, those of f64 with changes of up to 1 %.
Tensor enlarged(const Tensor& t, int64_t old, int64_t now, uint64_t stream) {
  if (!is_plain(t)) return t;
  Shape shape = t.shape(), strides = contiguous_strides(shape);
  for (int64_t& d : shape) d = d == old ? now : d;
  if (shape == t.shape()) return t;
  Tensor r = empty(shape, t.dtype());
  const std::vector<std::byte> bytes = bytes_of(t);
  for_each_index(shape, [&](int64_t i, const int64_t* at) {
    int64_t place = 0;
    for (int k = 0; k < shape.rank; ++k) place += at[k] % t.shape()[k] * strides[k];
    copy_element(r, i, bytes, place);
    if (t.dtype() != DType::f64) return;
    r.data<double>()[i] *=
        0.99 + 0.02 * std::ldexp(philox(stream, static_cast<uint64_t>(i))[0], -32);
  });
  return r;
}

// Of a result's shape and dtype, +-[0.5, 1.5).
Tensor cotangent(const Tensor& like, uint64_t stream) {
  std::vector<double> v(static_cast<size_t>(like.numel()));
  for (size_t i = 0; i < v.size(); ++i) {
    auto words = philox(stream, i);
    v[i] = (words[1] & 1 ? 1 : -1) * (0.5 + std::ldexp(words[0], -32));
  }
  return to(tensor(v, like.shape()), like.dtype());
}

// Older commits have no constructor that takes the op.
template <class S>
S samples_of(const OpDef& op) {
  if constexpr (std::is_constructible_v<S, const OpDef&>) {
    return S(op);
  } else {
    S samples;
    if (op.samples) op.samples(samples);
    return samples;
  }
}

class OpFacts {
 public:
  explicit OpFacts(const OpDef& op) : op_(op) {}

  void print() const {
    const Samples samples = samples_of<Samples>(op_);
    for (size_t s = 0; s < samples.calls.size(); ++s) {
      print_sample(samples.calls[s], "op/" + std::string(op_.name) + "/" + std::to_string(s), s);
    }
  }

 private:
  void print_sample(const Samples::Call& call, const std::string& where, size_t number) const {
    Xxhash64 inputs;
    for (const Tensor& t : call.in) add_tensor(inputs, t);
    print_fact(where + "/operands", inputs);
    bool any = std::any_of(call.in.begin(), call.in.end(), is_varied);
    if (!any) return print_call(call, DType::f64, false, where + "/own");
    for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
      std::string name = where + "/" + name_of(dtype);
      print_call(call, dtype, false, name);
      if (size_of(dtype) > 2) print_call(call, dtype, true, name + "/transposed");
    }
    if (number < 2) print_enlarged(call, where);
  }

  // An axis so long that drivers use several tiles and chunks, for every size of an axis in turn.
  void print_enlarged(const Samples::Call& call, const std::string& where) const {
    std::set<int64_t> sizes;
    for (const Tensor& t : call.in) {
      if (is_plain(t) && t.numel()) sizes.insert(t.shape().begin(), t.shape().end());
    }
    sizes.erase(1);
    for (int64_t size : sizes) {
      double factor = 1e9;
      for (const Tensor& t : call.in) {
        int times = 0;
        for (int k = 0; is_plain(t) && k < t.rank(); ++k) times += t.shape()[k] == size;
        double room =
            t.defined() ? static_cast<double>(kLarge) / static_cast<double>(t.numel()) : 1;
        if (times) factor = std::min(factor, std::pow(room, 1.0 / times));
      }
      if (factor < 2) continue;
      auto now = static_cast<int64_t>(static_cast<double>(size) * factor) | 1;
      Samples::Call large{{}, call.attrs};
      for (const Tensor& t : call.in) {
        large.in.push_back(enlarged(t, size, now, large.in.size() + 1));
      }
      std::string name = where + "/f32/large" + std::to_string(size);
      if (is_small_result(large, name)) print_call(large, DType::f32, false, name);
    }
  }

  // False, and a line, where the op refuses the call; false where results are larger still.
  bool is_small_result(const Samples::Call& call, const std::string& name) const {
    try {
      SmallVector<Meta, 4> results(op_.outputs.size());
      if (op_.infer) op_.infer(op_, call.attrs ? call.attrs->value : nullptr, call.in, results);
      for (const Meta& m : results) {
        if (numel(m.shape) > 2 * kLarge) return false;
      }
      return true;
    } catch (const Error& e) {
      print_refusal(name, e);
      return false;
    }
  }

  void print_call(const Samples::Call& call, DType dtype, bool turned,
                  const std::string& name) const {
    try {
      manual_seed(1);
      Tensors in;
      for (const Tensor& t : call.in) {
        Tensor x = is_varied(t) ? to(t, dtype) : t;
        in.push_back(!x.defined() ? x : turned ? transposed(x) : x.detach());
      }
      Tensors results = apply(op_, in, call.attrs);
      for (size_t k = 0; k < results.size(); ++k) {
        print_tensor(name + "/out" + std::to_string(k), results[k]);
      }
      print_gradients(in, call.attrs, dtype == DType::f64 && !turned, name);
    } catch (const Error& e) {
      print_refusal(name, e);
    }
  }

  void print_gradients(Tensors in, const Attrs& attrs, bool twice, const std::string& name) const {
    Tensors asked;
    std::vector<size_t> of;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!op_.differentiable() || !is_varied(in[i]) || !op_.args.of(i).differentiable) continue;
      in[i] = in[i].detach();
      in[i].set_requires_grad();
      asked.push_back(in[i]);
      of.push_back(i);
    }
    if (asked.empty()) return;
    Tensors first = gradients(apply(op_, in, attrs), asked, 1, twice);
    for (size_t i = 0; i < first.size(); ++i) {
      print_tensor(name + "/grad" + std::to_string(of[i]), first[i]);
    }
    if (!twice) return;
    Tensors second = gradients(first, asked, 11, false);
    for (size_t i = 0; i < second.size(); ++i) {
      print_tensor(name + "/second" + std::to_string(of[i]), second[i]);
    }
  }

  static Tensors gradients(const Tensors& results, const Tensors& by, uint64_t stream,
                           bool record) {
    Tensors outputs, cotangents;
    for (size_t k = 0; k < results.size(); ++k) {
      if (!results[k].defined() || !results[k].tracked()) continue;
      outputs.push_back(results[k]);
      cotangents.push_back(cotangent(results[k], stream + k));
    }
    if (outputs.empty()) return {};
    return grad(outputs, by, cotangents, {.create_graph = record, .allow_unused = true});
  }

  const OpDef& op_;
};

// ---- training runs ----

// Hashes of parameters and buffers after 1, 10 and 50 steps, and of the losses until then.
template <class Loss>
void train(const std::string& name, nn::Module& model, Optimizer& optimizer, Loss loss_of) {
  Xxhash64 losses;
  for (int step = 1; step <= kSteps; ++step) {
    Tensor loss = loss_of(step);
    add_tensor(losses, loss);
    loss.backward();
    optimizer.step({.clip = 1});
    optimizer.zero_grad();
    if (step != 1 && step != 10 && step != kSteps) continue;
    Xxhash64 state;
    for (const NamedTensor& t : model.state_dict()) add_tensor(state, t.tensor);
    std::string where = "train/" + name + "/step" + std::to_string(step);
    print_fact(where + "/parameters", state);
    print_fact(where + "/losses", losses);
  }
}

struct Mlp : nn::Module {
  nn::Linear up{20, 96}, middle{96, 96}, down{96, 10};
  Tensor operator()(const Tensor& x) const { return down(gelu(middle(relu(up(x))))); }
  void visit(nn::Visitor& visitor) override {
    visitor.module("up", up);
    visitor.module("middle", middle);
    visitor.module("down", down);
  }
};

struct Cnn : nn::Module {
  nn::Conv2d conv1{1, 8, 3}, conv2{8, 16, 3};
  nn::BatchNorm norm{16};
  nn::Linear out{16 * 12 * 12, 10};
  Tensor operator()(const Tensor& x) const {
    return out(flatten(norm(relu(conv2(relu(conv1(x))))), 1));
  }
  void visit(nn::Visitor& visitor) override {
    visitor.module("conv1", conv1);
    visitor.module("conv2", conv2);
    visitor.module("norm", norm);
    visitor.module("out", out);
  }
};

struct LstmClassifier : nn::Module {
  nn::Lstm lstm{{12, 48, 2}};
  nn::Linear out{48, 10};
  Tensor operator()(const Tensor& x) const { return out(mean(lstm(x).out, 0)); }
  void visit(nn::Visitor& visitor) override {
    visitor.module("lstm", lstm);
    visitor.module("out", out);
  }
};

Tensor labels(int64_t n, int64_t classes) { return randint(0, classes, {n}); }

void train_mlp(const std::string& name, DType dtype) {
  Mlp model;
  model.to(dtype);
  AdamW optimizer(model.parameters(), {.lr = 1e-2});
  Tensor x = to(randn({256, 20}), dtype), y = labels(256, 10);
  train(name, model, optimizer, [&](int) { return cross_entropy(model(x), y); });
}

void train_cnn(const std::string& name) {
  Cnn model;
  Sgd optimizer(model.parameters(), {.lr = 0.05, .momentum = 0.9});
  Tensor x = randn({32, 1, 16, 16}), y = labels(32, 10);
  train(name, model, optimizer, [&](int) { return cross_entropy(model(x), y); });
}

void train_lstm(const std::string& name) {
  LstmClassifier model;
  Lion optimizer(model.parameters(), {.lr = 1e-3});
  Tensor x = randn({16, 24, 12}), y = labels(24, 10);
  train(name, model, optimizer, [&](int) { return cross_entropy(model(x), y); });
}

// `options` in JSON, since both programs must compile: names are those of all versions.
void train_gpt(const std::string& name, const char* options, int64_t rows, double weight_decay) {
  const Json json = Json::parse(options);
  SizesOfGpt sizes;
  record_from_json(sizes, json);
  const int64_t vocab = sizes.vocab, block = json.at("block").as_integer();
  LanguageGpt model(sizes);
  AdamW optimizer(model.parameters(), {.lr = 1e-3, .beta2 = 0.99, .weight_decay = weight_decay});
  train(name, model, optimizer, [&](int) {
    Tensor tokens = to(randint(0, vocab, {rows, block}), DType::i32);
    Tensor targets = to(randint(0, vocab, {rows, block}), DType::i32);
    return model.loss(tokens, targets);
  });
}

// The preset chargpt with two layers in place of four, on random tokens.
void train_chargpt(const std::string& name) {
  train_gpt(name,
            R"({"vocab": 65, "block": 64, "layers": 2, "heads": 4, "width": 128, "bias": false,
                "activation": "gelu"})",
            12, 0.1);
}

// GPT-2 as it is, but small, with dropout.
void train_gpt2(const std::string& name) {
  train_gpt(name,
            R"({"vocab": 257, "block": 24, "layers": 2, "heads": 3, "width": 48, "dropout": 0.1})",
            4, 0.01);
}

struct TrainingRun {
  const char* name;
  void (*run)(const std::string& name);
};
constexpr TrainingRun kRuns[] = {
    {"mlp_adamw", [](const std::string& name) { train_mlp(name, DType::f32); }},
    {"mlp_adamw_bf16", [](const std::string& name) { train_mlp(name, DType::bf16); }},
    {"cnn_sgd_momentum", train_cnn},
    {"lstm_lion", train_lstm},
    {"chargpt_2_layers_adamw", train_chargpt},
    {"gpt2_tiny_adamw", train_gpt2},
};

}  // namespace

// bits [NAME]: groups, as op/softmax or train/lstm_lion, whose name contains NAME.
int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  auto is_wanted = [&](const std::string& name) { return name.find(wanted) != name.npos; };
  for (const OpDef* op : op_table().ops) {
    if (is_wanted("op/" + std::string(op->name))) OpFacts(*op).print();
  }
  for (const TrainingRun& training : kRuns) {
    if (!is_wanted(std::string("train/") + training.name)) continue;
    manual_seed(7);
    training.run(training.name);
  }
}
