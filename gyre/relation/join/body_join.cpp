#include "gyre/relation/join/body_join.h"

#include <algorithm>

namespace gyre {

BodyJoin::BodyJoin(std::span<const Relation> relations, IndexCache& indexes, FixpointMeter& meter)
    : relations_(relations), indexes_(indexes), meter_(meter) {}

void BodyJoin::run(const BodyPlan& plan, std::span<const Term> out, const JoinDelta& delta,
                   Sink sink) {
  plan_ = &plan;
  out_ = out;
  delta_ = delta;
  sink_ = &sink;
  done_ = false;
  buffered_ = scanned_ = to_scan_ = 0;
  buffer_.resize(std::max<size_t>(1, out.size() * kBuffered));
  index_.assign(plan.steps.size(), nullptr);
  transposed_.assign(plan.steps.size(), nullptr);
  ends_.assign(plan.steps.size(), 0);
  for (size_t s = 0; s < plan.steps.size(); ++s) prepare(plan.steps[s], s);
  step(0);
  flush();
}

void BodyJoin::prepare(const JoinStep& step, size_t number) {
  for (const auto& [column, variable] : step.binds) {
    if (variable >= values_.size()) values_.resize(variable + size_t{1});
  }
  if (step.kind != JoinStep::probe && step.kind != JoinStep::scan) return;
  const Relation& relation = relations_[static_cast<size_t>(step.literal.relation)];
  if (step.kind == JoinStep::scan) {
    ends_[number] = relation.size();
  } else if (relation.layout() == RelationLayout::bits && step.key == 2) {
    transposed_[number] = &indexes_.transposed(step.literal.relation);
  } else if (relation.layout() == RelationLayout::rows || step.key == 2) {
    index_[number] = &indexes_.get(step.literal.relation, step.key);
  }
}

void BodyJoin::emit() {
  uint32_t* to = buffer_.data() + static_cast<size_t>(buffered_) * out_.size();
  for (const Term& term : out_) *to++ = value_of(term);
  if (++buffered_ == kBuffered) flush();
}

void BodyJoin::flush() {
  if (buffered_ == 0) return;
  meter_.work(8 * buffered_);
  if (!(*sink_)(buffer_.data(), buffered_)) done_ = true;
  buffered_ = 0;
}

// Binds the variables of the step to a tuple and takes the next steps. False: no further tuple is
// needed.
bool BodyJoin::match(const JoinStep& step, const uint32_t* tuple, size_t number) {
  meter_.work(1);
  for (const auto& [a, b] : step.same) {
    if (tuple[a] != tuple[b]) return true;
  }
  for (const auto& [column, variable] : step.binds) values_[variable] = tuple[column];
  this->step(number + 1);
  return !step.once && !done_;
}

void BodyJoin::scan(const JoinStep& step, size_t number) {
  auto visit = [&](const uint32_t* tuple) {
    return !agrees(step, tuple) || match(step, tuple, number);
  };
  const Relation& relation = relations_[static_cast<size_t>(step.literal.relation)];
  if (step.delta && delta_.bits) {
    const BitMatrix& matrix = delta_.bits->matrix();
    uint32_t pair[2];
    for (uint32_t row : delta_.bits->used()) {
      pair[0] = row;
      const bool more = for_bits(matrix.row(row), matrix.words(), [&](uint32_t second) {
        pair[1] = second;
        return visit(pair);
      });
      if (!more) return;
    }
  } else if (!step.delta && relation.layout() != RelationLayout::rows) {
    relation.visit(visit);
  } else {
    scan_rows(step, number,
              step.delta ? delta_.rows : RowRange{&relation.rows(), 0, ends_[number]});
  }
}

// The columns of a scanned tuple that are the key of the index that the next step probes; none if
// it is another step or has another key.
std::vector<int> BodyJoin::columns_of_next_key(const JoinStep& step, size_t number) const {
  std::vector<int> columns;
  if (number + 1 >= plan_->steps.size() || !index_[number + 1]) return columns;
  const JoinStep& next = plan_->steps[number + 1];
  for (uint32_t left = next.key; left; left &= left - 1) {
    const Term& term = next.literal.terms[static_cast<size_t>(__builtin_ctz(left))];
    const auto& binds = step.binds;
    const auto bind = std::find_if(binds.begin(), binds.end(), [&](const auto& b) {
      return term.variable && b.second == term.value;
    });
    if (bind == binds.end()) return {};
    columns.push_back(bind->first);
  }
  return columns;
}

void BodyJoin::scan_rows(const JoinStep& step, size_t number, RowRange rows) {
  constexpr int64_t kGroupsAhead = 24, kTuplesAhead = 12;
  const std::vector<int> next = columns_of_next_key(step, number);
  auto prefetch = [&](int64_t i, int stage) {
    if (i >= rows.end) return;
    uint32_t key[Relation::kMostColumns];
    const uint32_t* tuple = rows.table->row(i);
    for (size_t c = 0; c < next.size(); ++c) key[c] = tuple[next[c]];
    index_[number + 1]->prefetch(key, stage);
  };
  if (number == 0) to_scan_ = rows.end - rows.begin;
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    if (number == 0) scanned_ = i - rows.begin + 1;
    if (!next.empty()) {
      prefetch(i + kGroupsAhead, 0);
      prefetch(i + kTuplesAhead, 1);
    }
    const uint32_t* tuple = rows.table->row(i);
    if (agrees(step, tuple) && !match(step, tuple, number)) return;
  }
}

