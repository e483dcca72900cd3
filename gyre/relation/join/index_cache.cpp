#include "gyre/relation/join/index_cache.h"

namespace gyre {

IndexCache::IndexCache(std::span<const Relation> relations, FixpointMeter& meter)
    : relations_(relations),
      meter_(meter),
      transposed_(relations.size()),
      entries_(relations.size()) {}

const ColumnIndex& IndexCache::get(int relation, uint32_t columns) {
  const Relation& indexed = relations_[static_cast<size_t>(relation)];
  std::vector<Entry>& entries = entries_[static_cast<size_t>(relation)];
  Entry* found = nullptr;
  for (Entry& entry : entries) {
    if (entry.columns == columns) found = &entry;
  }
  if (!found) {
    entries.push_back({columns, std::make_unique<ColumnIndex>(indexed.arity(), columns)});
    found = &entries.back();
  }
  if (meter_.limits_bytes()) meter_.check_bytes(bytes(), found->index->growth(indexed));
  found->index->update(indexed);
  return *found->index;
}

const BitMatrix& IndexCache::transposed(int relation) {
  const Relation& of = relations_[static_cast<size_t>(relation)];
  Transposed& found = transposed_[static_cast<size_t>(relation)];
  if (found.size != of.size()) {
    found.matrix = {};
    meter_.check_bytes(bytes(), BitMatrix::bytes_of(of.bits().columns(), of.bits().rows()));
    found.matrix = of.bits().transposed();
    found.size = of.size();
    meter_.work(found.matrix.bytes() / 16);
  }
  return found.matrix;
}

void IndexCache::drop(int relation) {
  entries_[static_cast<size_t>(relation)].clear();
  transposed_[static_cast<size_t>(relation)] = {};
}

int64_t IndexCache::keys(int relation, uint32_t columns) const {
  for (const Entry& entry : entries_[static_cast<size_t>(relation)]) {
    if (entry.columns == columns) return entry.index->keys();
  }
  return 0;
}

int64_t IndexCache::bytes() const {
  int64_t sum = 0;
  for (const Relation& relation : relations_) sum += relation.bytes();
  for (const Transposed& transposed : transposed_) sum += transposed.matrix.bytes();
  for (const std::vector<Entry>& entries : entries_) {
    for (const Entry& entry : entries) sum += entry.index->bytes();
  }
  return sum;
}

}  // namespace gyre
