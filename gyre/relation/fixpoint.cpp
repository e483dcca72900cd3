#include "gyre/relation/fixpoint.h"

#include <algorithm>

#include "gyre/relation/body_join.h"
#include "gyre/relation/body_plan.h"
#include "gyre/relation/index_cache.h"
#include "gyre/relation/normal_body.h"

namespace gyre {
namespace {

// A rule, and how much of its recursive atoms' relations it has been evaluated with.
struct StratumRule {
  NormalBody body{};
  int head = 0;
  std::vector<int> recursive{};  // atoms whose relations are heads
  std::vector<int64_t> seen{};   // rows of each of these
};

class Stratum {
 public:
  Stratum(std::span<Relation> relations, std::span<const HornRule> rules,
          const FixpointOptions& options)
      : relations_(relations),
        meter_(options.limits, options.stop),
        indexes_(relations, meter_),
        join_(relations, indexes_, meter_),
        is_head_(relations.size()) {
    for (size_t r = 0; r < rules.size(); ++r) add(rules[r], "rule " + std::to_string(r));
    for (size_t r = 0; r < rules.size(); ++r) finish(rules_[r], r);
    report_.plans.resize(rules.size());
  }

  FixpointReport evaluate() {
    pass([this](StratumRule& rule) {
      see(rule);
      run(rule, -1, {});
    });
    return until_nothing_is_new();
  }

  FixpointReport evaluate_after(std::span<Relation> added) {
    check_added(added);
    std::vector<int64_t> before;  // the rows from here on are derived
    for (size_t i = 0; i < relations_.size(); ++i) {
      insert(static_cast<int>(i), added[i].rows().row(0), added[i].size());
      before.push_back(relations_[i].size());
    }
    for (StratumRule& rule : rules_) see(rule);
    pass([&](StratumRule& rule) {
      for (size_t a = 0; a < rule.body.atoms.size(); ++a) {
        const auto& of = added[static_cast<size_t>(rule.body.atoms[a].relation)];
        if (of.size()) run(rule, static_cast<int>(a), {&of.rows(), 0, of.size()});
      }
    });
    until_nothing_is_new();
    for (size_t i = 0; i < relations_.size(); ++i) {
      const RowTable& rows = relations_[i].rows();
      if (is_head_[i] && rows.size() > before[i]) {
        added[i].rows().insert_all(rows.row(before[i]), rows.size() - before[i]);
      }
    }
    return std::move(report_);
  }

 private:
  void add(const HornRule& rule, const std::string& name) {
    if (rule.head.kind != Literal::positive) {
      throw Error(Code::value, "fixpoint", {name, ": the head must be a positive literal"});
    }
    // as a literal of a body for the checks of its relation and number of terms
    (void)normal_body(relations_, {&rule.head, 1}, {}, rule.variables, name);
    StratumRule added;
    added.body = normal_body(relations_, rule.body, rule.head.terms, rule.variables, name);
    added.head = rule.head.relation;
    is_head_[static_cast<size_t>(added.head)] = true;
    rules_.push_back(std::move(added));
  }

  void finish(StratumRule& rule, size_t number) {
    for (const Literal& check : rule.body.checks) {
      if (check.kind == Literal::negative && is_head_[static_cast<size_t>(check.relation)]) {
        throw Error(Code::value, "fixpoint",
                    {"rule ", number, ": a negated relation must not be the head of a rule"});
      }
    }
    for (size_t a = 0; a < rule.body.atoms.size(); ++a) {
      if (is_head_[static_cast<size_t>(rule.body.atoms[a].relation)]) {
        rule.recursive.push_back(static_cast<int>(a));
      }
    }
    rule.seen.resize(rule.recursive.size());
  }

