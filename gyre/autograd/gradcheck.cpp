#include "gyre/autograd/gradcheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gyre/autograd/accumulate.h"
#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/base/philox.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

using Values = std::vector<double>;

Values elements(const Tensor& t) {
  NoGrad guard;
  return to_vector<double>(t);
}

// Uniform in +-[0.5, 1.5), deterministic: no output element has a weight near zero.
Tensor random_cotangent(const Meta& meta, uint64_t stream) {
  NoGrad guard;
  Values values;
  for (int64_t i = 0; i < numel(meta.shape); ++i) {
    auto words = philox(0x9C4EC, static_cast<uint64_t>(i), stream);
    double u = 0.5 + std::ldexp(words[0], -32);
    values.push_back(words[1] & 1 ? u : -u);
  }
  return to(on_device(tensor(values, meta.shape), meta.device), meta.dtype);
}

// The floating outputs and the weights of their sum.
struct Combination {
  Tensors cotangents;
  SmallVector<Values, 4> weights;
  int64_t output;
};

Tensors floating_only(Tensors outputs) {
  Tensors kept;
  for (Tensor& t : outputs) {
    if (is_floating(t.dtype())) kept.push_back(std::move(t));
  }
  return kept;
}

Combination combine(const Tensors& outputs, int64_t only) {
  Combination c;
  c.output = only;
  int64_t before = 0;
  for (size_t k = 0; k < outputs.size(); ++k) {
    Meta meta = outputs[k].meta();
    Tensor u = random_cotangent(meta, k);
    if (only >= 0) {
      Values one(static_cast<size_t>(u.numel()));
      if (only >= before && only < before + u.numel()) one[static_cast<size_t>(only - before)] = 1;
      u = to(on_device(tensor(one, meta.shape), meta.device), meta.dtype);
    }
    before += u.numel();
    c.weights.push_back(elements(u));
    c.cotangents.push_back(std::move(u));
  }
  return c;
}

std::vector<Combination> combinations(const Tensors& outputs, int64_t limit) {
  int64_t total = 0;
  for (const Tensor& t : outputs) total += t.numel();
  std::vector<Combination> all;
  if (total > limit) {
    all.push_back(combine(outputs, -1));
  } else {
    for (int64_t i = 0; i < total; ++i) all.push_back(combine(outputs, i));
  }
  return all;
}

// Leaves for the pass: copies of the inputs that require grad.
Tensors leaves_of(Inputs inputs) {
  Tensors leaves;
  for (const Tensor& t : inputs) {
    NoGrad guard;
    leaves.push_back(t.requires_grad() ? clone(t).detach() : t);
    if (t.requires_grad()) leaves.back().set_requires_grad();
  }
  return leaves;
}

// Gradients with respect to every leaf that requires grad, per combination; zeros without a path.
std::vector<std::vector<Values>> pass(GradcheckFunction f, Inputs leaves,
                                      const std::vector<Combination>& all, bool record) {
  GradMode recording(true);
  Tensors outputs = floating_only(f(leaves)), wrt;
  bool tracked = false;
  for (const Tensor& t : outputs) tracked |= t.tracked();
  for (const Tensor& t : leaves) {
    if (t.requires_grad()) wrt.push_back(t);
  }
  std::vector<std::vector<Values>> gradients;
  for (const Combination& c : all) {
    Tensors g(wrt.size());
    if (tracked) {
      g = grad(outputs, wrt, c.cotangents,
               {.create_graph = record, .retain_graph = true, .allow_unused = true});
    }
    gradients.emplace_back();
    for (size_t i = 0; i < wrt.size(); ++i) {
      gradients.back().push_back(g[i].defined() ? elements(g[i])
                                                : Values(static_cast<size_t>(wrt[i].numel()), 0.0));
    }
  }
  return gradients;
}

// Outputs at one point.
SmallVector<Values, 4> evaluate(GradcheckFunction f, Inputs at) {
  SmallVector<Values, 4> values;
  for (const Tensor& t : floating_only(f(at))) values.push_back(elements(t));
  return values;
}

