#include "gyre/logic/run/proof.h"

#include <algorithm>
#include <numeric>

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

// The entity of a positive literal of the cone, else -1.
int Prover::cone_entity(const Literal& l) const {
  const auto it = l.kind == Literal::positive ? entities_.find(l.relation) : entities_.end();
  return it == entities_.end() ? -1 : it->second;
}

void Prover::add_to_cone(int first) {
  std::vector<int> open{first};
  while (!open.empty()) {
    const int entity = open.back();
    open.pop_back();
    if (!cone_.try_emplace(entity).second) continue;
    Heights& heights = cone_.at(entity);
    const Relation& all = store_.relation(entity);
    // what is read from an embedding has no other reason
    Relation base = store_.is_embedded(entity) ? all : store_.base(entity);
    base.set_layout(RelationLayout::rows);
    heights.ends = {base.size()};
    heights.relation = scope_->add(std::move(base));
    entities_[store_.relation_of(entity)] = entity;
    if (store_.is_embedded(entity)) continue;
    for (const ReadyRule& r : store_.rules(entity)) {
      for (const Literal& l : r.rule.body) {
        const int other = l.kind == Literal::positive ? store_.entity_of(l.relation) : -1;
        if (other >= 0) open.push_back(other);
      }
    }
  }
}

// Height by height: the tuples that follow from those below and at least one of the last height.
void Prover::find_heights(int entity) {
  search_.reset();
  cone_.clear();
  entities_.clear();
  scope_.reset();
  scope_ = std::make_unique<RelationScope>(store_.relations());
  add_to_cone(entity);
  search_ = std::make_unique<BodySearch>(store_.relations(), store_.fixpoint_options());
  while (next_height()) {
  }
  for (auto& [e, heights] : cone_) {
    const Relation& tuples = rows(heights);
    heights.sorted.resize(static_cast<size_t>(tuples.size()));
    std::iota(heights.sorted.begin(), heights.sorted.end(), 0U);
    std::sort(heights.sorted.begin(), heights.sorted.end(), [&](uint32_t a, uint32_t b) {
      const uint32_t *x = tuples.rows().row(a), *y = tuples.rows().row(b);
      return std::lexicographical_compare(x, x + tuples.arity(), y, y + tuples.arity());
    });
  }
}

bool Prover::next_height() {
  std::map<int, Relation> found;
  for (const auto& [e, heights] : cone_) {
    if (store_.is_embedded(e)) continue;
    Relation& into = found.emplace(e, Relation(rows(heights).arity())).first->second;
    for (const ReadyRule& r : store_.rules(e)) {
      bool reads = false;
      for (size_t i = 0; i < r.rule.body.size(); ++i) {
        const int other = cone_entity(r.rule.body[i]);
        if (other < 0) continue;
        reads = true;
        const Heights& of = cone_.at(other);
        if (of.begin(of.ends.size() - 1) < of.ends.back())
          derive(r.rule, static_cast<int>(i), into);
      }
      if (!reads && heights.ends.size() == 1) derive(r.rule, -1, into);
    }
  }
  bool grew = false;
  for (auto& [e, heights] : cone_) {
    Relation& all = rows(heights);
    if (const auto it = found.find(e); it != found.end()) {
      it->second.for_each([&](const uint32_t* t) {
        all.insert({t, static_cast<size_t>(all.arity())});
      });
    }
    grew = grew || all.size() > heights.ends.back();
    heights.ends.push_back(all.size());
  }
  return grew;
}

// The heads of a rule, with the tuples of the last height alone for the literal `changed`.
void Prover::derive(const HornRule& rule, int changed, Relation& found) {
  std::vector<Literal> body = rule.body;
  for (Literal& l : body) {
    const int entity = cone_entity(l);
    if (entity >= 0) l.relation = cone_.at(entity).relation;
  }
  const auto insert = [&](const uint32_t* tuples, int64_t count) {
    const auto arity = static_cast<size_t>(found.arity());
    for (int64_t i = 0; i < count; ++i)
      found.insert({tuples + static_cast<size_t>(i) * arity, arity});
    return arity > 0;
  };
  if (changed < 0) return search_->for_bindings(body, rule.variables, rule.head.terms, insert);
  const Heights& of = cone_.at(cone_entity(rule.body[static_cast<size_t>(changed)]));
  search_->for_bindings(
      body, rule.variables, rule.head.terms,
      {static_cast<size_t>(changed), of.begin(of.ends.size() - 1), of.ends.back()}, insert);
}

int Prover::height(int entity, std::span<const uint32_t> tuple) {
  const auto it = cone_.find(entity);
  if (it == cone_.end()) return 0;
  const Heights& of = it->second;
  const RowTable& table = rows(of).rows();
  const auto place = std::lower_bound(
      of.sorted.begin(), of.sorted.end(), tuple, [&](uint32_t row, std::span<const uint32_t> t) {
        const uint32_t* x = table.row(row);
        return std::lexicographical_compare(x, x + t.size(), t.begin(), t.end());
      });
  if (place == of.sorted.end() || !std::equal(tuple.begin(), tuple.end(), table.row(*place)))
    return -1;
  return static_cast<int>(std::upper_bound(of.ends.begin(), of.ends.end(), int64_t{*place}) -
                          of.ends.begin());
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
  std::vector<uint32_t> wanted(static_cast<size_t>(rule.variables));
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<uint32_t>(i);
  if (wanted.empty() && !search_->holds(body, 0)) return false;
  const std::vector<uint32_t> found =
      wanted.empty() ? std::vector<uint32_t>{} : search_->bindings(body, rule.variables, wanted);
  const size_t count = wanted.empty() ? 1 : found.size() / wanted.size();
  for (size_t row = 0; row < count; ++row) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(row * wanted.size());
    const std::vector<uint32_t> values(begin, begin + static_cast<std::ptrdiff_t>(wanted.size()));
    const bool low = std::all_of(rule.body.begin(), rule.body.end(), [&](const Literal& l) {
      const int other = cone_entity(l);
      if (other < 0) return true;
      const int at = height(other, ground(l, values));
      return at >= 0 && at <= most;
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
  if (++atoms_ > kMostAtoms)
    refuse(DiagnosticCode::R02, place_, {"a proof has more than ", kMostAtoms, " atoms"});
  Proof p{atom(entity, tuple)};
  if (height(entity, tuple) == 0) return p;
  for (const ReadyRule& r : store_.rules(entity)) {
    if (prove_by(entity, r, tuple, p)) return p;
  }
  throw Error(Code::value, "proof", {atom(entity, tuple), " does not hold"});
}

Proof Prover::prove(int entity, const std::vector<uint32_t>& tuple) {
  try {
    if (!cone_.contains(entity)) find_heights(entity);
    const int high = height(entity, tuple);
    if (high > kMostHeight) {
      refuse(DiagnosticCode::R02, place_,
             {"the proof of ", atom(entity, tuple), " is ", high, " rules high; at most ",
              kMostHeight, " are shown"});
    }
    atoms_ = 0;
    return proof(entity, tuple);
  } catch (const LimitError& error) {
    store_.limit(error, place_);
  }
}

}  // namespace gyre::logic
