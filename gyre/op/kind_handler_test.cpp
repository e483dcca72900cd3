#include "gyre/op/kind_handler.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "gyre/autograd/vmap.h"
#include "gyre/io/npy.h"
#include "gyre/io/safetensors.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/tensor/dlpack.h"
#include "gyre/tensor/kind.h"
#include "tests/thrown.h"

namespace gyre {

extern const OpDef add_def, exp_def;

namespace {

// A kind of eight words that has no handler.
constexpr TensorKind kWords = TensorKind{kMaxTensorKinds - 2};

struct WordStorage final : KindStorage {
  explicit WordStorage(uint64_t* words) : KindStorage(words, 64, {}) {}
  const char* description() const noexcept override { return "a tensor of words"; }
  Ref<Storage> detached() override { return Ref<Storage>(this); }
};

struct Words {
  std::vector<uint64_t> words = std::vector<uint64_t>(8, 7);
  Tensor tensor = make(kWords);
  Tensor make(TensorKind kind) {
    Meta meta;
    meta.shape = {1024, 1024};
    return make_of_kind(kind, meta, make_ref<WordStorage>(words.data()));
  }
};

template <class F>
void expect_unsupported(F f, const std::string& message) {
  try {
    f();
    ADD_FAILURE() << "no error; expected " << message;
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::unsupported) << e.what();
    EXPECT_EQ(std::string(e.what()).substr(0, message.size()), message);
  }
}

TEST(KindHandler, OpsOfAKindWithoutOneAreUnsupported) {
  Words w;
  expect_unsupported([&] { exp(w.tensor); }, "exp: expected a plain tensor, got a tensor of words");
  expect_unsupported([&] { add(Tensor(1.0), w.tensor); }, "add: expected a plain tensor");
}

TEST(KindHandler, NothingReadsOrWritesTheBytes) {
  Words w;
  Tensor plain = zeros({1024, 1024});
  expect_unsupported([&] { view_of(w.tensor); },
                     "Tensor: expected a plain tensor on the host, got "
                     "a tensor of words");
  expect_unsupported([&] { w.tensor.bytes(); }, "Tensor: expected a plain tensor on the host");
  expect_unsupported([&] { copy_(w.tensor, plain); },
                     "copy_: expected a plain tensor, got a tensor of words");
  expect_unsupported([&] { copy_(plain, w.tensor); }, "copy_: expected a plain tensor");
  expect_unsupported([&] { fill_(w.tensor, 1); }, "fill_: expected a plain tensor");
  expect_unsupported([&] { Tensor(w.tensor) *= 2.0; }, "mul: expected a plain tensor");
  expect_unsupported([&] { make_view(w.tensor, {2}, {1}, 0); }, "make_view: expected a plain");
  EXPECT_EQ(w.words, std::vector<uint64_t>(8, 7));
  EXPECT_EQ(layout_of(w.tensor).data, nullptr);
  EXPECT_EQ(layout_of(w.tensor).shape, (Shape{1024, 1024}));
}

TEST(KindHandler, KernelsAndOptimisersRefuseAKindWithoutAChange) {
  Words w;
  Tensor plain = ones({1024, 1024}), out = empty({1024, 1024}, DType::f32);
  const Tensor in[] = {plain, w.tensor};
  expect_unsupported(
      [&] {
        write(add_def, in, {&out, 1});
      },
      "add: expected a plain tensor, got a tensor of words");
  expect_unsupported(
      [&] {
        write(exp_def, {&plain, 1}, {&w.tensor, 1});
      },
      "exp: expected a plain tensor, got a tensor of words");
  expect_unsupported([&] { AdamW(std::vector<Tensor>{w.tensor}); },
                     "adamw: parameter 0 is a tensor of words");
  Tensor p = empty({1024, 1024}, DType::f32).set_requires_grad();
  AdamW optimizer(std::vector<Tensor>{p});
  p.impl()->grad = w.tensor.ref();
  expect_unsupported([&] { optimizer.step(); }, "adamw: expected a plain tensor, got");
  EXPECT_EQ(optimizer.state_dict().size(), 1u);
  EXPECT_EQ(w.words, std::vector<uint64_t>(8, 7));
}

TEST(KindHandler, KindsHaveANumberInRangeAndOneHandler) {
  Words w;
  auto one = [](const KindCall&) -> Tensors { return {}; };
  auto other = [](const KindCall&) -> Tensors { return {Tensor()}; };
  constexpr TensorKind kOwn = TensorKind{kMaxTensorKinds - 3};
  set_kind_handler(kOwn, one);
  set_kind_handler(kOwn, one);
  for (auto set : {+[](KindHandler h) { set_kind_handler(kOwn, h); },
                   +[](KindHandler h) { set_kind_handler(TensorKind::plain, h); },
                   +[](KindHandler h) { set_kind_handler(TensorKind{kMaxTensorKinds}, h); }}) {
    EXPECT_EQ(code_of([&] { set(other); }), Code::value);
  }
  for (TensorKind kind : {TensorKind::plain, TensorKind{kMaxTensorKinds}}) {
    EXPECT_EQ(code_of([&] { w.make(kind); }), Code::value);
  }
}

TEST(KindHandler, DlpackExportRefusesAKindAndLeavesNothing) {
  int64_t before = live_tensors();
  {
    Words w;
    std::string message = "to_dlpack: expected a plain tensor on the host, got a tensor of words";
    expect_unsupported([&] { to_dlpack(w.tensor); }, message);
    expect_unsupported([&] { to_dlpack_versioned(w.tensor); }, message);
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(KindHandler, SaversRefuseAKindAndWriteNothing) {
  Words w;
  std::string file = ::testing::TempDir() + "kind.safetensors",
              npy = ::testing::TempDir() + "k.npy";
  NamedTensor named{"w", w.tensor};
  expect_unsupported(
      [&] {
        write_safetensors(file, {&named, 1});
      },
      "write_safetensors: tensor \"w\": expected a plain tensor on the host, got a "
      "tensor of words");
  expect_unsupported([&] { write_npy(npy, w.tensor); },
                     "write_npy: expected a plain tensor, got a tensor of words");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(std::filesystem::exists(npy));
}

// The sum of the first i64 of all operands that are given; the last argument takes packed tensors.
OpDef sum_of_first_words(std::span<const Arg> args) {
  static constexpr const char* kOut[] = {"out"};
  OpDef op;
  op.name = "first_word";
  op.args = args;
  op.outputs = kOut;
  op.infer = [](const OpDef&, const void*, Inputs, std::span<Meta> out) {
    out[0].dtype = DType::i64;
  };
  op.kernels[Device::cpu] = [](const OpDef&, const KernelArgs& a) noexcept -> Status {
    int64_t sum = 0;
    for (const View& v : a.in) {
      if (v.data) sum += *reinterpret_cast<const int64_t*>(v.data);
    }
    *reinterpret_cast<int64_t*>(a.out[0].data) = sum;
    return {};
  };
  return op;
}

TEST(KindHandler, AnOpThatTakesPackedTensorsGetsAViewOfTheirWords) {
  static constexpr Arg kArgs[] = {{.name = "x", .packed = true}};
  OpDef op = sum_of_first_words(kArgs);
  Words w;
  Tensor packed = w.make(TensorKind::packed);
  EXPECT_EQ(apply_one(op, {packed}).item(), 7);
  expect_unsupported([&] { exp(packed); }, "exp: expected a plain tensor, got a tensor of words");
}

TEST(KindHandler, OptionalAndVariadicArgumentsMayTakePackedTensors) {
  static constexpr Arg kOptional[] = {{"x"}, {.name = "w", .optional = true, .packed = true}};
  static constexpr Arg kVariadic[] = {{"x"}, {.name = "w", .variadic = true, .packed = true}};
  OpDef optional = sum_of_first_words(kOptional), variadic = sum_of_first_words(kVariadic);
  Words w;
  Tensor one(1), packed = w.make(TensorKind::packed);
  EXPECT_EQ(apply_one(optional, {one}).item(), 1);
  EXPECT_EQ(apply_one(optional, {one, Tensor()}).item(), 1);
  EXPECT_EQ(apply_one(optional, {one, packed}).item(), 8);
  EXPECT_EQ(apply_one(variadic, {one}).item(), 1);
  EXPECT_EQ(apply_one(variadic, {one, packed, one, packed}).item(), 16);
  for (const OpDef* op : {&optional, &variadic}) {
    expect_unsupported(
        [&] {
          apply_one(*op, {packed, packed});
        },
        "first_word: expected a plain tensor, got a tensor of words");
    expect_unsupported(
        [&] {
          apply_one(*op, {one, w.tensor});
        },
        "first_word: expected a plain tensor, got a tensor of words");
  }
}

TEST(KindHandler, VmapKeepsAPackedArgumentWhole) {
  static constexpr Arg kArgs[] = {{"x"}, {.name = "w", .packed = true}};
  OpDef op = sum_of_first_words(kArgs);
  Words w;
  Tensor rows = arange(0, 3, 1, {.dtype = DType::i64}), packed = w.make(TensorKind::packed);
  auto over_rows = [&](auto f) {
    return vmap([&](Inputs in) -> Tensors { return {f(in[0])}; }, {&rows, 1}, {})[0];
  };
  Tensor y = over_rows([&](const Tensor& x) { return apply_one(op, {x, packed}); });
  EXPECT_EQ(to_vector<int64_t>(y), (std::vector<int64_t>{7, 8, 9}));
  // Where the op does not take it, packed is the higher kind, and decides.
  expect_unsupported([&] { over_rows([&](const Tensor& x) { return add(x, packed); }); },
                     "add: expected a plain tensor, got a tensor of words");
}

TEST(KindHandler, DetachedTensorsKeepTheirKind) {
  Words w;
  EXPECT_EQ(w.tensor.detach().kind(), kWords);
  EXPECT_EQ(describe_kind(w.tensor.detach()), "a tensor of words");
  EXPECT_EQ(describe_kind(Tensor(1.0)), "a plain tensor");
}

}  // namespace
}  // namespace gyre
