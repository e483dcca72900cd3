#include "tests/conformance/far/far.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/kernel/overflow.h"
#include "gyre/nn/linear.h"
#include "gyre/op/apply.h"
#include "gyre/op/call_observer.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/ema.h"
#include "gyre/registry/optimizer_table.h"
#include "tests/conformance/op_test.h"
#include "tests/thrown.h"

// Every op on a device whose memory the host cannot touch: plans are made without reading an
// element, and runs give the bits of the CPU.

namespace gyre {
extern const OpDef add_def;
}

namespace gyre::conformance {
namespace {

// The reason of a call on the CPU for not running on another device: that of the first host-only op
// in it.
class HostOnly final : public CallObserver {
 public:
  [[nodiscard]] const char* why() const { return why_; }

 private:
  void begin(const ObservedCall& call) override {
    if (!why_) why_ = call.op.kernels.host_only;
  }
  void call(const ObservedCall&) override {}
  const char* why_ = nullptr;
  ThreadObserver scope_{*this};
};

// Runs `near`, then `far`, which is refused for the reason that `near` shows, if any.
template <class N, class F>
void on_far(const std::string& where, N near, F far) {
  const char* why = nullptr;
  {
    HostOnly seen;
    near();
    why = seen.why();
  }
  if (!why) return far();
  try {
    far();
    ADD_FAILURE() << where << " is not refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::unavailable) << where << ": " << e.what();
    for (const char* part : {"no kernel for cuda:0", why}) {
      EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos)
          << where << ": " << e.what();
    }
  }
}

Tensors far_operands(const Tensors& in) {
  Tensors there;
  for (const Tensor& t : in) there.push_back(t.defined() && !t.meta().weak ? to_far(t) : t);
  return there;
}

void expect_same(const Tensors& got, const Tensors& wanted, const std::string& where) {
  ASSERT_EQ(got.size(), wanted.size()) << where;
  for (size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(got[k].defined(), wanted[k].defined()) << where;
    if (!got[k].defined()) continue;
    EXPECT_EQ(got[k].device(), FarDevice::kDevice) << where;
    EXPECT_TRUE(same_bits(to_near(got[k]), to_near(wanted[k]))) << where << " result " << k;
  }
}

class Far : public OpTest {
 protected:
  // Packed weights are in host memory: calls with them, or for them, are refused.
  bool needs_host() const {
    return gives_packed(op()) || std::ranges::any_of(op().args, &Arg::packed);
  }
  void expect_refused(const Call& call, const std::string& where) const {
    Tensors in = call.in;
    if (std::ranges::none_of(in, is_plain)) return;
    for (Tensor& t : in) t = is_plain(t) ? to_far(t) : t;
    const Code code = code_of([&] { (void)apply(op(), in, call.attrs); });
    EXPECT_STREQ(code_name(code), "device") << where;
  }
  void run(const Call& call, const Tensors& in, const std::string& where) {
    Tensors wanted;
    on_far(
        where, [&] { wanted = apply(op(), in, call.attrs); },
        [&] { expect_same(apply(op(), far_operands(in), call.attrs), wanted, where); });
  }

  // Gradients of a weighted sum of the results by the operands that are not constant.
  Tensors gradients(const Call& call, const Tensors& in, bool far) {
    Tensors at = far ? far_operands(in) : in, smooth, results, cotangents;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!in[i].defined() || in[i].meta().weak || !is_smooth(op(), call.in, i)) continue;
      at[i] = at[i].detach().set_requires_grad();
      smooth.push_back(at[i]);
    }
    for (const Tensor& y : apply(op(), at, call.attrs)) {
      if (!y.tracked()) continue;
      Tensor weights = lay_out(weights_for(y), y.dtype(), Order::plain);
      results.push_back(y);
      cotangents.push_back(far ? to_far(weights) : weights);
    }
    if (!results.empty()) backward(results, cotangents);
    Tensors found;
    for (const Tensor& x : smooth) found.push_back(x.grad());
    return found;
  }
};

TEST_P(Far, PlansReadNothingAndRunsGiveTheSameBits) {
  FarDevice device;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    if (call.in.empty()) continue;
    if (needs_host()) {
      expect_refused(call, place(op(), s, "far"));
      continue;
    }
    for (DType dtype : {DType::f32, DType::bf16}) {
      for (Order order : {Order::plain, Order::stepped}) {
        run(call, operands(call, dtype, order),
            place(op(), s, std::string("far ") + name_of(order)));
      }
    }
    try {
      run(call, whole_numbers(call, DType::i64), place(op(), s, "far i64"));
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::dtype) << e.what();  // an op of floats
    }
    for (const Call& big : enlarged(op(), call, 3000)) {
      run(big, operands(big, DType::f32, Order::plain), place(op(), s, "far large"));
    }
  }
}

