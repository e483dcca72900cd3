#include "gyre/relation/relation.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/relation/fixpoint_limits.h"
#include "gyre/relation/storage/digraph.h"
#include "gyre/relation/storage/set_union.h"
#include "gyre/relation/storage/sort_tuples.h"

namespace gyre {
namespace {

constexpr int64_t kMostMatrixBytes = int64_t{1} << 34;
constexpr uint64_t kMostRowsOfSets = uint64_t{1} << 28;

int checked_arity(int arity) {
  if (arity < 0 || arity > Relation::kMostColumns) {
    throw mismatch(Code::value, "Relation", "the arity must be 0 to 16", "0 to 16", arity);
  }
  return arity;
}

void check_width(std::span<const uint32_t> tuple, int arity) {
  if (static_cast<int>(tuple.size()) != arity) {
    throw mismatch(Code::shape, "Relation", {"a tuple must have ", arity, " numbers"}, arity,
                   tuple.size());
  }
}

}  // namespace

const char* name_of(RelationLayout layout) {
  constexpr const char* kNames[] = {"rows", "bits", "sets"};
  return kNames[static_cast<int>(layout)];
}

Relation::Relation(int arity) : arity_(checked_arity(arity)), rows_(arity) {}

int64_t Relation::size() const {
  switch (layout_) {
    case RelationLayout::bits:
      return bits_size_;
    case RelationLayout::sets:
      return sets_->size();
    default:
      return rows_.size();
  }
}

uint64_t Relation::number_bound() const {
  switch (layout_) {
    case RelationLayout::bits:
      return std::max(bits_.rows(), bits_.columns());
    case RelationLayout::sets:
      return std::max(sets_->rows(), sets_->universe());
    default:
      return rows_.bound();
  }
}

bool Relation::insert_bit(const uint32_t* pair) {
  if (bits_.has(pair[0], pair[1])) return false;
  if (pair[0] >= bits_.rows() || pair[1] >= bits_.columns()) {
    make_rows();
    return rows_.insert(pair);
  }
  set_bit(bits_.row(pair[0]), pair[1]);
  ++bits_size_;
  return true;
}

bool Relation::insert(std::span<const uint32_t> tuple) {
  check_width(tuple, arity_);
  if (layout_ == RelationLayout::bits) return insert_bit(tuple.data());
  if (layout_ == RelationLayout::sets) {
    if (contains(tuple)) return false;
    make_rows();
  }
  return rows_.insert(tuple.data());
}

void Relation::insert_all(std::span<const uint32_t> tuples) {
  if (tuples.empty()) return;
  if (arity_ == 0 || tuples.size() % static_cast<size_t>(arity_) != 0) {
    throw mismatch(Code::shape, "Relation", {"tuples must have ", arity_, " numbers each"}, arity_,
                   tuples.size());
  }
  if (layout_ == RelationLayout::rows) {
    rows_.insert_all(tuples.data(), static_cast<int64_t>(tuples.size()) / arity_);
    return;
  }
  for (size_t i = 0; i < tuples.size(); i += 2) insert(tuples.subspan(i, 2));
}

bool Relation::contains(std::span<const uint32_t> tuple) const {
  check_width(tuple, arity_);
  switch (layout_) {
    case RelationLayout::bits:
      return bits_.has(tuple[0], tuple[1]);
    case RelationLayout::sets:
      return sets_->row(tuple[0]).contains(tuple[1]);
    default:
      return rows_.contains(tuple.data());
  }
}

std::vector<uint32_t> Relation::sorted() const {
  std::vector<uint32_t> tuples;
  tuples.reserve(static_cast<size_t>(size() * arity_));
  for_each([&](const uint32_t* tuple) { tuples.insert(tuples.end(), tuple, tuple + arity_); });
  if (layout_ == RelationLayout::rows) sort_tuples(tuples, arity_);
  return tuples;
}

int64_t Relation::bytes() const {
  return rows_.bytes() + bits_.bytes() + (sets_ ? sets_->bytes() : 0);
}

void Relation::make_rows() {
  if (layout_ == RelationLayout::rows) return;
  RowTable rows(arity_);
  rows.reserve(size());
  for_each([&](const uint32_t* tuple) { rows.insert(tuple); });
  rows_ = std::move(rows);
  bits_ = {};
  sets_ = {};
  layout_ = RelationLayout::rows;
}

void Relation::make_bits(uint32_t rows, uint32_t columns) {
  BitMatrix bits(rows, columns);
  for_each([&](const uint32_t* pair) { set_bit(bits.row(pair[0]), pair[1]); });
  replace(std::move(bits), size());
}

void Relation::make_sets() {
  const EdgeSource self{this};
  const uint64_t count = node_count({&self, 1});
  if (count > kMostRowsOfSets) {
    throw Error(Code::resource, "Relation", "numbers above 2^28 cannot be rows of sets");
  }
  const auto nodes = static_cast<uint32_t>(count);
  const Digraph graph = make_digraph({&self, 1}, nodes);
  const FixpointMeter unlimited({}, nullptr);
  SetUnion row(nodes);
  RowSets sets(nodes, nodes);
  for (uint32_t node = 0; node < nodes; ++node) {
    row.clear();
    for (uint32_t target : graph.of(node)) row.add(target);
    const uint32_t set = row.store(sets, unlimited, 0);
    if (set != RowSets::kNoSet) sets.assign(node, set);
  }
  replace(std::move(sets));
}

void Relation::set_layout(RelationLayout layout) {
  if (layout == layout_) return;
  if (layout == RelationLayout::rows) return make_rows();
  if (arity_ != 2) {
    throw mismatch(Code::value, "Relation",
                   {"a relation with the layout ", name_of(layout), " must be binary"}, 2, arity_);
  }
  if (layout == RelationLayout::sets) return make_sets();
  uint64_t rows = 0, columns = 0;
  for_each([&](const uint32_t* pair) {
    rows = std::max<uint64_t>(rows, uint64_t{pair[0]} + 1);
    columns = std::max<uint64_t>(columns, uint64_t{pair[1]} + 1);
  });
  if (std::max(rows, columns) > UINT32_MAX ||
      BitMatrix::bytes_of(rows, columns) > kMostMatrixBytes) {
    throw Error(Code::resource, "Relation", "the matrix of bits would be larger than 16 GB");
  }
  make_bits(static_cast<uint32_t>(rows), static_cast<uint32_t>(columns));
}

void Relation::replace(BitMatrix bits, int64_t size) {
  bits_ = std::move(bits);
  bits_size_ = size;
  rows_ = RowTable(arity_);
  sets_ = {};
  layout_ = RelationLayout::bits;
}

void Relation::replace(RowSets sets) {
  sets_ = std::make_shared<const RowSets>(std::move(sets));
  rows_ = RowTable(arity_);
  bits_ = {};
  layout_ = RelationLayout::sets;
}

}  // namespace gyre
