#include <algorithm>
#include <array>

#include "gyre/op/apply.h"
#include "tests/conformance/op_test.h"

// OpDef::local: a changed element of an operand changes no result outside of its row or place.

namespace gyre::conformance {
namespace {

using Coordinates = std::array<int64_t, kMaxRank>;

// The axes that elements of operands and results have in common: those of a broadcast, of which
// `axis` (-1: none) runs along rows.
struct Space {
  Shape shape;
  int axis;
  size_t rows;  // operands before those with one value per row
};

// Coordinates of element i of a tensor in a space, which it may lack the axis of; -1 along axes
// where the element counts everywhere.
Coordinates coordinates(int64_t i, const Shape& shape, const Space& space, bool has_axis) {
  Coordinates at;
  at.fill(-1);
  for (int j = space.shape.rank - 1, a = shape.rank - 1; j >= 0 && a >= 0; --j) {
    if (j == space.axis && !has_axis) continue;
    const int64_t size = shape[a--];
    if (j != space.axis && size == space.shape[j]) at[static_cast<size_t>(j)] = i % size;
    i /= size;
  }
  return at;
}

bool meet(const Coordinates& a, const Coordinates& b) {
  return std::ranges::equal(a, b, [](int64_t p, int64_t q) { return p < 0 || q < 0 || p == q; });
}

class Local : public OpTest {
 protected:
  Space space(const Call& call) const {
    Space s{{}, -1, op().family.rowwise[0] ? static_cast<size_t>(op().family.row.rows) : 99};
    for (size_t i = 0; i < call.in.size() && i < s.rows; ++i) {
      if (call.in[i].defined()) s.shape = broadcast(s.shape, call.in[i].shape(), op().name);
    }
    if (op().local == Locality::row && s.shape.rank) {
      const Field& axis = *find_field(*op().attrs, "axis");
      s.axis = normalize_axis(field_value<int64_t>(call.attrs->value, axis), s.shape.rank, "axis");
    }
    return s;
  }

  // Changes element e of operand i.
  void change(const Call& call, size_t i, int64_t e, const Tensors& before,
              const std::string& where) {
    const Space s = space(call);
    const Tensor& x = call.in[i];
    Tensors in = call.in;
    Values values = values_of(x);
    double& value = values[static_cast<size_t>(e)];
    value = x.dtype() == DType::boolean ? 1 - value : value * 0.875 + 0.03125;
    in[i] = lay_out(values, x.shape(), x.dtype());
    const Coordinates source = coordinates(e, x.shape(), s, i < s.rows);
    const Tensors after = apply(op(), in, call.attrs);
    for (size_t k = 0; k < before.size(); ++k) {
      const Shape& shape = before[k].shape();
      ASSERT_EQ(shape, after[k].shape()) << where;
      const bool has_axis = shape.rank == s.shape.rank;
      const Values was = values_of(before[k]), is = values_of(after[k]);
      for (size_t p = 0; p < was.size(); ++p) {
        if (was[p] == is[p] || (was[p] != was[p] && is[p] != is[p])) continue;
        ++changes_;
        EXPECT_TRUE(meet(source, coordinates(static_cast<int64_t>(p), shape, s, has_axis)))
            << where << ": element " << e << " of operand " << i << " changes element " << p
            << " of result " << k;
      }
    }
  }

  int64_t changes_ = 0;
};

TEST_P(Local, ElementsDependOnTheirPlaceOrRow) {
  if (op().local == Locality::any) return;
  NoGrad guard;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    const Tensors before = apply(op(), call.in, call.attrs);
    for (size_t i = 0; i < call.in.size(); ++i) {
      const int64_t n = call.in[i].defined() ? call.in[i].numel() : 0;
      for (int64_t e = 0; e < n; e += n / 40 + 1)
        change(call, i, e, before, place(op(), s, "local"));
    }
  }
  EXPECT_TRUE(changes_ > 0 || !op().differentiable()) << "no change reaches a result";
}

GYRE_FOR_EVERY_OP(Local);

// Rows along another axis than the right one meet each other.
TEST(Coordinates, TellRowsApart) {
  const Space by_rows{{2, 3}, 1, 1}, by_columns{{2, 3}, 0, 1};
  auto row = [](const Space& s, int64_t i) { return coordinates(i, s.shape, s, true); };
  EXPECT_TRUE(meet(row(by_rows, 0), row(by_rows, 2)));
  EXPECT_FALSE(meet(row(by_rows, 0), row(by_rows, 3)));
  EXPECT_TRUE(meet(row(by_columns, 0), row(by_columns, 3)));
  EXPECT_FALSE(meet(row(by_columns, 0), row(by_columns, 1)));
  EXPECT_FALSE(meet(row(by_rows, 0), coordinates(1, {2}, by_rows, false)));
  EXPECT_TRUE(meet(row(by_columns, 4), coordinates(1, {3}, by_columns, false)));
  EXPECT_FALSE(meet(row(by_columns, 4), coordinates(0, {3}, by_columns, false)));
}

}  // namespace
}  // namespace gyre::conformance
