#include <cmath>
#include <limits>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

// f(row, column, element) for every element of a sparse matrix.
void each_element(const Dense& offsets, const Dense& places, auto f) {
  for (size_t r = 0; r + 1 < offsets.v.size(); ++r) {
    for (auto i = static_cast<size_t>(offsets.v[r]); i < static_cast<size_t>(offsets.v[r + 1]);
         ++i) {
      f(r, static_cast<size_t>(places.v[i]), i);
    }
  }
}

Values csr_product(const std::vector<Dense>& in) {
  const Dense &values = in[2], &dense = in[3];
  const auto n = static_cast<size_t>(dense.shape.rank == 2 ? dense.shape[1] : 1);
  Values r((in[0].v.size() - 1) * n, 0.0);
  each_element(in[0], in[1], [&](size_t row, size_t column, size_t i) {
    for (size_t j = 0; j < n; ++j) r[row * n + j] += values.v[i] * dense.v[column * n + j];
  });
  return r;
}

Values csr_sampled(const std::vector<Dense>& in) {
  const Dense &x = in[2], &y = in[3];
  const auto depth = static_cast<size_t>(x.shape[1]);
  Values r(in[1].v.size(), 0.0);
  each_element(in[0], in[1], [&](size_t row, size_t column, size_t i) {
    for (size_t l = 0; l < depth; ++l) r[i] += x.v[row * depth + l] * y.v[column * depth + l];
  });
  return r;
}

std::vector<Values> csr_transposed(const Call& call, const std::vector<Dense>& in) {
  const auto columns = static_cast<size_t>(attribute(call, "columns", int64_t{0}));
  std::vector<Values> r(3);
  r[0].push_back(0);
  for (size_t c = 0; c < columns; ++c) {
    each_element(in[0], in[1], [&](size_t row, size_t column, size_t i) {
      if (column != c) return;
      r[1].push_back(static_cast<double>(row));
      r[2].push_back(static_cast<double>(i));
    });
    r[0].push_back(static_cast<double>(r[1].size()));
  }
  return r;
}

Dense as_matrix(Dense t, bool is_column) {
  if (t.shape.rank == 1) t.shape = is_column ? Shape{t.shape[0], 1} : Shape{1, t.shape[0]};
  return t;
}

// The matrices of a batch, numbered.
Dense batch_of(const Dense& t) {
  Dense b;
  b.shape = t.shape;
  b.shape.rank -= 2;
  for (int64_t i = 0; i < numel(b.shape); ++i) b.v.push_back(static_cast<double>(i));
  return b;
}

Values semiring_product(const Call& call, const std::vector<Dense>& in) {
  const auto semiring = attribute(call, "semiring", uint8_t{0});
  const bool is_least = semiring % 2 == 0, adds = semiring < 2;
  const double identity = std::numeric_limits<double>::infinity() * (is_least ? 1 : -1);
  const Dense x = as_matrix(in[0], false), y = as_matrix(in[1], true);
  const int64_t n = x.shape.back(1), m = x.shape.back(), k = y.shape.back();
  const Dense bx = batch_of(x), by = batch_of(y);
  const Shape batch = broadcast_space({bx, by});
  Values r;
  each_place(batch, [&](const int64_t* at) {
    const double* a = x.v.data() + static_cast<int64_t>(at_place(bx, batch, at)) * n * m;
    const double* b = y.v.data() + static_cast<int64_t>(at_place(by, batch, at)) * m * k;
    for (int64_t i = 0; i < n * k; ++i) {
      double best = identity;
      for (int64_t l = 0; l < m; ++l) {
        const double p = a[i / k * m + l], q = b[l * k + i % k];
        const double both = adds ? p + q : p * q;
        if (std::isnan(both) || (is_least ? both < best : both > best)) best = both;
      }
      r.push_back(best);
    }
  });
  return r;
}

// Rounds over all edges, as many as there are rows.
Values semiring_paths(const Call& call, const std::vector<Dense>& in) {
  Dense x = in[1];
  for (int64_t round = 0; round < x.shape[0]; ++round) {
    const Values more = semiring_product(call, {in[0], x});
    for (size_t i = 0; i < more.size(); ++i) {
      const bool is_least = attribute(call, "semiring", uint8_t{0}) % 2 == 0;
      x.v[i] = is_least ? std::fmin(x.v[i], more[i]) : std::fmax(x.v[i], more[i]);
    }
  }
  return x.v;
}

const Definitions kSparse({
    {"csr_matmul",
     [](const Call&, const std::vector<Dense>& in) {
       return std::vector<Values>{csr_product(in)};
     }},
    {"csr_sampled_matmul",
     [](const Call&, const std::vector<Dense>& in) {
       return std::vector<Values>{csr_sampled(in)};
     }},
    {"csr_transpose", csr_transposed},
    {"semiring_matmul",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{semiring_product(call, in)};
     }},
    {"semiring_fixpoint",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{semiring_paths(call, in)};
     }},
});

}  // namespace
}  // namespace gyre::conformance
