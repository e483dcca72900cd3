#include "gyre/packed/ops/riemannian_op.h"

#include <array>
#include <utility>

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/packed/training/riemannian_step.h"

namespace gyre {
namespace {

constexpr Arg kPointArgs[] = {{.name = "points", .differentiable = false},
                              {.name = "gradient", .differentiable = false},
                              {.name = "m", .differentiable = false},
                              {.name = "v", .differentiable = false}};
constexpr const char* kPointOutputs[] = {"points", "m", "v"};

DType dtype_of_all(Inputs in) {
  DType dtype = DType::f32;
  for (const Tensor& t : in) dtype = promote(dtype, t.dtype());
  return dtype;
}

void riemannian_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  for (size_t i = 0; i < in.size(); ++i) {
    const char* name = kPointArgs[i].name;
    if (!is_floating(in[i].dtype())) {
      refuse(Code::dtype, op, {"expected floating ", name, ", got ", in[i].dtype()},
             "a floating dtype", in[i].dtype());
    }
    const Shape& shape = in[i].shape();
    if (shape.rank != 2 || shape[1] != 2 || !(shape == in[0].shape())) {
      refuse(Code::shape, op, {name, " has shape ", shape, ", expected one shape [groups, 2]"},
             "[groups, 2]", shape);
    }
  }
  for (Meta& meta : out) {
    meta.shape = in[0].shape();
    meta.dtype = dtype_of_all(in);
  }
}

size_t riemannian_scratch(const void*, Inputs in) {
  return dense_bytes(layout_of(in[1]), dtype_of_all(in));
}

template <class T>
std::span<T> elements(const View& v) {
  return {reinterpret_cast<T*>(v.data), static_cast<size_t>(numel(v.shape))};
}

Status riemannian_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<RiemannianStepAttrs>(args.attrs);
  View gradient = args.in[1];
  std::byte* memory = args.scratch;
  const DType dtype = args.out[0].dtype;
  if (const Status s = make_dense(gradient, dtype, memory); s.failed) return s;
  for (const auto& [from, to] : {std::pair{0, 0}, {2, 1}, {3, 2}}) {
    const Status s =
        copy_elements(args.in[static_cast<size_t>(from)], args.out[static_cast<size_t>(to)]);
    if (s.failed) return s;
  }
  const auto run = [&]<class T>(T) {
    riemannian_step({a.lr, a.beta1, a.beta2, a.eps, a.step}, elements<const T>(gradient), a.turns,
                    elements<T>(args.out[0]), elements<T>(args.out[1]), elements<T>(args.out[2]));
  };
  dtype == DType::f64 ? run(double()) : run(float());
  return {};
}

void riemannian_samples(Samples& s) {
  const auto add = [&](const Tensor& points, const RiemannianStepAttrs& attrs) {
    const Shape& shape = points.shape();
    s.add({points, s.uniform(shape), s.uniform(shape, -0.1, 0.1), s.uniform(shape, 0.1, 0.2)},
          box(attrs));
  };
  add(s.uniform({5, 2}, 0.5, 1.5), {.lr = 0.01});
  add(s.uniform({3, 2}, 0.5, 1.5), {.lr = 0.1, .beta1 = 0.5, .beta2 = 0.9, .step = 20});
  add(s.uniform({4, 2}, 0.5, 1.5), {.lr = 0.02, .step = 3, .turns = false});
  add(s.uniform({0, 2}), {});
  const Tensor one = s.uniform({3, 2}, 0.5, 1);
  s.refuse(Code::shape, {one, one, s.uniform({2, 2}), one});
  s.refuse(Code::shape, {s.uniform({6}), s.uniform({6}), s.uniform({6}), s.uniform({6})});
  s.refuse(Code::dtype, {one, s.integers({3, 2}, 0, 9), one, one});
}

}  // namespace

extern constinit const OpDef packed_riemannian_step_def{
    .name = "packed_riemannian_step",
    .doc = "step of Adam for scales and angles of packed weights, points of the hyperbolic plane",
    .args = kPointArgs,
    .outputs = kPointOutputs,
    .visible = 3,
    .attrs = &record_of<RiemannianStepAttrs>,
    .infer = riemannian_infer,
    .kernels = {riemannian_kernel, "its few numbers are computed on the host only"},
    .scratch = riemannian_scratch,
    .samples = riemannian_samples,
    .ulp = 16,
    .is_discrete = true};

Tensors packed_riemannian_step(const Tensor& points, const Tensor& gradient, const Tensor& m,
                               const Tensor& v, const RiemannianStepAttrs& attrs) {
  return apply(packed_riemannian_step_def, Inputs(std::array{points, gradient, m, v}), box(attrs));
}

}  // namespace gyre
