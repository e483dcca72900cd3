#include <algorithm>
#include <cmath>

#include "gyre/base/record.h"
#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

using Place = std::vector<int64_t>;

size_t flat(const Shape& shape, const Place& at) {
  int64_t r = 0;
  for (int k = 0; k < shape.rank; ++k) r = r * shape[k] + at[static_cast<size_t>(k)];
  return static_cast<size_t>(r);
}

int axis_of(const Call& call, const Shape& shape) {
  auto axis = attribute(call, "axis", int64_t{0});
  return static_cast<int>(axis < 0 ? axis + shape.rank : axis);
}

// For every position of the index in order: f(position, position in x with the index along the
// axis).
template <class F>
void along_index(const Call& call, const Dense& index, F f) {
  int axis = axis_of(call, index.shape);
  size_t number = 0;
  each_place(index.shape, [&](const int64_t* place) {
    Place at(place, place + index.shape.rank), moved = at;
    if (!moved.empty()) moved[static_cast<size_t>(axis)] = static_cast<int64_t>(index.v[number]);
    ++number;
    f(at, moved);
  });
}

Values gather(const Call& call, const std::vector<Dense>& in) {
  Values r;
  along_index(call, in[1], [&](const Place&, const Place& moved) {
    r.push_back(in[0].v[flat(in[0].shape, moved)]);
  });
  return r;
}

// The contributions of src to each element of x, in the order of the index.
std::vector<Values> brought(const Call& call, const std::vector<Dense>& in) {
  std::vector<Values> r(in[0].v.size());
  along_index(call, in[1], [&](const Place& at, const Place& moved) {
    r[flat(in[0].shape, moved)].push_back(in[2].v[flat(in[2].shape, at)]);
  });
  return r;
}

double product(const Values& v) {
  double r = 1;
  for (double x : v) r *= x;
  return r;
}

Definition scattered(double (*f)(const Call&, double x, const Values& brought)) {
  return [f](const Call& call, const std::vector<Dense>& in) {
    std::vector<Values> b = brought(call, in);
    Values r = in[0].v;
    for (size_t i = 0; i < r.size(); ++i) {
      if (!b[i].empty()) r[i] = f(call, r[i], b[i]);
    }
    return std::vector<Values>{r};
  };
}

double last(const Call&, double, const Values& b) { return b.back(); }
double with_sum(const Call&, double x, const Values& b) { return x + total(b); }
double reduced(const Call& call, double x, const Values& b) {
  Values all = b;
  if (attribute(call, "include_self", true)) all.push_back(x);
  switch (attribute(call, "reduce", uint8_t{0})) {
    case 0:
      return total(all);
    case 1:
      return product(all);
    case 2:
      return total(all) / static_cast<double>(all.size());
    case 3:
      return all[best(all, 1)];
    default:
      return all[best(all, -1)];
  }
}

Values nonzero(const Dense& x) {
  Values r;
  size_t number = 0;
  each_place(x.shape, [&](const int64_t* at) {
    if (x.v[number++] == 0) return;
    for (int k = 0; k < x.shape.rank; ++k) r.push_back(static_cast<double>(at[k]));
  });
  return r;
}

// An index tensor as one table of coordinates per axis: a mask gives several, an absent one none.
struct Chooser {
  int64_t axis;  // of x, the first
  std::vector<Dense> coordinates;
};

std::vector<Chooser> choosers(const Call& call, const std::vector<Dense>& in, size_t first) {
  std::vector<Chooser> r;
  int64_t axis = 0;
  for (size_t i = first; i < in.size(); ++i) {
    Chooser c{axis, {}};
    if (!call.in[i].defined()) {
      ++axis;
    } else if (call.in[i].dtype() == DType::boolean) {
      Values places = nonzero(in[i]);
      size_t rank = static_cast<size_t>(in[i].shape.rank), count = 0;
      for (double v : in[i].v) count += v != 0;
      for (size_t k = 0; k < rank; ++k) {
        Dense d;
        d.shape = {static_cast<int64_t>(count)};
        for (size_t j = 0; j < count; ++j) d.v.push_back(places[j * rank + k]);
        c.coordinates.push_back(d);
      }
      if (rank == 0) {  // selects its one element or none
        Dense d;
        d.shape = {static_cast<int64_t>(count)};
        d.v.assign(count, 0);
        c.axis = -1;
        c.coordinates.push_back(d);
      }
      axis += in[i].shape.rank;
    } else {
      c.coordinates.push_back(in[i]);
      ++axis;
    }
    r.push_back(c);
  }
  return r;
}

