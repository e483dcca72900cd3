#include "gyre/relation/closure/closure_pattern.h"

#include <algorithm>

namespace gyre {
namespace {

bool same_factor(const ChainFactor& a, const ChainFactor& b) {
  return a.relation == b.relation && a.reversed == b.reversed;
}

void add_factor(std::vector<ChainFactor>& list, const ChainFactor& factor) {
  const bool known = std::any_of(list.begin(), list.end(), [&](const ChainFactor& other) {
    return same_factor(factor, other);
  });
  if (!known) list.push_back(factor);
}

bool all_in(const std::vector<ChainFactor>& some, const std::vector<ChainFactor>& all) {
  return std::all_of(some.begin(), some.end(), [&](const ChainFactor& factor) {
    return std::any_of(all.begin(), all.end(),
                       [&](const ChainFactor& other) { return same_factor(factor, other); });
  });
}

}  // namespace

std::optional<ClosurePattern> closure_pattern(std::span<const NormalBody* const> rules, int head) {
  ClosurePattern pattern{};
  std::vector<ChainFactor> rights, lefts, copied;
  bool squares = false, only_copies = true;
  for (size_t r = 0; r < rules.size(); ++r) {
    const bool recursive = std::any_of(rules[r]->atoms.begin(), rules[r]->atoms.end(),
                                       [&](const Literal& atom) { return atom.relation == head; });
    const std::optional<ChainRule> chain = chain_rule(*rules[r]);
    if (!recursive) {
      pattern.base.push_back(static_cast<int>(r));
      if (chain && !chain->irreflexive && chain->factors.size() == 1) {
        add_factor(copied, chain->factors[0]);
      } else {
        only_copies = false;
      }
      continue;
    }
    if (!chain || chain->irreflexive || chain->factors.size() > 2) return {};
    const ChainFactor& first = chain->factors[0];
    if (chain->factors.size() == 1) {
      pattern.symmetric |= first.reversed;
      continue;
    }
    const ChainFactor& second = chain->factors[1];
    const bool from = first.relation == head, to = second.relation == head;
    if ((from && first.reversed) || (to && second.reversed)) return {};
    if (from && to) {
      squares = true;
    } else {
      add_factor(from ? rights : lefts, from ? second : first);
    }
  }
  if (squares) {
    // T0+ if whatever else extends paths is in T0
    if (!all_in(rights, copied) || !all_in(lefts, copied)) return {};
    pattern.kind = ClosurePattern::both;
    pattern.steps = copied;
    pattern.copies = only_copies;
    return pattern;
  }
  if (pattern.symmetric || (rights.empty() && lefts.empty())) return {};
  pattern.kind = lefts.empty() ? ClosurePattern::right : ClosurePattern::left;
  pattern.steps = lefts.empty() ? rights : lefts;
  pattern.copies = only_copies && all_in(pattern.steps, copied) && all_in(copied, pattern.steps);
  pattern.two_sided = !lefts.empty() && !rights.empty();
  if (pattern.two_sided) {
    if (!pattern.copies || !all_in(rights, lefts) || !all_in(lefts, rights)) return {};
  }
  return pattern;
}

}  // namespace gyre