// Finite differences, laid out as in pass().
std::vector<std::vector<Values>> quotients(GradcheckFunction f, Inputs inputs,
                                           const std::vector<Combination>& all,
                                           const GradcheckOptions& options) {
  NoGrad guard;
  Tensors at;
  for (const Tensor& t : inputs) {
    at.push_back(t.requires_grad() ? clone(to(t, DType::f64)).detach() : t);
  }
  const double above = options.differences == Differences::backward ? 0 : options.eps;
  const double below = options.differences == Differences::forward ? 0 : options.eps;
  auto here = evaluate(f, at);
  std::vector<std::vector<Values>> result(all.size());
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (!inputs[k].requires_grad()) continue;
    for (auto& of_combination : result) of_combination.emplace_back();
    double* x = at[k].data<double>();
    for (int64_t i = 0; i < at[k].numel(); ++i) {
      double middle = x[i];
      double high = x[i] = middle + above;
      auto up = above > 0 ? evaluate(f, at) : here;
      double low = x[i] = middle - below;
      auto down = below > 0 ? evaluate(f, at) : here;
      x[i] = middle;
      for (size_t c = 0; c < all.size(); ++c) {
        double sum = 0;
        for (size_t o = 0; o < up.size(); ++o) {
          for (size_t e = 0; e < up[o].size(); ++e) {
            if (double w = all[c].weights[o][e]) sum += w * (up[o][e] - down[o][e]);
          }
        }
        result[c].back().push_back(sum / (high - low));
      }
    }
  }
  return result;
}

struct Tolerance {
  double rtol, atol;
};

// Fills an entry from two results for one input.
class Comparison {
 public:
  Comparison(GradcheckEntry::Kind kind, int input, Tolerance tolerance) : tolerance_(tolerance) {
    entry_.kind = kind;
    entry_.input = input;
  }
  void add(const Values& analytic, const Values& numeric, int64_t output) {
    for (size_t i = 0; i < numeric.size(); ++i) {
      double a = analytic[i], n = numeric[i], error = std::fabs(a - n);
      double allowed = tolerance_.atol + tolerance_.rtol * std::fabs(n);
      double ratio = std::isnan(error) ? INFINITY : error / allowed;
      entry_.largest = std::isnan(error) ? INFINITY : std::max(entry_.largest, error);
      sum_ += error;
      ++count_;
      if (ratio <= worst_) continue;
      worst_ = ratio;
      entry_.element = static_cast<int64_t>(i);
      entry_.output = output;
      entry_.analytic = a;
      entry_.numeric = n;
      entry_.absolute = error;
      entry_.relative = error / std::max(std::fabs(a), std::fabs(n));
    }
  }
  GradcheckEntry result() {
    entry_.passed = worst_ <= 1;
    entry_.mean = count_ ? sum_ / static_cast<double>(count_) : 0;
    return entry_;
  }

 private:
  GradcheckEntry entry_;
  Tolerance tolerance_;
  double worst_ = -1, sum_ = 0;
  int64_t count_ = 0;
};

void report(GradcheckReport& report, GradcheckEntry::Kind kind, Inputs inputs,
            const std::vector<Combination>& all, const std::vector<std::vector<Values>>& analytic,
            const std::vector<std::vector<Values>>& numeric, const GradcheckOptions& options) {
  size_t position = 0;
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (!inputs[k].requires_grad()) continue;
    Tolerance tolerance{options.rtol, options.atol};
    if (kind == GradcheckEntry::agreement) {  // no truncation error: they differ by rounding only
      tolerance = {std::max(options.rtol / 100, 64 * epsilon_of(inputs[k].dtype()) / 2),
                   options.atol / 100};
    }
    Comparison comparison(kind, static_cast<int>(k), tolerance);
    for (size_t c = 0; c < all.size(); ++c) {
      comparison.add(analytic[c][position], numeric[c][position], all[c].output);
    }
    report.entries.push_back(comparison.result());
    report.passed &= report.entries.back().passed;
    ++position;
  }
}

