#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

Definition over_axes(Fold f) {
  return [f](const Call& call, const std::vector<Dense>& in) {
    return std::vector<Values>{folded(f, in[0], attribute(call, "axes", Shape()))};
  };
}

const Definitions kReduce({
    {"sum", over_axes(total)},
    {"mean", over_axes([](const Values& x) { return total(x) / static_cast<double>(x.size()); })},
    {"max", over_axes([](const Values& x) { return x[best(x, 1)]; })},
    {"min", over_axes([](const Values& x) { return x[best(x, -1)]; })},
    {"argmax", over_axes([](const Values& x) { return static_cast<double>(best(x, 1)); })},
    {"argmin", over_axes([](const Values& x) { return static_cast<double>(best(x, -1)); })},
});

}  // namespace
}  // namespace gyre::conformance
