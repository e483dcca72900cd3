#include "gyre/relation/fixpoint.h"
#include "gyre/relation/join/body_join.h"
#include "gyre/relation/join/body_plan.h"
#include "gyre/relation/join/cyclic_join.h"
#include "gyre/relation/storage/sort_tuples.h"

namespace gyre {
namespace {

void for_bindings(std::span<const Relation> relations, const NormalBody& body, FixpointMeter& meter,
                  BodyJoin::Sink sink) {
  if (body.never) return;
  if (CyclicJoin::fits(body, relations)) {
    CyclicJoin(body, relations, meter).run(sink);
    return;
  }
  IndexCache indexes(relations, meter);
  BodyJoin join(relations, indexes, meter);
  join.run(plan_body(body, -1, relations, indexes), body.out, {}, sink);
}

}  // namespace

std::vector<uint32_t> bindings(std::span<const Relation> relations, std::span<const Literal> body,
                               int variables, std::span<const uint32_t> wanted,
                               const FixpointOptions& options) {
  std::vector<Term> out;
  for (uint32_t variable : wanted) out.push_back({true, variable});
  FixpointMeter meter(options.limits, options.stop);
  const NormalBody normal = normal_body(relations, body, out, variables, "query");
  const auto width = static_cast<int>(wanted.size());
  RowTable found(width);
  for_bindings(relations, normal, meter, [&](const uint32_t* tuples, int64_t count) {
    if (meter.limits_bytes()) meter.check_bytes(found.bytes(), found.growth(count));
    meter.add_tuples(found.insert_all(tuples, count));
    return true;
  });
  std::vector<uint32_t> tuples(found.row(0), found.row(found.size()));
  sort_tuples(tuples, width);
  return tuples;
}

int64_t count_bindings(std::span<const Relation> relations, std::span<const Literal> body,
                       int variables, const FixpointOptions& options) {
  FixpointMeter meter(options.limits, options.stop);
  NormalBody normal = normal_body(relations, body, {}, variables, "query");
  std::vector<bool> listed(static_cast<size_t>(variables));
  bool repeats = false;  // a variable, or there is a constant
  for (const Literal& literal : normal.atoms) {
    for (const Term& term : literal.terms) {
      if (!term.variable || listed[term.value]) {
        repeats = true;
        continue;
      }
      listed[term.value] = true;
      normal.out.push_back(term);
    }
  }
  if (normal.atoms.size() == 1 && normal.checks.empty() && !normal.never && !repeats) {
    return relations[static_cast<size_t>(normal.atoms[0].relation)].size();
  }
  int64_t found = 0;
  for_bindings(relations, normal, meter, [&](const uint32_t*, int64_t count) {
    found += count;
    return true;
  });
  return found;
}

bool holds(std::span<const Relation> relations, std::span<const Literal> body, int variables,
           const FixpointOptions& options) {
  FixpointMeter meter(options.limits, options.stop);
  const NormalBody normal = normal_body(relations, body, {}, variables, "query");
  bool found = false;
  for_bindings(relations, normal, meter, [&](const uint32_t*, int64_t) {
    found = true;
    return false;
  });
  return found;
}

}  // namespace gyre