// The positions of x that are selected, in the order of the result, whose shape is `shape`.
struct Selection {
  std::vector<Place> places;
  Shape shape;

  Selection(const Shape& x, const std::vector<Chooser>& choosers) {
    std::vector<Dense> tables;
    std::vector<int64_t> axes;
    std::vector<bool> is_chosen(static_cast<size_t>(x.rank), false);
    int began = -1, gap = -1;
    bool apart = false;
    for (const Chooser& c : choosers) {
      if (c.coordinates.empty()) {
        if (began >= 0) gap = 1;
        continue;
      }
      if (gap == 1) apart = true;
      if (began < 0) began = 0;
      for (size_t k = 0; k < c.coordinates.size(); ++k) {
        tables.push_back(c.coordinates[k]);
        axes.push_back(c.axis < 0 ? -1 : c.axis + static_cast<int64_t>(k));
        if (c.axis >= 0) is_chosen[static_cast<size_t>(axes.back())] = true;
      }
    }
    Shape chosen = broadcast_space(tables), kept;
    std::vector<int> kept_axes;
    for (int k = 0; k < x.rank; ++k) {
      if (is_chosen[static_cast<size_t>(k)]) continue;
      kept_axes.push_back(k);
      kept.push_back(x[k]);
    }
    int first = 0;
    for (const Chooser& c : choosers) {
      if (!c.coordinates.empty()) break;
      ++first;
    }
    if (apart || began < 0) first = 0;
    for (int k = 0; k < first; ++k) shape.push_back(kept[k]);
    for (int64_t d : chosen) shape.push_back(d);
    for (int k = first; k < kept.rank; ++k) shape.push_back(kept[k]);
    each_place(shape, [&](const int64_t* at) {
      Place place(static_cast<size_t>(x.rank));
      for (size_t t = 0; t < tables.size(); ++t) {
        if (axes[t] < 0) continue;
        auto v = static_cast<int64_t>(at_place(tables[t], chosen, at + first));
        place[static_cast<size_t>(axes[t])] = v < 0 ? v + x[static_cast<int>(axes[t])] : v;
      }
      for (int k = 0; k < kept.rank; ++k) {
        int where = k < first ? k : k + chosen.rank;
        place[static_cast<size_t>(kept_axes[static_cast<size_t>(k)])] = at[where];
      }
      places.push_back(place);
    });
  }
};

Values index(const Call& call, const std::vector<Dense>& in) {
  Values r;
  for (const Place& p : Selection(in[0].shape, choosers(call, in, 1)).places) {
    r.push_back(in[0].v[flat(in[0].shape, p)]);
  }
  return r;
}

Values index_put(const Call& call, const std::vector<Dense>& in) {
  Selection s(in[0].shape, choosers(call, in, 2));
  bool adds = attribute(call, "accumulate", false);
  Values r = in[0].v;
  size_t number = 0;
  each_place(s.shape, [&](const int64_t* at) {
    double v = at_place(in[1], s.shape, at);
    double& to = r[flat(in[0].shape, s.places[number++])];
    to = adds ? to + v : v;
  });
  return r;
}

Values take(const Dense& x, const Dense& index) {
  Values r;
  for (double i : index.v) {
    auto n = static_cast<double>(x.v.size());
    r.push_back(x.v[static_cast<size_t>(i < 0 ? i + n : i)]);
  }
  return r;
}

Values masked_select(const std::vector<Dense>& in) {
  Values r;
  Shape space = broadcast_space(in);
  each_place(space, [&](const int64_t* at) {
    if (at_place(in[1], space, at) != 0) r.push_back(at_place(in[0], space, at));
  });
  return r;
}

// A position with its index along an axis replaced.
Place with(Place at, int axis, double index) {
  at[static_cast<size_t>(axis)] = static_cast<int64_t>(index);
  return at;
}