// The gradient of f as a function of its inputs and of the cotangents that follow them.
Tensors gradient_function(GradcheckFunction f, Inputs arguments, size_t inputs,
                          std::span<const bool> wanted) {
  bool record = grad_enabled();
  GradMode recording(true);
  Tensors at, wrt;
  for (size_t i = 0; i < inputs; ++i) {
    at.push_back(arguments[i]);
    if (!wanted[i]) continue;
    if (!at[i].tracked()) {
      at[i] = at[i].detach();
      at[i].set_requires_grad();
    }
    wrt.push_back(at[i]);
  }
  Tensors outputs = floating_only(f(at));
  bool tracked = false;
  for (const Tensor& t : outputs) tracked |= t.tracked();
  Tensors g(wrt.size());
  if (tracked) {
    g = grad(outputs, wrt, arguments.subspan(inputs),
             {.create_graph = record, .allow_unused = true});
  }
  for (size_t i = 0; i < g.size(); ++i) {
    if (!g[i].defined()) g[i] = filled(wrt[i].meta(), 0);
  }
  return g;
}

}  // namespace

std::string GradcheckReport::what() const {
  constexpr const char* kKinds[] = {"plain pass", "recorded pass", "recorded against plain"};
  std::string text = passed ? "gradcheck passed\n" : "gradcheck FAILED\n";
  for (const GradcheckEntry& e : entries) {
    text += fmt::format(
        "  {} input {} ({}): worst at element {}{}: {:.10g} against {:.10g}, absolute error "
        "{:.2e}, "
        "relative {:.2e}; largest absolute error {:.2e}, mean {:.2e}\n",
        e.passed ? "ok  " : "FAIL", e.input, kKinds[e.kind], e.element,
        e.output < 0 ? std::string() : fmt::format(" of output element {}", e.output), e.analytic,
        e.numeric, e.absolute, e.relative, e.largest, e.mean);
  }
  return text;
}

GradcheckReport gradcheck(GradcheckFunction f, Inputs inputs, const GradcheckOptions& options) {
  check_record("gradcheck", options);
  bool any = false;
  for (const Tensor& t : inputs) any |= t.requires_grad();
  if (!any) throw Error(Code::value, "gradcheck", "no input requires grad");
  Tensors leaves = leaves_of(inputs);
  Tensors outputs;
  {
    NoGrad guard;
    outputs = floating_only(f(leaves));
  }
  auto all = combinations(outputs, options.jacobian);
  auto numeric = quotients(f, inputs, all, options);
  auto plain = pass(f, leaves, all, false);
  GradcheckReport result;
  report(result, GradcheckEntry::plain, inputs, all, plain, numeric, options);
  if (options.both_passes) {
    auto recorded = pass(f, leaves, all, true);
    report(result, GradcheckEntry::recorded, inputs, all, recorded, numeric, options);
    report(result, GradcheckEntry::agreement, inputs, all, recorded, plain, options);
  }
  if (options.verbose) std::fputs(result.what().c_str(), stdout);
  return result;
}

GradcheckReport gradgradcheck(GradcheckFunction f, Inputs inputs, const GradcheckOptions& options) {
  Tensors arguments(inputs.begin(), inputs.end()), outputs;
  SmallVector<bool, 8> wanted;
  for (const Tensor& t : inputs) wanted.push_back(t.requires_grad());
  {
    NoGrad guard;
    outputs = floating_only(f(inputs));
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    arguments.push_back(random_cotangent(outputs[k].meta(), 100 + k));
    arguments.back().set_requires_grad();
  }
  auto gradient = [&](Inputs at) {
    return gradient_function(f, at, inputs.size(), {wanted.data(), wanted.size()});
  };
  return gradcheck(gradient, arguments, options);
}

}  // namespace gyre
