#include "gyre/relation/body_search.h"

#include <algorithm>

#include "gyre/relation/join/body_plan.h"
#include "gyre/relation/join/normal_body.h"
#include "gyre/relation/storage/sort_tuples.h"

namespace gyre {

BodySearch::BodySearch(std::span<const Relation> relations, const FixpointOptions& options)
    : relations_(relations),
      meter_(options.limits, options.stop),
      indexes_(relations, meter_),
      join_(relations, indexes_, meter_) {}

void BodySearch::for_bindings(std::span<const Literal> body, int variables,
                              std::span<const Term> out, const Rows& among, BodyJoin::Sink sink) {
  const NormalBody normal = normal_body(relations_, body, out, variables, "query");
  if (normal.never) return;
  const auto atom =
      std::count_if(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(among.literal),
                    [](const Literal& literal) { return literal.kind == Literal::positive; });
  const RowTable& rows = relations_[static_cast<size_t>(body[among.literal].relation)].rows();
  join_.run(plan_body(normal, static_cast<int>(atom), relations_, indexes_), normal.out,
            {{&rows, among.begin, among.end}}, sink);
}

void BodySearch::for_bindings(std::span<const Literal> body, int variables,
                              std::span<const Term> out, BodyJoin::Sink sink) {
  const NormalBody normal = normal_body(relations_, body, out, variables, "query");
  if (normal.never) return;
  join_.run(plan_body(normal, -1, relations_, indexes_), normal.out, {}, sink);
}

std::vector<uint32_t> BodySearch::bindings(std::span<const Literal> body, int variables,
                                           std::span<const uint32_t> wanted) {
  std::vector<Term> out;
  for (const uint32_t variable : wanted) out.push_back({true, variable});
  const auto width = static_cast<int>(wanted.size());
  RowTable found(width);
  for_bindings(body, variables, out, [&](const uint32_t* tuples, int64_t count) {
    found.insert_all(tuples, count);
    return true;
  });
  std::vector<uint32_t> tuples(found.row(0), found.row(found.size()));
  sort_tuples(tuples, width);
  return tuples;
}

bool BodySearch::holds(std::span<const Literal> body, int variables) {
  bool found = false;
  for_bindings(body, variables, {}, [&](const uint32_t*, int64_t) {
    found = true;
    return false;
  });
  return found;
}

}  // namespace gyre
