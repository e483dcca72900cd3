#include "gyre/relation/matrix/chain_product.h"

#include <algorithm>

#include "gyre/relation/matrix/bit_table.h"

namespace gyre {
namespace {

constexpr double kWordCost = 0.08, kRowCost = 3, kBitCost = 1.5, kBlockCost = 300;  // ns

// Relations that would fill a larger share of their matrix than one in so many are made bits.
constexpr int64_t kDenseShare = 64;

bool is_sparse(const ProductFactor& f) { return f.forward; }

size_t used_rows(const ProductFactor& f) { return f.used ? f.used->used().size() : f.bits->rows(); }

template <class F>
void for_used(const ProductFactor& f, F visit) {
  if (f.used) {
    for (uint32_t r : f.used->used()) visit(r);
  } else {
    for (uint32_t r = 0; r < f.bits->rows(); ++r) visit(r);
  }
}

}  // namespace

ChainProduct::ChainProduct(uint32_t nodes, FixpointMeter& meter)
    : nodes_(nodes), words_(BitMatrix::row_words(nodes)), meter_(meter), tiles_(bit_tiles()) {}

const SparseRows& ChainProduct::multiply(std::vector<ProductFactor> factors) {
  for (SparseRows& rows : made_) {
    rows.clear();
    free_.push_back(std::move(rows));
  }
  made_.clear();
  matrices_.clear();
  while (factors.size() > 1) {
    size_t best = 0;
    double least = cost(factors[0], factors[1]);
    for (size_t i = 1; i + 1 < factors.size(); ++i) {
      const double here = cost(factors[i], factors[i + 1]);
      if (here < least) {
        least = here;
        best = i;
      }
    }
    last_ = factors.size() == 2;
    factors[best] = multiply(factors[best], factors[best + 1]);
    factors.erase(factors.begin() + static_cast<int64_t>(best) + 1);
  }
  return finish(factors[0]);
}

SparseRows ChainProduct::zero() {
  if (free_.empty()) return {nodes_, nodes_};
  SparseRows rows = std::move(free_.back());
  free_.pop_back();
  return rows;
}

int64_t ChainProduct::bytes() const {
  int64_t sum = 0;
  for (const SparseRows& rows : made_) sum += rows.matrix().bytes();
  for (const SparseRows& rows : free_) sum += rows.matrix().bytes();
  for (const BitMatrix& matrix : matrices_) sum += matrix.bytes();
  return sum;
}

double ChainProduct::row_cost() const { return kRowCost + kWordCost * double(words_); }
double ChainProduct::transpose_cost() const { return double(words_) * double(words_) * kBlockCost; }

// Ones of `from` that meet a row in use of `rows`.
double ChainProduct::meeting(const ProductFactor& from, const ProductFactor& rows) const {
  return double(from.count) * double(used_rows(rows)) / double(nodes_);
}
double ChainProduct::scatter_cost(int64_t ones, const ProductFactor& sparse) const {
  return double(ones) * (1 + double(sparse.count) / double(nodes_)) * kBitCost;
}

// Of a sparse factor times the bits that another one is made.
double ChainProduct::filled_cost(const ProductFactor& x, const ProductFactor& y) const {
  return double(nodes_) * row_cost() + double(y.count) * kBitCost + double(x.count) * row_cost();
}

double ChainProduct::cost(const ProductFactor& x, const ProductFactor& y) const {
  if (is_sparse(x) && is_sparse(y)) return std::min(scatter_cost(x.count, y), filled_cost(x, y));
  if (is_sparse(x)) {
    const double rows = meeting(x, y) * row_cost();
    if (!y.flipped) return rows;
    return std::min(scatter_cost(y.count, x), transpose_cost() + rows);
  }
  if (is_sparse(y)) {
    const double rows = meeting(y, x) * row_cost();
    if (x.flipped) return rows;
    return std::min(scatter_cost(x.count, y), transpose_cost() + rows);
  }
  const double rows = meeting(x, y) * row_cost() + double(x.count) * kBitCost;
  if (!x.flipped && y.flipped) return transpose_cost() + rows;
  return rows;
}

ProductFactor ChainProduct::keep(SparseRows rows, bool flipped) {
  made_.push_back(std::move(rows));
  const SparseRows& made = made_.back();
  ProductFactor factor;
  factor.bits = &made.matrix();
  factor.used = &made;
  factor.flipped = flipped;
  if (last_ && !flipped) return factor;
  for (uint32_t r : made.used()) factor.count += tiles_.count(made.matrix().row(r), words_);
  meter_.work(static_cast<int64_t>(made.used().size()) * words_);
  return factor;
}

// The same factor with the other value of `flipped`.
ProductFactor ChainProduct::flip(const ProductFactor& f) {
  ProductFactor flipped = f;
  if (f.used) {
    if (static_cast<double>(f.count) * kBitCost < transpose_cost()) {
      made_.push_back(zero());
      SparseRows& result = made_.back();
      for (uint32_t r : f.used->used()) {
        for_bits(f.bits->row(r), words_, [&](uint32_t c) {
          set_bit(result.use(c), r);
          return true;
        });
      }
    } else {
      made_.push_back(f.used->transposed());
    }
    flipped.used = &made_.back();
    flipped.bits = &made_.back().matrix();
  } else {
    matrices_.push_back(f.bits->transposed());
    flipped.bits = &matrices_.back();
  }
  flipped.flipped = !f.flipped;
  meter_.work(words_ * words_ * 64);
  return flipped;
}

// A sparse factor as bits.
ProductFactor ChainProduct::filled(const ProductFactor& f) {
  ProductFactor bits;
  matrices_.emplace_back(nodes_, nodes_);
  BitMatrix& matrix = matrices_.back();
  for (uint32_t i = 0; i < nodes_; ++i) {
    for (uint32_t j : f.forward->of(i)) set_bit(matrix.row(i), j);
  }
  meter_.work(f.count + words_ * nodes_ / 16);
  bits.bits = &matrix;
  bits.count = f.count;
  return bits;
}

ProductFactor ChainProduct::multiply(const ProductFactor& x, const ProductFactor& y) {
  if (is_sparse(x) && is_sparse(y)) {
    const bool fills = filled_cost(x, y) < scatter_cost(x.count, y);
    return keep(fills ? gather(x, filled(y)) : scatter(*x.forward, *y.forward), false);
  }
  if (is_sparse(x)) {
    if (!y.flipped) return keep(combine(x, y), false);
    if (scatter_cost(y.count, x) < transpose_cost() + meeting(x, y) * row_cost()) {
      return keep(scatter(y, *x.backward), true);
    }
    return keep(combine(x, flip(y)), false);
  }
  if (is_sparse(y)) {
    // of the transposes in reverse order
    ProductFactor turned = y;
    std::swap(turned.forward, turned.backward);
    if (x.flipped) return keep(combine(turned, x), true);
    if (scatter_cost(x.count, y) < transpose_cost() + meeting(y, x) * row_cost()) {
      return keep(scatter(x, *y.forward), false);
    }
    return keep(combine(turned, flip(x)), true);
  }
  if (x.flipped && y.flipped) return keep(gather(y, x), true);
  if (x.flipped) return keep(spread(x, y), false);
  return keep(gather(x, y.flipped ? flip(y) : y), false);
}

// Row i is the union of the rows whose numbers are in row i of x.
SparseRows ChainProduct::gather(const ProductFactor& x, const ProductFactor& rows) {
  SparseRows result = zero();
  auto add = [&](uint32_t i) {
    meter_.work(static_cast<int64_t>(list_.size()) * words_ / 16 + 1);
    if (!list_.empty())
      tiles_.gather(result.use(i), rows.bits->row(0), words_, list_.data(),
                    static_cast<int64_t>(list_.size()));
  };
  auto take = [&](uint32_t j) {
    if (!rows.used || rows.used->uses(j)) list_.push_back(j);
    return true;
  };
  if (is_sparse(x)) {
    for (uint32_t i = 0; i < nodes_; ++i) {
      list_.clear();
      for (uint32_t j : x.forward->of(i)) take(j);
      add(i);
    }
  } else {
    for_used(x, [&](uint32_t i) {
      list_.clear();
      for_bits(x.bits->row(i), words_, take);
      add(i);
    });
  }
  return result;
}

// The same with the transpose of x, or of its bits: row j is added to the rows in row j of x.
SparseRows ChainProduct::spread(const ProductFactor& x, const ProductFactor& rows) {
  SparseRows result = zero();
  for_used(rows, [&](uint32_t j) {
    int64_t work = words_ / 16 + 1;
    auto add = [&](uint32_t i) {
      tiles_.gather(result.use(i), rows.bits->row(0), words_, &j, 1);
      work += words_ / 16 + 1;
      return true;
    };
    if (is_sparse(x)) {
      for (uint32_t i : x.backward->of(j)) add(i);
    } else {
      for_bits(x.bits->row(j), words_, add);
    }
    meter_.work(work);
  });
  return result;
}

// A sparse factor times rows, in the order that touches fewer.
SparseRows ChainProduct::combine(const ProductFactor& sparse, const ProductFactor& rows) {
  return 8 * used_rows(rows) < nodes_ ? spread(sparse, rows) : gather(sparse, rows);
}

// As gather() with sparse rows.
SparseRows ChainProduct::scatter(const ProductFactor& x, const Digraph& y) {
  SparseRows result = zero();
  for_used(x, [&](uint32_t i) {
    int64_t work = words_;
    for_bits(x.bits->row(i), words_, [&](uint32_t j) {
      const auto targets = y.of(j);
      if (targets.empty()) return true;
      uint64_t* row = result.use(i);
      for (uint32_t k : targets) set_bit(row, k);
      work += static_cast<int64_t>(targets.size());
      return true;
    });
    meter_.work(work);
  });
  return result;
}

SparseRows ChainProduct::scatter(const Digraph& x, const Digraph& y) {
  SparseRows result = zero();
  for (uint32_t i = 0; i < nodes_; ++i) {
    int64_t work = 1;
    for (uint32_t j : x.of(i)) {
      const auto targets = y.of(j);
      if (targets.empty()) continue;
      uint64_t* row = result.use(i);
      for (uint32_t k : targets) set_bit(row, k);
      work += static_cast<int64_t>(targets.size());
    }
    meter_.work(work);
  }
  return result;
}

// The product as rows that it keeps.
const SparseRows& ChainProduct::finish(const ProductFactor& f) {
  const bool sparse = is_sparse(f);
  const ProductFactor upright = !sparse && f.flipped ? flip(f) : f;
  for (const SparseRows& rows : made_) {
    if (!sparse && upright.used == &rows) return rows;
  }
  SparseRows result = zero();
  if (sparse) {
    for (uint32_t i = 0; i < nodes_; ++i) {
      for (uint32_t j : f.forward->of(i)) set_bit(result.use(i), j);
    }
  } else {
    for_used(upright, [&](uint32_t r) { or_words(result.use(r), upright.bits->row(r), words_); });
  }
  made_.push_back(std::move(result));
  return made_.back();
}

FactorCache::FactorCache(std::span<const Relation> relations, uint32_t nodes)
    : relations_(relations), nodes_(nodes), sparse_(relations.size()), dense_(relations.size()) {}

ProductFactor FactorCache::get(const ChainFactor& factor) {
  const auto number = static_cast<size_t>(factor.relation);
  const Relation& relation = relations_[number];
  ProductFactor found;
  found.count = relation.size();
  found.flipped = factor.reversed;
  if (relation.layout() == RelationLayout::bits && relation.bits().rows() == nodes_ &&
      relation.bits().columns() == nodes_) {
    found.bits = &relation.bits();
    return found;
  }
  const int64_t cells = int64_t{nodes_} * nodes_;
  if (relation.layout() != RelationLayout::rows && relation.size() > cells / kDenseShare) {
    std::unique_ptr<BitMatrix>& dense = dense_[number];
    if (!dense) {
      dense = std::make_unique<BitMatrix>(nodes_, nodes_);
      relation.for_each([&](const uint32_t* pair) { set_bit(dense->row(pair[0]), pair[1]); });
      bytes_ += dense->bytes();
    }
    found.bits = dense.get();
    return found;
  }
  std::unique_ptr<Sparse>& sparse = sparse_[number];
  if (!sparse) {
    const EdgeSource forward{&relation}, backward{&relation, true};
    sparse = std::make_unique<Sparse>(
        Sparse{make_digraph({&forward, 1}, nodes_), make_digraph({&backward, 1}, nodes_)});
    bytes_ += 8 * relation.size() + 16 * int64_t{nodes_};
  }
  found.forward = factor.reversed ? &sparse->backward : &sparse->forward;
  found.backward = factor.reversed ? &sparse->forward : &sparse->backward;
  found.flipped = false;
  return found;
}

}  // namespace gyre
