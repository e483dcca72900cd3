#include "gyre/relation/relation.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/relation/sort_tuples.h"

namespace gyre {
namespace {

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

Relation::Relation(int arity) : arity_(checked_arity(arity)), rows_(arity) {}

bool Relation::insert(std::span<const uint32_t> tuple) {
  check_width(tuple, arity_);
  return rows_.insert(tuple.data());
}

void Relation::insert_all(std::span<const uint32_t> tuples) {
  if (tuples.empty()) return;
  if (arity_ == 0 || tuples.size() % static_cast<size_t>(arity_) != 0) {
    throw mismatch(Code::shape, "Relation", {"tuples must have ", arity_, " numbers each"}, arity_,
                   tuples.size());
  }
  rows_.insert_all(tuples.data(), static_cast<int64_t>(tuples.size()) / arity_);
}

bool Relation::contains(std::span<const uint32_t> tuple) const {
  check_width(tuple, arity_);
  return rows_.contains(tuple.data());
}

std::vector<uint32_t> Relation::sorted() const {
  std::vector<uint32_t> tuples;
  tuples.reserve(static_cast<size_t>(size() * arity_));
  for_each([&](const uint32_t* tuple) { tuples.insert(tuples.end(), tuple, tuple + arity_); });
  sort_tuples(tuples, arity_);
  return tuples;
}

}  // namespace gyre
