#include <algorithm>

#include "gyre/relation/join/cyclic_join.h"
#include "gyre/relation/matrix/bit_table.h"
#include "gyre/relation/matrix/matrix_domain.h"
#include "gyre/relation/stratum.h"

namespace gyre {
namespace {

constexpr int64_t kSmallMatrix = 1 << 20;  // bytes that are always spent
constexpr int64_t kLargestMatrix = int64_t{1} << 32;

// Whether all uses of a head in the bodies of a group are in products.
bool only_in_products(const std::vector<StratumRule*>& group, int head) {
  return std::all_of(group.begin(), group.end(), [&](const StratumRule* rule) {
    return rule->chain || std::none_of(rule->body.atoms.begin(), rule->body.atoms.end(),
                                       [&](const Literal& atom) { return atom.relation == head; });
  });
}

}  // namespace

void Stratum::begin_deltas(const Group& group) {
  std::vector<int> heads;
  std::vector<const NormalBody*> bodies;
  bool recursive = false, pairs = false, products = false;
  for (const StratumRule* rule : group) {
    bodies.push_back(&rule->body);
    recursive |= !rule->recursive.empty();
    pairs |= relation(rule->head).arity() == 2;
    products |= rule->chain && rule->chain->factors.size() > 1;
    if (deltas_.try_emplace(rule->head).second) heads.push_back(rule->head);
  }
  const bool matrices = pairs && options_.matrices != MatrixUse::never &&
                        (recursive || products || options_.matrices == MatrixUse::always);
  bound_ = matrices ? number_bound(relations_, bodies, heads) : UINT64_MAX;
  for (int head : heads) {
    HeadDelta& delta = deltas_.at(head);
    delta.chained = recursive && only_in_products(group, head);
    for (StratumRule* rule : group) {
      if (rule->head != head || !is_cheaper_as_product(*rule)) continue;
      rule->multiplies = delta.multiplied = true;
    }
    choose_layout(head, delta, true);
    if (delta.next.matrix().rows() == 0) {
      make_rows(head);
      delta.begin = delta.end = relation(head).size();
    }
  }
  if (bound_ <= UINT32_MAX) {
    factors_ = std::make_unique<FactorCache>(relations_, static_cast<uint32_t>(bound_));
    product_ = std::make_unique<ChainProduct>(static_cast<uint32_t>(bound_), meter_);
  }
}

// A join takes a step for each binding, a product one for each word of the rows that a pair of the
// first factor adds. Bindings are counted as if numbers were drawn.
bool Stratum::is_cheaper_as_product(const StratumRule& rule) const {
  constexpr double kBinding = 5, kWord = 0.08, kRow = 3;  // ns
  if (!rule.recursive.empty() || !rule.chain || rule.chain->factors.size() < 2) return false;
  if (bound_ > UINT32_MAX || BitMatrix::bytes_of(bound_, bound_) > kLargestMatrix) return false;
  const auto nodes = static_cast<double>(bound_), words = nodes / 64;
  double bindings = 1, rows = nodes;
  for (size_t f = 0; f < rule.chain->factors.size(); ++f) {
    const auto size = static_cast<double>(
        relations_[static_cast<size_t>(rule.chain->factors[f].relation)].size());
    bindings *= f == 0 ? size : size / nodes;
    rows += size;
  }
  return bindings * kBinding > 2 * rows * (kRow + kWord * words);
}

// Makes the relation of a head a matrix of bits where that is smaller.
void Stratum::choose_layout(int head, HeadDelta& delta, bool first) {
  const Relation& of = relation(head);
  if (of.arity() != 2 || bound_ > UINT32_MAX || bound_ == 0) return;
  const int64_t matrix = BitMatrix::bytes_of(bound_, bound_);
  bool wanted = of.layout() == RelationLayout::bits || options_.matrices == MatrixUse::always;
  wanted = wanted || delta.multiplied;
  if (!wanted && delta.chained) {
    int64_t input = of.bytes();
    for (const StratumRule& rule : rules_) {
      if (!first || rule.head != head) continue;
      for (const Literal& atom : rule.body.atoms) input += 8 * relation(atom.relation).size();
    }
    wanted = matrix <= kSmallMatrix || matrix <= (first ? 8 : 1) * input;
  } else if (!wanted) {
    wanted = matrix < of.bytes() / 16;
  }
  if (wanted && matrix <= kLargestMatrix) make_matrix(head, delta);
}

void Stratum::make_matrix(int head, HeadDelta& delta) {
  Relation& of = relation(head);
  const auto n = static_cast<uint32_t>(bound_);
  if (of.layout() != RelationLayout::bits || of.bits().rows() != n || of.bits().columns() != n) {
    // the relation, its delta and the next one
    meter_.check_bytes(bytes(), 3 * BitMatrix::bytes_of(n, n));
    BitMatrix bits(n, n);
    of.for_each([&](const uint32_t* pair) { set_bit(bits.row(pair[0]), pair[1]); });
    delta.bits = SparseRows(n, n);
    for (int64_t i = delta.begin; i < delta.end; ++i) {
      const uint32_t* pair = of.rows().row(i);
      set_bit(delta.bits.use(pair[0]), pair[1]);
    }
    of.replace(std::move(bits), of.size());
    indexes_.drop(head);
  } else {
    delta.bits = SparseRows(n, n);
  }
  delta.next = SparseRows(n, n);
  delta.begin = delta.end = 0;
}

// New tuples that the rest of a join will find, if it finds as many as so far.
int64_t Stratum::expected(int64_t found) const {
  constexpr double kEnough = 1.0 / 16;
  const double progress = join_.progress();
  return progress < kEnough ? 0
                            : static_cast<int64_t>(static_cast<double>(found) / progress) - found;
}

// `expected`: further tuples that are likely to follow. A table that has to grow makes room for
// them, up to four times its size.
int64_t Stratum::insert(int number, const uint32_t* tuples, int64_t count, int64_t expected) {
  Relation& to = relation(number);
  if (to.layout() == RelationLayout::bits) {
    SparseRows& next = deltas_.at(number).next;
    int64_t added = 0;
    for (int64_t i = 0; i < count; ++i) {
      const uint32_t x = tuples[2 * i], y = tuples[2 * i + 1];
      uint64_t* row = to.bits().row(x);
      if (has_bit(row, y)) continue;
      set_bit(row, y);
      set_bit(next.use(x), y);
      ++added;
    }
    to.set_bits_size(to.size() + added);
    return added;
  }
  RowTable& rows = to.rows();
  if (const int64_t more = rows.growth(count)) {
    const int64_t now = bytes(), ahead = std::min(count + expected, 3 * rows.size());
    meter_.check_bytes(now, more);
    if (ahead > count && meter_.has_bytes(now, rows.growth(ahead))) rows.reserve(ahead);
  }
  return rows.insert_all(tuples, count);
}

// Whether a rule is evaluated as a product of matrices: its relations that grow are matrices.
bool Stratum::uses_products(const StratumRule& rule) const {
  auto is_matrix = [this](int number) {
    return relations_[static_cast<size_t>(number)].layout() == RelationLayout::bits;
  };
  if (!rule.chain || !is_matrix(rule.head)) return false;
  if (rule.recursive.empty()) return rule.multiplies;
  return std::all_of(rule.recursive.begin(), rule.recursive.end(), [&](int atom) {
    return is_matrix(rule.body.atoms[static_cast<size_t>(atom)].relation);
  });
}

void Stratum::run(StratumRule& rule, int delta_atom, const JoinDelta& delta) {
  meter_.set_rule(rule.number);
  if (uses_products(rule) && (delta_atom < 0 || delta.bits)) {
    run_product(rule, delta_atom, delta);
    return;
  }
  const int head = rule.head;
  int64_t found = 0;
  auto sink = [&](const uint32_t* tuples, int64_t count) {
    const int64_t added = insert(head, tuples, count, expected(found));
    found += added;
    meter_.add_tuples(added);
    return true;
  };
  // Graphs for it are made from all tuples, so relations that grow are joined otherwise.
  if (rule.recursive.empty() && delta_atom < 0 && CyclicJoin::fits(rule.body, relations_)) {
    explain(rule, "cyclic join, by variables", false);
    CyclicJoin(rule.body, relations_, meter_).run(sink);
    return;
  }
  const BodyPlan plan = plan_body(rule.body, delta_atom, relations_, indexes_);
  explain(rule, "join: " + plan.text(), delta_atom >= 0);
  join_.run(plan, rule.body.out, delta, sink);
}

void Stratum::run_product(StratumRule& rule, int delta_atom, const JoinDelta& delta) {
  std::vector<ProductFactor> product;
  for (size_t f = 0; f < rule.chain->factors.size(); ++f) {
    ProductFactor factor = factors_->get(rule.chain->factors[f]);
    if (rule.chain->atoms[f] == delta_atom) {
      factor.bits = &delta.bits->matrix();
      factor.used = delta.bits;
      factor.count = 0;
      for (uint32_t r : delta.bits->used()) {
        factor.count += bit_tiles().count(factor.bits->row(r), factor.bits->words());
      }
    }
    product.push_back(factor);
  }
  const SparseRows& found = product_->multiply(std::move(product));
  if (meter_.limits_bytes()) meter_.check_bytes(bytes());
  Relation& to = relation(rule.head);
  SparseRows& next = deltas_.at(rule.head).next;
  const BitTiles& tiles = bit_tiles();
  const int64_t words = found.matrix().words();
  int64_t added = 0;
  for (uint32_t r : found.used()) {
    const uint64_t* row = found.matrix().row(r);
    uint64_t* known = to.bits().row(r);
    // the diagonal counts as known meanwhile
    const bool hidden = rule.chain->irreflexive && has_bit(row, r) && !has_bit(known, r);
    if (hidden) set_bit(known, r);
    if (tiles.adds(known, row, words)) added += tiles.merge(known, next.use(r), row, words);
    if (hidden) known[r / 64] &= ~(uint64_t{1} << (r % 64));
    if (added > meter_.tuples_left()) break;
  }
  to.set_bits_size(to.size() + added);
  meter_.work(static_cast<int64_t>(found.used().size()) * words);
  meter_.add_tuples(added);
  explain(rule, "product of bit matrices", true);
}

// All rules with all tuples, or with those added.
void Stratum::first_round(const Group& group) {
  meter_.set_rule(group[0]->number);
  meter_.add_iteration();
  if (!added_.empty()) {
    for (StratumRule* rule : group) {
      for (size_t a = 0; a < rule->body.atoms.size(); ++a) {
        const Relation& of = added_[static_cast<size_t>(rule->body.atoms[a].relation)];
        if (of.size()) run(*rule, static_cast<int>(a), {{&of.rows(), 0, of.size()}});
      }
    }
    return;
  }
  for (StratumRule* rule : group) {
    if (rule->recursive.empty()) run(*rule, -1, {});
  }
  // Rules that are evaluated with everything now need not see it again as a delta.
  for (auto& [head, delta] : deltas_) {
    choose_layout(head, delta, false);
    if (relation(head).layout() == RelationLayout::bits) {
      delta.next.clear();
    } else {
      delta.begin = delta.end = relation(head).size();
    }
  }
  for (StratumRule* rule : group) {
    if (!rule->recursive.empty()) run(*rule, -1, {});
  }
}

void Stratum::collect_added(int head, const HeadDelta& delta) {
  Relation& to = added_[static_cast<size_t>(head)];
  if (delta.begin < delta.end) {
    to.rows().insert_all(relation(head).rows().row(delta.begin), delta.end - delta.begin);
  }
  const BitMatrix& matrix = delta.bits.matrix();
  for (uint32_t r : delta.bits.used()) {
    for_bits(matrix.row(r), matrix.words(), [&](uint32_t second) {
      const uint32_t pair[2] = {r, second};
      to.rows().insert(pair);
      return true;
    });
  }
}

// What was found in this round becomes the delta of the next one.
void Stratum::advance() {
  for (auto& [head, delta] : deltas_) {
    if (relation(head).layout() == RelationLayout::bits) {
      delta.bits.clear();
      std::swap(delta.bits, delta.next);
    } else {
      delta.begin = delta.end;
      delta.end = relation(head).size();
      choose_layout(head, delta, false);
    }
    if (!added_.empty()) collect_added(head, delta);
  }
}

void Stratum::later_rounds(const Group& group) {
  const bool recursive = std::any_of(
      group.begin(), group.end(), [](const StratumRule* rule) { return !rule->recursive.empty(); });
  for (;;) {
    advance();
    const bool done = std::all_of(deltas_.begin(), deltas_.end(),
                                  [](const auto& entry) { return entry.second.empty(); });
    if (done || !recursive) return;
    meter_.set_rule(group[0]->number);
    meter_.add_iteration();
    for (StratumRule* rule : group) {
      for (int atom : rule->recursive) {
        const int of = rule->body.atoms[static_cast<size_t>(atom)].relation;
        const HeadDelta& delta = deltas_.at(of);
        if (delta.empty()) continue;
        if (relation(of).layout() == RelationLayout::bits) {
          run(*rule, atom, {{}, &delta.bits});
        } else {
          run(*rule, atom, {{&relation(of).rows(), delta.begin, delta.end}});
        }
      }
    }
  }
}

}  // namespace gyre
