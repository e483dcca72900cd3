#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/node.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/int8/int8_activations.h"
#include "gyre/packed/int8/int8_product.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_ops.h"

namespace gyre {
namespace {

constexpr Arg kArgs[] = {{"x"}, {.name = "w", .packed = true}};

void infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  infer_product(op, attrs_as<PackedAttrs>(attrs).format, true, in, out[0]);
  require_rings(op.name, in[1]);
}

size_t scratch(const void*, Inputs in) { return dense_bytes(layout_of(in[0]), DType::f32); }

Status kernel(const OpDef&, const KernelArgs& args) noexcept {
  const View& out = args.out[0];
  View x = args.in[0];
  std::byte* memory = args.scratch;
  if (const Status s = make_dense(x, DType::f32, memory); s.failed) return s;
  return run_or_report([&] {
    const PackedMatrix& w = packed_matrix(args.in[1]);
    multiply_transposed_int8(w, reinterpret_cast<const float*>(x.data),
                             numel(out.shape) / w.layout.rows, reinterpret_cast<float*>(out.data));
  });
}

void samples(Samples& s) {
  s.add({s.uniform({3, 20}), packed_uniform(s, {5, 20}, "D4")});
  s.add({s.uniform({70}), packed_uniform(s, {18, 70}, "T4")}, box(PackedAttrs{OperandFormat::T4}));
  s.add({s.uniform({2, 4, 30}), packed_uniform(s, {70, 30}, "D3")});
  s.add({s.uniform({1, 300}), packed_uniform(s, {9, 300}, "D2")});
  s.add({s.uniform({0, 12}), packed_uniform(s, {3, 12}, "T2")});
  s.add({s.uniform({7, 33}), packed_uniform(s, {2, 33}, "D1")});
  s.refuse(Code::shape, {s.uniform({3, 19}), packed_uniform(s, {5, 20}, "D4")});
  s.refuse(Code::value, {s.uniform({3, 20}), packed_uniform(s, {5, 20}, "D4")},
           box(PackedAttrs{OperandFormat::T4}));
  s.refuse(Code::unsupported, {s.uniform({3, 20}), s.uniform({5, 20})});
  s.refuse(Code::unsupported, {s.uniform({3, 20}), packed_uniform(s, {5, 20}, "int8")});
}

thread_local bool int8_wanted = false;
thread_local int64_t products = 0;

}  // namespace

extern constinit const OpDef packed_matmul_int8_def{
    .name = "packed_matmul_int8",
    .doc = "x w^T for packed w, with x rounded to 8 bits; has no gradient",
    .args = kArgs,
    .attrs = &record_of<PackedAttrs>,
    .infer = infer,
    .kernels = {kernel, "words are decoded on the host only"},
    .scratch = scratch,
    .samples = samples,
    .ulp = 16,
    .is_discrete = true};

Tensor packed_matmul_int8(const Tensor& x, const Tensor& w) {
  ++products;
  const Tensor y = apply_one(packed_matmul_int8_def, {x, w}, box(PackedAttrs{operand_format(w)}));
  return size_of(x.dtype()) == 2 && is_floating(x.dtype()) ? to(y, x.dtype()) : y;
}

bool int8_activations() noexcept { return int8_wanted; }
void set_int8_activations(bool wanted) noexcept { int8_wanted = wanted; }

bool takes_int8(FunctionRef<void()> call) {
  const NoGrad off;
  const Int8Activations scope;
  const int64_t before = products;
  call();
  return products > before;
}

}  // namespace gyre
