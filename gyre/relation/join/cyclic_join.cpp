#include "gyre/relation/join/cyclic_join.h"

#include <algorithm>
#include <set>

namespace gyre {
namespace {

std::vector<EdgeSource> atom_sources(const NormalBody& body, std::span<const Relation> relations) {
  std::vector<EdgeSource> sources;
  for (const Literal& atom : body.atoms) {
    const EdgeSource source{&relations[static_cast<size_t>(atom.relation)]};
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
      sources.push_back(source);
    }
  }
  return sources;
}

}  // namespace

bool CyclicJoin::fits(const NormalBody& body, std::span<const Relation> relations) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  std::set<uint32_t> variables;
  int64_t edges = 0;
  for (const Literal& atom : body.atoms) {
    const std::vector<Term>& t = atom.terms;
    if (t.size() != 2 || !t[0].variable || !t[1].variable || t[0] == t[1]) return false;
    pairs.insert(std::minmax(t[0].value, t[1].value));
    variables.insert({t[0].value, t[1].value});
    edges += relations[static_cast<size_t>(atom.relation)].size();
  }
  if (variables.size() < 3 || pairs.size() < variables.size()) return false;
  std::set<uint32_t> reached{*variables.begin()};
  for (size_t before = 0; before < reached.size();) {
    before = reached.size();
    for (const auto& [a, b] : pairs) {
      if (reached.count(a) || reached.count(b)) reached.insert({a, b});
    }
  }
  if (reached.size() < variables.size()) return false;
  const uint64_t nodes = node_count(atom_sources(body, relations));
  return nodes <= UINT32_MAX && nodes <= 64 * static_cast<uint64_t>(edges) + 4096;
}

CyclicJoin::CyclicJoin(const NormalBody& body, std::span<const Relation> relations,
                       FixpointMeter& meter)
    : body_(body), relations_(relations), meter_(meter) {
  values_.resize(static_cast<size_t>(body.variables));
  load();
  order_variables();
}

// Graphs with ascending targets: each is made by going through the other in order.
void CyclicJoin::load() {
  const std::vector<EdgeSource> sources = atom_sources(body_, relations_);
  nodes_ = static_cast<uint32_t>(node_count(sources));
  int64_t bytes = 0;
  for (const Relation& relation : relations_) bytes += relation.bytes();
  for (const Literal& atom : body_.atoms) {
    if (graphs_.count(atom.relation)) continue;
    const EdgeSource source{&relations_[static_cast<size_t>(atom.relation)], true};
    const int64_t needed = 12 * source.relation->size() + 16 * int64_t{nodes_};
    meter_.check_bytes(bytes, needed);
    bytes += needed;
    meter_.work(needed);
    Adjacency& graph = graphs_[atom.relation];
    graph.forward = transposed(make_digraph({&source, 1}, nodes_));
    graph.backward = transposed(graph.forward);
  }
}

void CyclicJoin::order_variables() {
  std::vector<bool> bound(values_.size());
  auto links = [&](uint32_t variable, bool to_bound) {
    int count = 0;
    for (const Literal& atom : body_.atoms) {
      for (size_t side = 0; side < 2; ++side) {
        count +=
            atom.terms[side].value == variable && (!to_bound || bound[atom.terms[!side].value]);
      }
    }
    return count;
  };
  for (;;) {
    int most = 0;
    uint32_t next = 0;
    for (uint32_t v = 0; v < values_.size(); ++v) {
      const int here = bound[v] ? 0 : 64 * links(v, !levels_.empty()) + links(v, false);
      if (here > most) {
        most = here;
        next = v;
      }
    }
    if (most == 0) return;
    bound[next] = true;
    add_level(next);
  }
}

void CyclicJoin::add_level(uint32_t variable) {
  levels_.push_back({variable});
  Level& level = levels_.back();
  const size_t number = levels_.size() - 1;
  auto level_of = [&](uint32_t v) {
    size_t l = 0;
    while (l < levels_.size() && levels_[l].variable != v) ++l;
    return l;
  };
  for (const Literal& atom : body_.atoms) {
    for (size_t side = 0; side < 2; ++side) {
      if (atom.terms[side].value != variable) continue;
      const size_t other = level_of(atom.terms[!side].value);
      if (other >= number) continue;
      const Adjacency& graph = graphs_.at(atom.relation);
      Constraint constraint{side == 1 ? &graph.forward : &graph.backward, other};
      constraint.marks = other + 1 < number;
      if (constraint.marks) constraint.marked.resize(nodes_);
      level.constraints.push_back(std::move(constraint));
    }
  }
  for (const Literal& check : body_.checks) {
    size_t last = 0;
    for (const Term& term : check.terms) {
      if (term.variable) last = std::max(last, level_of(term.value));
    }
    if (last == number) level.checks.push_back(&check);
  }
}

