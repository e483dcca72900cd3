#include "gyre/relation/join/body_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gyre {
namespace {

class BodyPlanner {
 public:
  BodyPlanner(const NormalBody& body, std::span<const Relation> relations,
              const IndexCache& indexes)
      : body_(body),
        relations_(relations),
        indexes_(indexes),
        bound_(static_cast<size_t>(body.variables)),
        atom_done_(body.atoms.size()),
        check_done_(body.checks.size()) {}

  BodyPlan plan(int delta) {
    add_checks();
    for (size_t n = 0; n < body_.atoms.size(); ++n) {
      const bool first = n == 0 && delta >= 0;
      add_atom(first ? static_cast<size_t>(delta) : next_atom(), first);
      add_checks();
    }
    mark_once();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool is_bound(const Term& term) const {
    return !term.variable || bound_[term.value];
  }

  [[nodiscard]] uint32_t bound_columns(const Literal& atom) const {
    uint32_t columns = 0;
    for (size_t c = 0; c < atom.terms.size(); ++c) {
      if (is_bound(atom.terms[c])) columns |= uint32_t{1} << c;
    }
    return columns;
  }

  [[nodiscard]] double expected_matches(const Literal& atom) const {
    const auto size = static_cast<double>(relations_[static_cast<size_t>(atom.relation)].size());
    const uint32_t columns = bound_columns(atom);
    const auto width = static_cast<double>(atom.terms.size());
    const int known = std::popcount(columns);
    if (known == static_cast<int>(atom.terms.size())) return -1;  // a test: at once
    if (known == 0) return size * 4;                              // rather a join than a product
    if (const int64_t keys = indexes_.keys(atom.relation, columns)) {
      return size / static_cast<double>(keys);
    }
    return std::pow(size, 1 - known / width);
  }

  [[nodiscard]] size_t next_atom() const {
    size_t best = body_.atoms.size();
    double least = 0;
    for (size_t a = 0; a < body_.atoms.size(); ++a) {
      if (atom_done_[a]) continue;
      const double matches = expected_matches(body_.atoms[a]);
      if (best == body_.atoms.size() || matches < least) {
        best = a;
        least = matches;
      }
    }
    return best;
  }

  void add_atom(size_t a, bool delta) {
    atom_done_[a] = true;
    JoinStep step{JoinStep::scan, delta, false, body_.atoms[a]};
    step.key = bound_columns(step.literal);
    const std::vector<Term>& terms = step.literal.terms;
    for (size_t c = 0; c < terms.size(); ++c) {
      if (step.key >> c & 1) continue;
      size_t earlier = 0;
      while (!(terms[earlier] == terms[c])) ++earlier;
      if (earlier < c) {
        step.same.emplace_back(static_cast<int>(earlier), static_cast<int>(c));
      } else {
        step.binds.emplace_back(static_cast<int>(c), terms[c].value);
      }
    }
    for (const auto& [column, variable] : step.binds) bound_[variable] = true;
    if (!delta && step.key) {
      const bool all = std::popcount(step.key) == static_cast<int>(terms.size());
      step.kind = all ? JoinStep::test : JoinStep::probe;
    } else if (!delta && terms.empty()) {
      step.kind = JoinStep::test;
    }
    plan_.steps.push_back(std::move(step));
  }

  void add_checks() {
    for (size_t c = 0; c < body_.checks.size(); ++c) {
      const Literal& check = body_.checks[c];
      if (check_done_[c] || !std::all_of(check.terms.begin(), check.terms.end(),
                                         [this](const Term& term) { return is_bound(term); })) {
        continue;
      }
      check_done_[c] = true;
      const auto kind = check.kind == Literal::negative ? JoinStep::absent : JoinStep::compare;
      plan_.steps.push_back({kind, false, false, check});
    }
  }

  void mark_once() {
    std::vector<bool> needed(static_cast<size_t>(body_.variables));
    auto need = [&](const std::vector<Term>& terms) {
      for (const Term& term : terms) {
        if (term.variable) needed[term.value] = true;
      }
    };
    need(body_.out);
    for (size_t s = plan_.steps.size(); s-- > 0;) {
      JoinStep& step = plan_.steps[s];
      step.once = std::none_of(step.binds.begin(), step.binds.end(),
                               [&](const auto& bind) { return needed[bind.second]; });
      need(step.literal.terms);
    }
  }

  const NormalBody& body_;
  std::span<const Relation> relations_;
  const IndexCache& indexes_;
  BodyPlan plan_;
  std::vector<bool> bound_, atom_done_, check_done_;
};

std::string columns_text(uint32_t columns) {
  std::string text;
  for (int c = 0; columns >> c; ++c) {
    if (columns >> c & 1) text += (text.empty() ? "" : ", ") + std::to_string(c);
  }
  return text;
}

}  // namespace

std::string BodyPlan::text() const {
  std::string text;
  for (const JoinStep& step : steps) {
    if (!text.empty()) text += "; ";
    const std::string relation = std::to_string(step.literal.relation);
    switch (step.kind) {
      case JoinStep::scan:
        text += (step.delta ? "delta of " : "all of ") + relation;
        break;
      case JoinStep::probe:
        text += relation + " by column " + columns_text(step.key);
        break;
      case JoinStep::test:
        text += "in " + relation;
        break;
      case JoinStep::absent:
        text += "not in " + relation;
        break;
      case JoinStep::compare:
        text += "compare";
        break;
    }
  }
  return text.empty() ? "nothing to join" : text;
}

BodyPlan plan_body(const NormalBody& body, int delta, std::span<const Relation> relations,
                   const IndexCache& indexes) {
  return BodyPlanner(body, relations, indexes).plan(delta);
}

}  // namespace gyre
