#include "gyre/relation/stratum.h"

#include <algorithm>

#include "gyre/relation/storage/digraph.h"

namespace gyre {

Stratum::Stratum(std::span<Relation> relations, std::span<const HornRule> rules,
                 const FixpointOptions& options)
    : relations_(relations),
      options_(options),
      meter_(options.limits, options.stop),
      indexes_(relations, meter_),
      join_(relations, indexes_, meter_),
      is_head_(relations.size()) {
  report_.plans.resize(rules.size());
  for (size_t r = 0; r < rules.size(); ++r) add(rules[r], static_cast<int>(r));
  check_negation();
}

void Stratum::add(const HornRule& rule, int number) {
  const std::string name = "rule " + std::to_string(number);
  if (rule.head.kind != Literal::positive) {
    throw Error(Code::value, "fixpoint", {name, ": the head must be a positive literal"});
  }
  // as a literal of a body for the checks of its relation and number of terms
  (void)normal_body(relations_, {&rule.head, 1}, {}, rule.variables, name);
  StratumRule added;
  added.body = normal_body(relations_, rule.body, rule.head.terms, rule.variables, name);
  added.head = rule.head.relation;
  added.number = number;
  is_head_[static_cast<size_t>(added.head)] = true;
  if (added.body.never) return explain(added, "nothing: a comparison of constants is false", true);
  added.chain = chain_rule(added.body);
  rules_.push_back(std::move(added));
}

void Stratum::check_negation() const {
  for (const StratumRule& rule : rules_) {
    for (const Literal& check : rule.body.checks) {
      if (check.kind == Literal::negative && is_head_[static_cast<size_t>(check.relation)]) {
        throw Error(Code::value, "fixpoint",
                    {"rule ", rule.number, ": a negated relation must not be the head of a rule"});
      }
    }
  }
}

void Stratum::check_added(std::span<Relation> added) const {
  bool fits = added.size() == relations_.size();
  for (size_t i = 0; fits && i < added.size(); ++i) {
    fits = added[i].arity() == relations_[i].arity();
  }
  if (!fits) {
    throw Error(Code::shape, "fixpoint",
                "the added tuples must be relations of the same number and arities");
  }
  for (const StratumRule& rule : rules_) {
    for (const Literal& check : rule.body.checks) {
      if (check.kind == Literal::negative && added[static_cast<size_t>(check.relation)].size()) {
        throw Error(
            Code::value, "fixpoint",
            {"rule ", rule.number, ": tuples were added to a negated relation; evaluate afresh"});
      }
    }
  }
}

// The rules by strongly connected components of their heads, each after those it depends on.
std::vector<Stratum::Group> Stratum::groups() {
  Relation depends(2);
  for (const StratumRule& rule : rules_) {
    const auto head = static_cast<uint32_t>(rule.head);
    for (const Literal& atom : rule.body.atoms) {
      depends.insert(std::vector<uint32_t>{head, static_cast<uint32_t>(atom.relation)});
    }
  }
  const EdgeSource source{&depends};
  const StrongComponents components =
      strong_components(make_digraph({&source, 1}, static_cast<uint32_t>(relations_.size())));
  std::vector<Group> groups(components.count());
  for (StratumRule& rule : rules_) {
    const uint32_t group = components.of[static_cast<size_t>(rule.head)];
    for (size_t a = 0; a < rule.body.atoms.size(); ++a) {
      const auto atom = static_cast<size_t>(rule.body.atoms[a].relation);
      if (is_head_[atom] && components.of[atom] == group) {
        rule.recursive.push_back(static_cast<int>(a));
      }
    }
    groups[group].push_back(&rule);
  }
  std::erase_if(groups, [](const Group& group) { return group.empty(); });
  return groups;
}

FixpointReport Stratum::evaluate() {
  for (const Group& group : groups()) evaluate_group(group);
  report_.iterations = meter_.iterations();
  report_.derived = meter_.tuples();
  return std::move(report_);
}

FixpointReport Stratum::evaluate_after(std::span<Relation> added) {
  check_added(added);
  for (size_t i = 0; i < relations_.size(); ++i) {
    added[i].set_layout(RelationLayout::rows);
    if (added[i].size() == 0) continue;
    if (relations_[i].layout() == RelationLayout::sets) make_rows(static_cast<int>(i));
    const RowTable& rows = added[i].rows();
    if (relations_[i].layout() == RelationLayout::rows) {
      insert(static_cast<int>(i), rows.row(0), rows.size());
    } else {
      relations_[i].insert_all({rows.row(0), rows.row(rows.size())});
    }
  }
  added_ = added;
  return evaluate();
}

void Stratum::evaluate_group(const Group& group) {
  if (evaluate_closure(group)) return;
  begin_deltas(group);
  if (!evaluate_nested_closure(group)) {
    first_round(group);
    later_rounds(group);
  }
  deltas_.clear();
  factors_.reset();
  product_.reset();
}

void Stratum::make_rows(int number) {
  Relation& of = relation(number);
  if (of.layout() == RelationLayout::rows) return;
  if (meter_.limits_bytes()) meter_.check_bytes(bytes(), RowTable(of.arity()).growth(of.size()));
  of.set_layout(RelationLayout::rows);
  indexes_.drop(number);
}

void Stratum::explain(const StratumRule& rule, const std::string& text, bool better) {
  std::string& plan = report_.plans[static_cast<size_t>(rule.number)];
  if (plan.empty() || better) plan = text;
}

int64_t Stratum::bytes() const {
  int64_t sum = indexes_.bytes();
  for (const auto& [head, delta] : deltas_) {
    sum += delta.bits.matrix().bytes() + delta.next.matrix().bytes();
  }
  if (factors_) sum += factors_->bytes();
  if (product_) sum += product_->bytes();
  return sum;
}

}  // namespace gyre