TEST_P(Far, GradientsReadNothingAndHaveTheSameBits) {
  if (!op().differentiable() || needs_host()) return;
  FarDevice device;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    std::string where = place(op(), s, "far gradient");
    for (DType dtype : {DType::f64, DType::bf16}) {
      Tensors in = operands(call, dtype, Order::plain), wanted;
      on_far(
          where, [&] { wanted = gradients(call, in, false); },
          [&] { expect_same(gradients(call, in, true), wanted, where); });
    }
  }
}

GYRE_FOR_EVERY_OP(Far);

// Parameters after three steps with gradients of the third having a large norm, and their averages.
std::vector<Tensor> trained(const OptimizerDef& def, DType dtype, bool far) {
  std::vector<Tensor> parameters, all;
  std::vector<NamedTensor> named;
  for (int64_t size : {7, 20000, 1}) {
    Tensor p = lay_out(weights_for(empty(Shape{size}, dtype)), dtype, Order::plain);
    parameters.push_back((far ? to_far(p) : p).set_requires_grad());
    named.push_back({std::to_string(size), parameters.back()});
  }
  auto optimizer = make_optimizer(optimizer_table(), def.name, Json::object(), parameters);
  Ema ema(named, {.decay = 0.5});
  for (double scale : {1.0, -0.25, 1e4}) {
    for (const Tensor& p : parameters) {
      Values values(static_cast<size_t>(p.numel()), scale);
      Tensor g = lay_out(values, p.shape(), dtype);
      p.impl()->grad = (far ? to_far(g) : g).ref();
    }
    optimizer->step({.clip = 1000});
    ema.update();
  }
  for (const Tensor& p : parameters) all.push_back(p);
  for (const NamedTensor& t : optimizer->state_dict()) all.push_back(t.tensor);
  for (const NamedTensor& t : ema.state_dict()) all.push_back(t.tensor);
  return all;
}

TEST(FarDevice, OptimizersAndAveragesTakeTheSameSteps) {
  FarDevice device;
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    for (DType dtype : {DType::f32, DType::bf16}) {
      std::vector<Tensor> near = trained(*def, dtype, false), far = trained(*def, dtype, true);
      ASSERT_EQ(near.size(), far.size());
      for (size_t i = 0; i < near.size(); ++i) {
        EXPECT_TRUE(same_bits(to_near(far[i]), to_near(near[i]))) << def->name << " " << i;
      }
    }
  }
}

// A number of the program is on no device, whichever operand it is.
TEST(FarDevice, NumbersMayBeAnyOperand) {
  FarDevice device;
  const auto check = [](auto f) {
    Tensor near = tensor({0.5, 0.25, 0.125}).set_requires_grad();
    Tensor far = to_far(near).set_requires_grad();
    for (const Tensor& x : {near, far}) {
      const Tensor y = sum(f(x));
      backward({&y, 1});
    }
    EXPECT_TRUE(same_bits(to_near(far.grad()), near.grad()));
  };
  check([](const Tensor& x) { return 2.0 * x; });
  check([](const Tensor& x) { return pow(Tensor(2.0), x); });
  check([](const Tensor& x) { return cosine_similarity(Tensor(1.0), x); });
  check([](const Tensor& x) { return cosine_similarity(x, Tensor(1.0)); });
  check([](const Tensor& x) { return poincare_dist(Tensor(0.1), x, 1.0); });
  check([](const Tensor& x) { return where(x > Tensor(0.2), Tensor(1.0), x); });
}

