#include "gyre/logic/run/value_relations.h"

#include <algorithm>
#include <cmath>

#include "gyre/io/csv.h"
#include "gyre/logic/analysis/index_value.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre::logic {
namespace {

const Domain* domain_of(const Names& names, const Axis& axis) {
  return axis.domain < 0 ? nullptr : &names.domains[static_cast<size_t>(axis.domain)];
}

// The elements of an axis that relations may have, and their integers.
class Elements {
 public:
  Elements(const Names& names, const Axis& axis)
      : domain_(domain_of(names, axis)), count_(std::min(names.size_of(axis), int64_t{1} << 32)) {}

  [[nodiscard]] int64_t count() const { return count_; }
  [[nodiscard]] int64_t value(int64_t element) const {
    return domain_ ? domain_->integer(static_cast<uint32_t>(element)).value_or(0) : element;
  }
  [[nodiscard]] std::optional<uint32_t> find(int64_t value) const {
    if (domain_) return domain_->find({std::to_string(value), true, false, {}});
    if (value < 0 || value >= count_) return std::nullopt;
    return static_cast<uint32_t>(value);
  }

 private:
  const Domain* domain_;
  int64_t count_;
};

}  // namespace

bool compares(Operator op, int64_t a, int64_t b) {
  switch (op) {
    case Operator::less:
      return a < b;
    case Operator::less_equal:
      return a <= b;
    case Operator::greater:
      return a > b;
    case Operator::equal:
      return a == b;
    case Operator::not_equal:
      return a != b;
    default:
      return a >= b;
  }
}

std::vector<int64_t> ValueRelation::sizes_now(const Names& names) const {
  std::vector<int64_t> now;
  for (const Axis& axis : axes) now.push_back(names.size_of(axis));
  return now;
}

void require_integers(const Names& names, const Axis& axis, Place place) {
  const Domain* domain = domain_of(names, axis);
  if (!domain || domain->numbered >= 0) return;
  for (uint32_t i = 0; i < domain->size(); ++i) {
    if (domain->integer(i)) continue;
    refuse(DiagnosticCode::E0205, place,
           {"order and arithmetic are of integers, '", domain->symbol(i).text,
            "' of the domain is none"});
  }
}

Tensor numbers_of(const Names& names, const Axis& axis, DType dtype, Place place) {
  const Domain* domain = domain_of(names, axis);
  const int64_t size = names.size_of(axis);
  if (!domain || domain->numbered >= 0)
    return arange(0, static_cast<double>(size), 1, {.dtype = dtype});
  std::vector<double> values;
  for (uint32_t i = 0; i < size; ++i) {
    double value = 0;
    if (csv_number(domain->symbols[i], value) && std::isfinite(value)) {
      values.push_back(value);
    } else if (domain->open) {
      refuse(DiagnosticCode::E0205, place,
             {"'", domain->symbol(i).text, "', a symbol of this index, is no number"});
    } else {
      return arange(0, static_cast<double>(size), 1, {.dtype = dtype});
    }
  }
  return to(tensor(values, {size}), dtype);
}

ValueRelation computed_values(const Names& names, int relation, const Expr& e,
                              const std::vector<NamedAxis>& inputs, const Axis& result) {
  ValueRelation v{relation, {}, e.place, {}};
  for (const NamedAxis& input : inputs) v.axes.push_back(input.axis);
  for (const Axis& axis : v.axes) require_integers(names, axis, e.place);
  v.list = [e, inputs, result](const Names& all, FixpointMeter& meter, InsertTuple insert) {
    const Elements results(all, result);
    std::vector<Elements> elements;
    for (const NamedAxis& input : inputs) elements.emplace_back(all, input.axis);
    if (std::any_of(elements.begin(), elements.end(), [](const auto& l) { return l.count() == 0; }))
      return;
    std::vector<int64_t> at(inputs.size(), 0);
    std::vector<uint32_t> tuple(inputs.size() + 1);
    const auto value_of = [&](const std::string& name) -> std::optional<int64_t> {
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].name == name) return elements[i].value(at[i]);
      }
      return all.constants.at(name);
    };
    for (size_t i = 1; i > 0;) {
      meter.work(8);
      const std::optional<int64_t> value = index_value(e, value_of);
      if (const auto element = value ? results.find(*value) : std::nullopt) {
        std::copy(at.begin(), at.end(), tuple.begin());
        tuple.back() = *element;
        insert(tuple);
      }
      for (i = at.size(); i > 0 && ++at[i - 1] == elements[i - 1].count(); --i) at[i - 1] = 0;
    }
  };
  v.axes.push_back(result);
  return v;
}

ValueRelation ordered_values(const Names& names, int relation, const Axis& axis, Operator op,
                             int64_t bound, Place place) {
  require_integers(names, axis, place);
  return {relation,
          {axis},
          place,
          [axis, op, bound](const Names& all, FixpointMeter& meter, InsertTuple insert) {
            const Elements elements(all, axis);
            for (int64_t i = 0; i < elements.count(); ++i) {
              meter.work(2);
              if (compares(op, elements.value(i), bound)) insert({{static_cast<uint32_t>(i)}});
            }
          }};
}

ValueRelation ranked_values(const Names& names, int relation, const Axis& axis, const Axis& other,
                            Place place) {
  require_integers(names, axis, place);
  require_integers(names, other, place);
  return {relation,
          {axis, other},
          place,
          [axis, other](const Names& all, FixpointMeter& meter, InsertTuple insert) {
            std::vector<int64_t> values;
            for (const Axis& a : {axis, other}) {
              const Elements elements(all, a);
              for (int64_t i = 0; i < elements.count(); ++i) {
                meter.work(8);
                values.push_back(elements.value(i));
              }
            }
            std::sort(values.begin(), values.end());
            const Elements elements(all, axis);
            for (int64_t i = 0; i < elements.count(); ++i) {
              const auto rank = std::lower_bound(values.begin(), values.end(), elements.value(i)) -
                                values.begin();
              insert({{static_cast<uint32_t>(i), static_cast<uint32_t>(rank)}});
            }
          }};
}

}  // namespace gyre::logic