// Whether the columns that are bound before have their values.
bool BodyJoin::agrees(const JoinStep& step, const uint32_t* tuple) const {
  for (uint32_t left = step.key; left; left &= left - 1) {
    const auto c = static_cast<size_t>(__builtin_ctz(left));
    if (tuple[c] != value_of(step.literal.terms[c])) return false;
  }
  return true;
}

void BodyJoin::probe(const JoinStep& step, size_t number) {
  const Relation& relation = relations_[static_cast<size_t>(step.literal.relation)];
  auto visit = [&](const uint32_t* tuple) { return match(step, tuple, number); };
  if (index_[number]) {
    uint32_t key[Relation::kMostColumns], *end = key;
    for (uint32_t left = step.key; left; left &= left - 1) {
      *end++ = value_of(step.literal.terms[static_cast<size_t>(__builtin_ctz(left))]);
    }
    index_[number]->for_matches(relation, key, visit);
    return;
  }
  uint32_t pair[2];
  if (const BitMatrix* transposed = transposed_[number]) {
    pair[1] = value_of(step.literal.terms[1]);
    if (pair[1] >= transposed->rows()) return;
    for_bits(transposed->row(pair[1]), transposed->words(), [&](uint32_t first) {
      pair[0] = first;
      return visit(pair);
    });
    return;
  }
  pair[0] = value_of(step.literal.terms[0]);
  relation.visit_row(pair[0], [&](uint32_t second) {
    pair[1] = second;
    return visit(pair);
  });
}

// Whether the check of bound variables holds.
bool BodyJoin::holds(const JoinStep& step) const {
  const std::vector<Term>& terms = step.literal.terms;
  if (step.kind == JoinStep::compare) {
    const uint32_t a = value_of(terms[0]), b = value_of(terms[1]);
    switch (step.literal.kind) {
      case Literal::not_equal:
        return a != b;
      case Literal::less:
        return a < b;
      default:
        return a <= b;
    }
  }
  uint32_t tuple[Relation::kMostColumns];
  for (size_t c = 0; c < terms.size(); ++c) tuple[c] = value_of(terms[c]);
  return relations_[static_cast<size_t>(step.literal.relation)].contains({tuple, terms.size()}) ==
         (step.kind == JoinStep::test);
}

void BodyJoin::step(size_t number) {
  if (number == plan_->steps.size()) {
    emit();
    return;
  }
  const JoinStep& step = plan_->steps[number];
  switch (step.kind) {
    case JoinStep::scan:
      scan(step, number);
      break;
    case JoinStep::probe:
      probe(step, number);
      break;
    default:
      if (holds(step)) this->step(number + 1);
  }
}

}  // namespace gyre