TEST(FarDevice, InPlaceOpsWriteThere) {
  FarDevice device;
  Tensor x = to_far(ones({3})), y = to_far(full({3}, 4));
  apply_in_place(add_def, Inputs(std::array{x, y}));
  copy_(y, x);
  copy_(y, to_near(x));
  fill_(x, 2);
  index_copy_(y, to_far(tensor({1}, {.dtype = DType::i64})), to_far(full({1}, 7)));
  EXPECT_EQ(to_vector<float>(x), (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(to_vector<float>(y), (std::vector<float>{5, 7, 5}));
}

TEST(FarDevice, TensorsAreMadeThere) {
  FarDevice device;
  const TensorOptions there{.device = FarDevice::kDevice};
  Generator a{3, 0}, b{3, 0};
  EXPECT_EQ(to_vector<float>(arange(0, 3, 1, there)), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(to_vector<float>(eye(2, 2, there)), (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(to_vector<float>(rand({3}, {.device = FarDevice::kDevice, .generator = &a})),
            to_vector<float>(rand({3}, {.generator = &b})));
}

// The default device for the lifetime of this object.
struct DefaultDevice {
  explicit DefaultDevice(Device d) { set_default_device(d); }
  ~DefaultDevice() { set_default_device({}); }
};

TEST(FarDevice, ParametersAreMadeOnTheDefaultDevice) {
  FarDevice device;
  EXPECT_EQ(Device::best(), FarDevice::kDevice);
  ASSERT_EQ(available_devices().size(), 2u);
  EXPECT_EQ(available_devices()[1], FarDevice::kDevice);
  Generator a{3, 0}, b{3, 0};
  nn::Linear near(LinearOptions{4, 3}, &a);
  Tensor x = lay_out(weights_for(empty(Shape{2, 4})), DType::f32, Order::plain);
  DefaultDevice scope(device_of("best"));
  nn::Linear far(LinearOptions{4, 3}, &b);
  EXPECT_EQ(far.weight.device(), FarDevice::kDevice);
  EXPECT_TRUE(same_bits(to_near(far(to_far(x))), near(x)));
}

TEST(FarDevice, CopiesAreDifferentiable) {
  FarDevice device;
  Tensor x = full({2}, 3).set_requires_grad();
  Tensor y = on_device(x, FarDevice::kDevice);
  EXPECT_EQ(y.device(), FarDevice::kDevice);
  EXPECT_EQ(on_device(y, FarDevice::kDevice).impl(), y.impl());
  on_device(sum(y * y), {}).backward();
  EXPECT_EQ(x.grad().device(), Device{});
  EXPECT_EQ(to_vector<float>(x.grad()), (std::vector<float>{6, 6}));
}

TEST(FarDevice, FilesAreWrittenAndReadThere) {
  FarDevice device;
  const std::string path = testing::TempDir() + "far.safetensors";
  nn::Linear near(LinearOptions{4, 3});
  DefaultDevice scope(FarDevice::kDevice);
  nn::Linear far(LinearOptions{4, 3}), other(LinearOptions{4, 3});
  far.load_state_dict(near.state_dict());
  std::vector<NamedTensor> state = far.state_dict();
  state.push_back({"turned", transpose(far.weight.detach(), 0, 1)});  // not contiguous
  write_safetensors(path, state);
  SafetensorsFile file(path);
  EXPECT_TRUE(same_bits(file.load("weight"), near.weight));
  EXPECT_TRUE(same_bits(file.load("turned"), contiguous(transpose(near.weight, 0, 1))));
  for (bool lend : {false, true}) {
    state = file.load_all();
    std::erase_if(state, [](const NamedTensor& t) { return t.name == "turned"; });
    lend ? other.lend_state(state) : (void)other.load_state_dict(state);
    EXPECT_EQ(other.weight.device(), FarDevice::kDevice);
    EXPECT_TRUE(same_bits(to_near(other.weight), near.weight)) << lend;
  }
  try {
    (void)far.bias.data<float>();
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::device);
    EXPECT_NE(std::string_view(e.what()).find("cuda:0; copy it there with .to(\"cpu\")"),
              std::string_view::npos)
        << e.what();
  }
}

TEST(FarDevice, TheHostReadsTheCountOfAMaskAndNothingElse) {
  FarDevice device;
  Tensor x = lay_out(weights_for(empty(Shape{300, 400})), DType::f32, Order::plain);
  Tensor far = to_far(x), mask = x > Tensor(0.5), far_mask = far > Tensor(0.5);
  FarCounts before = far_counts();
  Tensor found = index(far, {far_mask});
  EXPECT_EQ(far_counts().downloads, before.downloads + 1);
  EXPECT_EQ(far_counts().uploads, before.uploads);
  EXPECT_TRUE(same_bits(to_near(found), index(x, {mask})));
}

TEST(FarDevice, OperandsOnTwoDevicesAreNamed) {
  FarDevice device;
  try {
    (void)(ones({2}) + to_far(ones({2})));
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::device);
    EXPECT_NE(std::string_view(e.what()).find("cpu and cuda:0"), std::string_view::npos)
        << e.what();
  }
}

TEST(FarDevice, OverflowsAreFoundThere) {
  FarDevice device;
  const Tensor x = to_far(tensor({{1.0, 2.0}, {70000.0, 3.0}}));
  const OverflowScope scope(OverflowMode::error);
  const std::string why = message_of(Code::numeric, [&] { to(transpose(x, 0, 1), DType::f16); });
  EXPECT_NE(why.find("at [0, 1] of f16[2, 2] from 70000"), why.npos) << why;
}

TEST(FarDevice, MemoryIsReturnedAndCopiesAreCounted) {
  FarDevice device;
  FarCounts before = far_counts();
  {
    Tensor x = to_far(Tensor(2.0));
    EXPECT_EQ(x.item(), 2);
    EXPECT_EQ(to_near(x).item(), 2);
    EXPECT_GT(far_counts().live, before.live);
  }
  FarCounts after = far_counts();
  EXPECT_EQ(after.live, before.live);
  EXPECT_EQ(after.uploads, before.uploads + 1);
  EXPECT_EQ(after.downloads, before.downloads + 2);
}

TEST(FarDevice, IsRefusedWhenThereIsNone) {
  EXPECT_THROW(empty(Shape{2}, DType::f32, FarDevice::kDevice), Error);
  FarDevice device;
  try {
    empty(Shape{2}, DType::f32, {Device::cuda, 7});
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::unavailable);
    EXPECT_NE(std::string_view(e.what()).find("cuda:7"), std::string_view::npos) << e.what();
  }
}

}  // namespace
}  // namespace gyre::conformance