void CyclicJoin::run(BodyJoin::Sink sink) {
  sink_ = &sink;
  buffer_.resize(std::max<size_t>(1, body_.out.size() * kBuffered));
  for (uint32_t value = 0; value < nodes_ && bind(0, value); ++value) meter_.work(1);
  flush();
}

// Marks the neighbours of a bound variable for the levels that look for them.
void CyclicJoin::mark(size_t level, uint32_t value) {
  for (size_t later = level + 2; later < levels_.size(); ++later) {
    for (Constraint& constraint : levels_[later].constraints) {
      if (constraint.level != level) continue;
      if (++constraint.mark == 0) {
        std::fill(constraint.marked.begin(), constraint.marked.end(), 0);
        constraint.mark = 1;
      }
      for (uint32_t target : constraint.graph->of(value)) {
        constraint.marked[target] = constraint.mark;
      }
    }
  }
}

// Takes the levels after one whose variable has this value; false: no further value is wanted.
bool CyclicJoin::bind(size_t level, uint32_t value) {
  values_[levels_[level].variable] = value;
  for (const Literal* check : levels_[level].checks) {
    if (!holds(*check)) return true;
  }
  if (level + 1 == levels_.size()) {
    emit();
  } else {
    mark(level, value);
    visit(level + 1);
  }
  return !done_;
}

void CyclicJoin::visit(size_t number) {
  const Level& level = levels_[number];
  auto neighbours = [this](const Constraint& constraint) {
    return constraint.graph->of(values_[levels_[constraint.level].variable]);
  };
  // The list to go through. The others are tested by marks, which is cheaper than by search.
  constexpr size_t kSearchCost = 8;
  const Constraint* fewest = nullptr;
  size_t least = 0;
  for (const Constraint& constraint : level.constraints) {
    const size_t cost = neighbours(constraint).size() * (constraint.marks ? kSearchCost : 1);
    if (!fewest || cost < least) {
      fewest = &constraint;
      least = cost;
    }
  }
  const auto candidates = neighbours(*fewest);
  meter_.work(static_cast<int64_t>(candidates.size()) + 1);
  const Constraint* marked = nullptr;  // tested first
  for (const Constraint& constraint : level.constraints) {
    if (constraint.marks && &constraint != fewest) marked = &constraint;
  }
  auto fits_others = [&](uint32_t value) {
    for (const Constraint& constraint : level.constraints) {
      if (&constraint == fewest || &constraint == marked) continue;
      const auto list = neighbours(constraint);
      const bool fits = constraint.marks ? constraint.marked[value] == constraint.mark
                                         : std::binary_search(list.begin(), list.end(), value);
      if (!fits) return false;
    }
    return true;
  };
  const bool others = level.constraints.size() > 1 + size_t{marked != nullptr};
  const uint32_t* marks = marked ? marked->marked.data() : nullptr;
  const uint32_t mark = marked ? marked->mark : 0;
  for (uint32_t value : candidates) {
    if (marks && marks[value] != mark) continue;
    if (others && !fits_others(value)) continue;
    if (!bind(number, value)) return;
  }
}

bool CyclicJoin::holds(const Literal& check) const {
  if (check.kind == Literal::negative) {
    uint32_t tuple[Relation::kMostColumns];
    for (size_t c = 0; c < check.terms.size(); ++c) tuple[c] = value_of(check.terms[c]);
    return !relations_[static_cast<size_t>(check.relation)].contains({tuple, check.terms.size()});
  }
  const uint32_t a = value_of(check.terms[0]), b = value_of(check.terms[1]);
  return check.kind == Literal::not_equal ? a != b : check.kind == Literal::less ? a < b : a <= b;
}

void CyclicJoin::emit() {
  uint32_t* to = buffer_.data() + static_cast<size_t>(buffered_) * body_.out.size();
  for (const Term& term : body_.out) *to++ = value_of(term);
  if (++buffered_ == kBuffered) flush();
}

void CyclicJoin::flush() {
  if (buffered_ == 0) return;
  if (!(*sink_)(buffer_.data(), buffered_)) done_ = true;
  buffered_ = 0;
}

}  // namespace gyre
