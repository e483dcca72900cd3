#include "gyre/logic/run/proof.h"

#include <algorithm>

#include "gyre/logic/syntax/lexer.h"

namespace gyre::logic {
namespace {

bool is_comparison_literal(const Literal& l) {
  return l.kind != Literal::positive && l.kind != Literal::negative;
}

std::vector<uint32_t> ground(const Literal& l, const std::vector<uint32_t>& values) {
  std::vector<uint32_t> tuple;
  for (const Term& t : l.terms) tuple.push_back(t.variable ? values[t.value] : t.value);
  return tuple;
}

}  // namespace

int Proof::height() const {
  int most = 0;
  for (const Proof& p : because) most = std::max(most, p.height());
  return rule.empty() ? 0 : most + 1;
}

std::string Prover::atom(int entity, std::span<const uint32_t> tuple) const {
  const Names& names = store_.names();
  const Entity& e = names.entities[static_cast<size_t>(entity)];
  std::string text = e.name + "(";
  for (size_t i = 0; i < tuple.size(); ++i) {
    const Symbol s =
        names.domains[static_cast<size_t>(names.axis_of(e, i).domain)].symbol(tuple[i]);
    const bool is_word = !s.text.empty() && std::all_of(s.text.begin(), s.text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '\'';
    });
    text += (i ? ", " : "") + (is_word ? s.text : quoted(s.text));
  }
  return text + ")";
}

void Prover::add_to_cone(int entity) {
  if (levels_.contains(entity) || !store_.names().entities[static_cast<size_t>(entity)].is_relation)
    return;
  const Relation& all = store_.relation(entity);
  if (store_.is_embedded(entity)) {  // what is read from an embedding has no other reason
    levels_.emplace(entity, Levels{all});
    return;
  }
  levels_.emplace(entity, Levels{store_.base(entity)});
  for (const ReadyRule& r : store_.rules(entity)) {
    for (const Literal& l : r.rule.body) {
      const int other = l.kind == Literal::positive ? store_.entity_of(l.relation) : -1;
      if (other >= 0) add_to_cone(other);
    }
  }
}

// Level by level: the tuples that follow from those below and at least one of the last level.
void Prover::find_levels(int entity) {
  levels_.clear();
  fresh_.clear();
  complete_.clear();
  add_to_cone(entity);
  known_ = store_.relations();
  for (const auto& [e, levels] : levels_) {
    const auto number = static_cast<size_t>(store_.relation_of(e));
    complete_[e] = static_cast<int>(known_.size());
    known_.push_back(known_[number]);
    known_[number] = levels[0];
    fresh_[e] = static_cast<int>(known_.size());
    known_.push_back(levels[0]);
  }
  while (next_level()) {
  }
}

bool Prover::next_level() {
  std::map<int, Relation> found;
  const bool first = levels_.begin()->second.size() == 1;
  for (const auto& [e, levels] : levels_) {
    Relation& into = found.emplace(e, Relation(levels[0].arity())).first->second;
    if (store_.is_embedded(e)) continue;
    for (const ReadyRule& r : store_.rules(e)) {
      bool reads = false;
      for (size_t i = 0; i < r.rule.body.size(); ++i) {
        const Literal& l = r.rule.body[i];
        const int other = l.kind == Literal::positive ? store_.entity_of(l.relation) : -1;
        if (other < 0 || !levels_.contains(other)) continue;
        reads = true;
        if (known_[static_cast<size_t>(fresh_[other])].size() > 0)
          derive(r.rule, static_cast<int>(i), into);
      }
      if (!reads && first) derive(r.rule, -1, into);
    }
  }
  bool grew = false;
  for (auto& [e, relation] : found) {
    Relation& all = known_[static_cast<size_t>(store_.relation_of(e))];
    Relation level(relation.arity());
    relation.for_each([&](const uint32_t* t) {
      const std::span<const uint32_t> tuple(t, static_cast<size_t>(relation.arity()));
      if (all.insert(tuple)) level.insert(tuple);
    });
    if (relation.arity() == 0 && relation.size() > 0 && all.insert({})) level.insert({});
    grew = grew || level.size() > 0;
    known_[static_cast<size_t>(fresh_[e])] = level;
    levels_[e].push_back(std::move(level));
  }
  return grew;
}

