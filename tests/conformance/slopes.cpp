#include "tests/conformance/slopes.h"

#include <map>

#include "gyre/autograd/backward.h"
#include "gyre/base/philox.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"

namespace gyre::conformance {

const Values& weights(size_t n, uint64_t stream) {
  static std::map<std::pair<size_t, uint64_t>, Values>
      known;  // calls of one op have the same sizes
  if (known.size() > 100) known.clear();
  Values& v = known[{n, stream}];
  if (v.size() == n) return v;
  v.resize(n);
  for (size_t i = 0; i < n; ++i) {
    auto words = philox(stream, i);
    v[i] = (words[1] & 1 ? 1 : -1) * (0.5 + words[0] * 0x1p-32);
  }
  return v;
}

Tensors leaves_of(const OpDef& op, const Tensors& in) {
  Tensors r;
  for (size_t i = 0; i < in.size(); ++i) {
    r.push_back(in[i].defined() ? in[i].detach() : in[i]);
    if (is_smooth(op, in, i)) r.back().set_requires_grad();
  }
  return r;
}

Slopes slopes_of(const OpDef& op, const Tensors& in, const Attrs& attrs, Order order, bool twice) {
  Tensors results = apply(op, in, attrs), outputs, cotangents, asked;
  SmallVector<size_t, 4> of;
  for (size_t k = 0; k < results.size(); ++k) {
    if (!results[k].tracked()) continue;
    const Values& w = weights(static_cast<size_t>(results[k].numel()), k + 1);
    outputs.push_back(results[k]);
    cotangents.push_back(lay_out(w, results[k].shape(), results[k].dtype(), order));
  }
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i].requires_grad()) {
      asked.push_back(in[i]);
      of.push_back(i);
    }
  }
  Slopes s{Tensors(in.size()), Tensors(in.size()), results};
  if (outputs.empty()) return s;
  Tensors g = grad(outputs, asked, cotangents, {.create_graph = twice, .allow_unused = true});
  for (size_t i = 0; i < g.size(); ++i) s.first[of[i]] = g[i];
  if (!twice) return s;
  Tensors tracked, again;
  for (size_t i = 0; i < g.size(); ++i) {
    if (!g[i].defined() || !g[i].tracked()) continue;
    const Values& w = weights(static_cast<size_t>(g[i].numel()), i + 11);
    tracked.push_back(g[i]);
    again.push_back(lay_out(w, g[i].shape(), g[i].dtype(), order));
  }
  if (tracked.empty()) return s;
  Tensors h = grad(tracked, asked, again, {.allow_unused = true});
  for (size_t i = 0; i < h.size(); ++i) s.second[of[i]] = h[i];
  return s;
}

}  // namespace gyre::conformance
