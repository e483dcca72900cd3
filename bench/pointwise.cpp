#include "bench/into_output.h"
#include "bench/work.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::bench {
namespace {

constexpr int64_t kPoints = int64_t{1} << 24;

template <Tensor (*op)(const Tensor&)>
Ready fresh(const Work&, const Settings&) {
  return {[x = randn({kPoints})] {
    NoGrad off;
    Tensor y = op(x);
  }};
}

Ready into(const char* op) { return {into_output(op, {randn({kPoints})}, empty(Shape{kPoints}))}; }
Ready copy_into(const Work&, const Settings&) { return into("clone"); }
Ready exp_into(const Work&, const Settings&) { return into("exp"); }
Ready tanh_into(const Work&, const Settings&) { return into("tanh"); }
Ready gelu_into(const Work&, const Settings&) { return into("gelu_tanh"); }

constexpr Work work(const char* name, const char* definition,
                    Ready (*prepare)(const Work&, const Settings&)) {
  return {name, "us", definition, prepare, {}, Limit::copy, 8.0 * kPoints, kPoints};
}

constexpr Work kPointwiseWorks[] = {
    work("point_copy", "16 Mi elements copied into a given output", copy_into),
    work("point_exp", "e^x of 16 Mi elements, output allocated", fresh<exp>),
    work("point_exp_into", "e^x of 16 Mi elements into a given output", exp_into),
    work("point_tanh", "tanh of 16 Mi elements, output allocated", fresh<tanh>),
    work("point_tanh_into", "tanh of 16 Mi elements into a given output", tanh_into),
    work("point_gelu", "gelu (tanh form) of 16 Mi elements, output allocated", fresh<gelu_tanh>),
    work("point_gelu_into", "gelu (tanh form) of 16 Mi elements into a given output", gelu_into),
};

}  // namespace

std::span<const Work> pointwise_works() { return kPointwiseWorks; }

}  // namespace gyre::bench