  void check_added(std::span<Relation> added) const {
    bool fits = added.size() == relations_.size();
    for (size_t i = 0; fits && i < added.size(); ++i) {
      fits = added[i].arity() == relations_[i].arity();
    }
    if (!fits) {
      throw Error(Code::shape, "fixpoint",
                  "the added tuples must be relations of the same number and arities");
    }
    for (size_t r = 0; r < rules_.size(); ++r) {
      for (const Literal& check : rules_[r].body.checks) {
        if (check.kind == Literal::negative && added[static_cast<size_t>(check.relation)].size()) {
          throw Error(Code::value, "fixpoint",
                      {"rule ", r, ": tuples were added to a negated relation; evaluate afresh"});
        }
      }
    }
  }

  [[nodiscard]] int64_t size_of(const StratumRule& rule, size_t recursive) const {
    const Literal& atom = rule.body.atoms[static_cast<size_t>(rule.recursive[recursive])];
    return relations_[static_cast<size_t>(atom.relation)].size();
  }

  void see(StratumRule& rule) const {
    for (size_t i = 0; i < rule.recursive.size(); ++i) rule.seen[i] = size_of(rule, i);
  }

  template <class F>
  void pass(F evaluate_rule) {
    meter_.set_rule(-1);
    meter_.add_iteration();
    for (size_t r = 0; r < rules_.size(); ++r) {
      if (rules_[r].body.never) continue;
      meter_.set_rule(static_cast<int>(r));
      evaluate_rule(rules_[r]);
    }
  }

  FixpointReport until_nothing_is_new() {
    auto has_new = [this](const StratumRule& rule) {
      for (size_t i = 0; i < rule.recursive.size(); ++i) {
        if (!rule.body.never && rule.seen[i] < size_of(rule, i)) return true;
      }
      return false;
    };
    while (std::any_of(rules_.begin(), rules_.end(), has_new)) {
      meter_.add_iteration();
      for (size_t r = 0; r < rules_.size(); ++r) {
        StratumRule& rule = rules_[r];
        if (!has_new(rule)) continue;
        meter_.set_rule(static_cast<int>(r));
        const std::vector<int64_t> seen = rule.seen;
        see(rule);
        for (size_t i = 0; i < rule.recursive.size(); ++i) {
          const int atom = rule.recursive[i];
          const auto relation =
              static_cast<size_t>(rule.body.atoms[static_cast<size_t>(atom)].relation);
          const RowRange delta{&relations_[relation].rows(), seen[i], rule.seen[i]};
          if (!delta.empty()) run(rule, atom, delta);
        }
      }
    }
    report_.iterations = meter_.iterations();
    report_.derived = meter_.tuples();
    return report_;
  }

  void run(StratumRule& rule, int delta_atom, RowRange delta) {
    const BodyPlan plan = plan_body(rule.body, delta_atom, relations_, indexes_);
    std::string& text = report_.plans[static_cast<size_t>(&rule - rules_.data())];
    if (text.empty() || (delta_atom >= 0 && text.find("delta") == std::string::npos)) {
      text = "join: " + plan.text();
    }
    const int head = rule.head;
    join_.run(plan, rule.body.out, delta, [&](const uint32_t* tuples, int64_t count) {
      meter_.add_tuples(insert(head, tuples, count));
      return true;
    });
  }

  int64_t insert(int relation, const uint32_t* tuples, int64_t count) {
    RowTable& rows = relations_[static_cast<size_t>(relation)].rows();
    if (meter_.limits_bytes()) {
      if (const int64_t more = rows.growth(count)) meter_.check_bytes(indexes_.bytes(), more);
    }
    return rows.insert_all(tuples, count);
  }

  std::span<Relation> relations_;
  FixpointMeter meter_;
  IndexCache indexes_;
  BodyJoin join_;
  std::vector<bool> is_head_;
  std::vector<StratumRule> rules_{};
  FixpointReport report_{};
};

}  // namespace

FixpointReport fixpoint(std::span<Relation> relations, std::span<const HornRule> rules,
                        const FixpointOptions& options) {
  return Stratum(relations, rules, options).evaluate();
}

FixpointReport continue_fixpoint(std::span<Relation> relations, std::span<const HornRule> rules,
                                 std::span<Relation> added, const FixpointOptions& options) {
  return Stratum(relations, rules, options).evaluate_after(added);
}

}  // namespace gyre
