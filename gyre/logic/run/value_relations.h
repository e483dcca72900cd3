#pragma once
#include <functional>

#include "gyre/base/function_ref.h"
#include "gyre/logic/analysis/names.h"
#include "gyre/relation/fixpoint_limits.h"

namespace gyre::logic {

/// Receives the tuples of a relation that is filled.
using InsertTuple = FunctionRef<void(std::span<const uint32_t> tuple)>;

/// A relation of elements of domains by the integers that they are: those of a numbered domain, and
/// symbols that are written as integers. Filled before what reads it is evaluated, and anew when
/// one of the domains has grown.
struct ValueRelation {
  int relation;            ///< in the store
  std::vector<Axis> axes;  ///< whose elements it depends on
  Place place;
  std::function<void(const Names& names, FixpointMeter& meter, InsertTuple insert)> list;
  std::vector<int64_t> sizes{};  ///< of the axes when it was filled; empty: it is not

  [[nodiscard]] std::vector<int64_t> sizes_now(const Names& names) const;
};

/// Whether two integers compare: == != < <= > >=.
bool compares(Operator op, int64_t a, int64_t b);

/// Refuses (E0205) an axis with elements that are no integers.
void require_integers(const Names& names, const Axis& axis, Place place);

/// The numbers that the elements of an axis are: integers, symbols such as "2.5" of a file, or the
/// places of the words of a declared domain. E0205 for words of an open one, which have no places.
Tensor numbers_of(const Names& names, const Axis& axis, DType dtype, Place place);

/// A variable of a rule, by its name there.
struct NamedAxis {
  std::string name;
  Axis axis;
};
/// The elements of the inputs, and that of `result` which an index expression gives for them; none
/// where the domain of `result` has no such element. E0205.
ValueRelation computed_values(const Names& names, int relation, const Expr& e,
                              const std::vector<NamedAxis>& inputs, const Axis& result);
/// The elements that come before a number, or after it. E0205.
ValueRelation ordered_values(const Names& names, int relation, const Axis& axis, Operator op,
                             int64_t bound, Place place);
/// The elements of an axis and their ranks among the integers of both axes. E0205.
ValueRelation ranked_values(const Names& names, int relation, const Axis& axis, const Axis& other,
                            Place place);

}  // namespace gyre::logic