Values index_select(const Call& call, const std::vector<Dense>& in) {
  Values r;
  int axis = axis_of(call, in[0].shape);
  Shape shape = in[0].shape;
  shape[axis] = in[1].shape[0];
  each_place(shape, [&](const int64_t* at) {
    double index = in[1].v[static_cast<size_t>(at[axis])];
    r.push_back(in[0].v[flat(in[0].shape, with(Place(at, at + shape.rank), axis, index))]);
  });
  return r;
}

Values index_add(const Call& call, const std::vector<Dense>& in) {
  Values r = in[0].v;
  int axis = axis_of(call, in[0].shape);
  const Shape& shape = in[2].shape;
  each_place(shape, [&](const int64_t* at) {
    double index = in[1].v[static_cast<size_t>(at[axis])];
    r[flat(in[0].shape, with(Place(at, at + shape.rank), axis, index))] +=
        at_place(in[2], shape, at);
  });
  return r;
}

Values embedding(const Call&, const std::vector<Dense>& in) {
  Values r;
  int64_t row = 1;
  for (int k = 1; k < in[0].shape.rank; ++k) row *= in[0].shape[k];
  for (double index : in[1].v) {
    for (int64_t j = 0; j < row; ++j) {
      r.push_back(in[0].v[static_cast<size_t>(static_cast<int64_t>(index) * row + j)]);
    }
  }
  return r;
}

Values masked_fill(const Call& call, const std::vector<Dense>& in) {
  Values r;
  each_place(in[0].shape, [&](const int64_t* at) {
    bool masked = at_place(in[1], in[0].shape, at) != 0;
    r.push_back(masked ? attribute(call, "value", 0.0) : at_place(in[0], in[0].shape, at));
  });
  return r;
}

Values one_hot(const Call& call, const std::vector<Dense>& in) {
  Values r;
  for (double index : in[0].v) {
    for (int64_t c = 0; c < attribute(call, "classes", int64_t{0}); ++c) {
      r.push_back(static_cast<double>(c) == index);
    }
  }
  return r;
}

// The elements that as_strided selects, in order.
std::vector<size_t> strided(const Call& call) {
  const Shape shape = attribute(call, "shape", Shape{}),
              strides = attribute(call, "strides", Shape{});
  std::vector<size_t> r;
  each_place(shape, [&](const int64_t* place) {
    int64_t at = attribute(call, "offset", int64_t{0});
    for (int k = 0; k < shape.rank; ++k) at += place[k] * strides[k];
    r.push_back(static_cast<size_t>(at));
  });
  return r;
}

Values as_strided(const Call& call, const std::vector<Dense>& in) {
  Values r;
  for (size_t at : strided(call)) r.push_back(in[0].v[at]);
  return r;
}

Values as_strided_scatter(const Call& call, const std::vector<Dense>& in) {
  Values r = in[0].v;
  size_t i = 0;
  for (size_t at : strided(call)) r[at] = in[1].v[i++];
  return r;
}

Definition one(Values (*f)(const Call&, const std::vector<Dense>&)) {
  return [f](const Call& call, const std::vector<Dense>& in) {
    return std::vector<Values>{f(call, in)};
  };
}

const Definitions kIndex({
    {"gather", one(gather)},
    {"scatter", scattered(last)},
    {"scatter_add", scattered(with_sum)},
    {"scatter_reduce", scattered(reduced)},
    {"index_select", one(index_select)},
    {"index_add", one(index_add)},
    {"index", one(index)},
    {"index_put", one(index_put)},
    {"take", one([](const Call&, const std::vector<Dense>& in) { return take(in[0], in[1]); })},
    {"masked_select",
     one([](const Call&, const std::vector<Dense>& in) { return masked_select(in); })},
    {"nonzero", one([](const Call&, const std::vector<Dense>& in) { return nonzero(in[0]); })},
    {"embedding", one(embedding)},
    {"masked_fill", one(masked_fill)},
    {"one_hot", one(one_hot)},
    {"as_strided", one(as_strided)},
    {"as_strided_scatter", one(as_strided_scatter)},
});

}  // namespace
}  // namespace gyre::conformance
