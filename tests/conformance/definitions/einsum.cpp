#include "tests/einsum_by_loops.h"

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

const Definitions kEinsum({
    {"einsum",
     [](const Call& call, const std::vector<Dense>& in) {
       std::string spec;
       for (char c : attribute<std::string>(call, "spec", "")) {
         if (c != ' ') spec += c;
       }
       std::vector<Shape> shapes;
       std::vector<Values> operands;
       for (const Dense& d : in) {
         shapes.push_back(d.shape);
         operands.push_back(d.v);
       }
       return std::vector<Values>{EinsumByLoops(spec, shapes, operands).values};
     }},
});

}  // namespace
}  // namespace gyre::conformance
