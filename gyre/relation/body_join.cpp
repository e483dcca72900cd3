#include "gyre/relation/body_join.h"

#include <algorithm>

namespace gyre {

BodyJoin::BodyJoin(std::span<const Relation> relations, IndexCache& indexes, FixpointMeter& meter)
    : relations_(relations), indexes_(indexes), meter_(meter) {}

void BodyJoin::run(const BodyPlan& plan, std::span<const Term> out, RowRange delta, Sink sink) {
  plan_ = &plan;
  out_ = out;
  delta_ = delta;
  sink_ = &sink;
  done_ = false;
  buffered_ = 0;
  buffer_.resize(std::max<size_t>(1, out.size() * kBuffered));
  index_.assign(plan.steps.size(), nullptr);
  ends_.assign(plan.steps.size(), 0);
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const JoinStep& step = plan.steps[s];
    if (step.kind == JoinStep::probe) {
      index_[s] = &indexes_.get(step.literal.relation, step.key);
    } else if (step.kind == JoinStep::scan) {
      ends_[s] = relations_[static_cast<size_t>(step.literal.relation)].size();
    }
    for (const auto& [column, variable] : step.binds) {
      if (variable >= values_.size()) values_.resize(variable + size_t{1});
    }
  }
  step(0);
  flush();
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
  const RowRange rows =
      step.delta ? delta_
                 : RowRange{&relations_[static_cast<size_t>(step.literal.relation)].rows(), 0,
                            ends_[number]};
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    const uint32_t* tuple = rows.table->row(i);
    bool fits = true;
    for (uint32_t left = step.key; left; left &= left - 1) {
      const auto c = static_cast<size_t>(__builtin_ctz(left));
      fits &= tuple[c] == value_of(step.literal.terms[c]);
    }
    if (fits && !match(step, tuple, number)) return;
  }
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
    case JoinStep::probe: {
      uint32_t key[Relation::kMostColumns], *end = key;
      for (uint32_t left = step.key; left; left &= left - 1) {
        *end++ = value_of(step.literal.terms[static_cast<size_t>(__builtin_ctz(left))]);
      }
      index_[number]->for_matches(
          relations_[static_cast<size_t>(step.literal.relation)], key,
          [&](const uint32_t* tuple) { return match(step, tuple, number); });
      break;
    }
    default:
      if (holds(step)) this->step(number + 1);
  }
}

}  // namespace gyre