// The heads of a rule, with the tuples of the last level alone for the literal `changed`.
void Prover::derive(const HornRule& rule, int changed, Relation& found) {
  std::vector<Literal> body = rule.body;
  for (size_t i = 0; i < body.size(); ++i) {
    const int entity = is_comparison_literal(body[i]) ? -1 : store_.entity_of(body[i].relation);
    if (entity < 0 || !levels_.contains(entity)) continue;
    if (body[i].kind == Literal::negative)
      body[i].relation = complete_[entity];
    else if (static_cast<int>(i) == changed)
      body[i].relation = fresh_[entity];
  }
  std::vector<uint32_t> wanted;
  for (const Term& t : rule.head.terms) {
    if (t.variable && std::find(wanted.begin(), wanted.end(), t.value) == wanted.end())
      wanted.push_back(t.value);
  }
  std::vector<uint32_t> values(static_cast<size_t>(rule.variables), 0);
  if (wanted.empty()) {
    if (holds(known_, body, rule.variables, store_.fixpoint_options()))
      found.insert(ground(rule.head, values));
    return;
  }
  const std::vector<uint32_t> rows =
      bindings(known_, body, rule.variables, wanted, store_.fixpoint_options());
  for (size_t at = 0; at < rows.size(); at += wanted.size()) {
    for (size_t i = 0; i < wanted.size(); ++i) values[wanted[i]] = rows[at + i];
    found.insert(ground(rule.head, values));
  }
}

int Prover::height(int entity, std::span<const uint32_t> tuple) const {
  const auto it = levels_.find(entity);
  if (it == levels_.end()) return 0;
  for (size_t h = 0; h < it->second.size(); ++h) {
    if (it->second[h].contains(tuple)) return static_cast<int>(h);
  }
  return -1;
}

bool Prover::prove_by(int entity, const ReadyRule& ready, const std::vector<uint32_t>& tuple,
                      Proof& proof) {
  const HornRule& rule = ready.rule;
  const int most = height(entity, tuple) - 1;
  std::vector<Literal> body = rule.body;
  for (size_t i = 0; i < tuple.size(); ++i) {  // the head at this tuple
    const Term& t = rule.head.terms[i];
    if (!t.variable && t.value != tuple[i]) return false;
    if (t.variable) body.push_back({Literal::equal, -1, {t, {false, tuple[i]}}});
  }
  for (Literal& l : body) {
    const int other = is_comparison_literal(l) ? -1 : store_.entity_of(l.relation);
    if (other >= 0 && levels_.contains(other)) l.relation = complete_[other];
  }
  std::vector<uint32_t> wanted(static_cast<size_t>(rule.variables));
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<uint32_t>(i);
  if (wanted.empty() && !holds(known_, body, 0, store_.fixpoint_options())) return false;
  const std::vector<uint32_t> rows =
      wanted.empty() ? std::vector<uint32_t>{}
                     : bindings(known_, body, rule.variables, wanted, store_.fixpoint_options());
  const size_t count = wanted.empty() ? 1 : rows.size() / wanted.size();
  for (size_t row = 0; row < count; ++row) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(row * wanted.size());
    const std::vector<uint32_t> values(begin, begin + static_cast<std::ptrdiff_t>(wanted.size()));
    const bool low = std::all_of(rule.body.begin(), rule.body.end(), [&](const Literal& l) {
      const int other = l.kind == Literal::positive ? store_.entity_of(l.relation) : -1;
      return other < 0 || height(other, ground(l, values)) <= most;
    });
    if (!low) continue;
    for (const Literal& l : rule.body) {
      const int other = is_comparison_literal(l) ? -1 : store_.entity_of(l.relation);
      if (other < 0) continue;
      if (l.kind == Literal::positive)
        proof.because.push_back(this->proof(other, ground(l, values)));
      else
        proof.because.push_back({"not " + atom(other, ground(l, values))});
    }
    proof.rule = std::string(sources_.text(ready.site->place));
    proof.line = sources_.where(ready.site->place).line;
    return true;
  }
  return false;
}

Proof Prover::proof(int entity, const std::vector<uint32_t>& tuple) {
  Proof p{atom(entity, tuple)};
  if (height(entity, tuple) == 0) return p;
  for (const ReadyRule& r : store_.rules(entity)) {
    if (prove_by(entity, r, tuple, p)) return p;
  }
  throw Error(Code::value, "proof", {atom(entity, tuple), " does not hold"});
}

Proof Prover::prove(int entity, const std::vector<uint32_t>& tuple) {
  if (!levels_.contains(entity)) find_levels(entity);
  return proof(entity, tuple);
}

}  // namespace gyre::logic
