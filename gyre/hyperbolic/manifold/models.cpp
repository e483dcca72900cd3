#include "gyre/hyperbolic/manifold/models.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/batched.h"

namespace gyre {

#define ROWWISE(name, Body) OP(name)
#define OP(name) extern const OpDef name##_def;
#include "gyre/hyperbolic/hyperbolic.def"
#undef OP

namespace hyperbolic {
namespace {

constexpr const OpDef* kOps[] = {
#define OP(name) &name##_def,
#include "gyre/hyperbolic/hyperbolic.def"
#undef OP
#undef ROWWISE
};

// Properties of a model.
struct ModelDef {
  const char* name;
  std::span<const char* const> prefixes;  // of the names of its ops
  bool bounded;                           // points lie within c|x|^2 < 1
  bool any_curvature;                     // c may be 0 or negative
};

constexpr const char *kBall[] = {"poincare_", "poincare_ball_"}, *kHyperboloid[] = {"lorentz_"},
                     *kKleinBall[] = {"klein_"};
constexpr ModelDef kPoincareBall{"PoincareBall", kBall, true, true},
    kLorentz{"Lorentz", kHyperboloid, false, false}, kKlein{"Klein", kKleinBall, true, false};

// The op of a model for each method, with default attributes.
class ModelOps {
 public:
  struct Entry {
    const OpDef* op = nullptr;
    size_t place_of_c = 0;
    const AttrsBox* attrs = nullptr;  // lives as long as the process
  };

  explicit ModelOps(const ModelDef& model) : entries_(methods().size()) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      for (const char* prefix : model.prefixes) {
        if (!entries_[i].op) entries_[i] = entry_called(std::string(prefix) + methods()[i].name);
      }
    }
  }
  const Entry& operator[](Method m) const { return entries_[static_cast<size_t>(m)]; }

 private:
  static Entry entry_called(std::string_view name) {
    for (const OpDef* op : kOps) {
      if (name != op->name) continue;
      Entry entry{op, op->args.size(), nullptr};
      for (size_t i = 0; i < op->args.size(); ++i) {
        if (std::string_view(op->args[i].name) == "c") entry.place_of_c = i;
      }
      if (op->attrs) entry.attrs = make_ref<OpenAttrs>(*op->attrs).release();
      return entry;
    }
    return {};
  }

  std::vector<Entry> entries_;
};

template <const ModelDef& model>
const ModelOps& ops_of() {
  static const auto* ops = new ModelOps(model);
  return *ops;
}

std::string text_of(const Tensor& c) {
  if (!c.readable()) return describe_kind(c);
  return c.numel() == 1 ? fmt::format("{}", c.item())
                        : "one per row, shape " + to_string(c.shape());
}

void check_curvature(const ModelDef& model, const Tensor& c) {
  NoGrad off;
  const char* range = model.any_curvature ? "finite" : "finite and above 0";
  auto refuse = [&](const Message& what) {
    throw Error(Code::value, model.name, {"c is ", what, ", must be ", range}, range, what);
  };
  if (!c.defined()) refuse("empty");
  for (double value : to_vector<double>(all_slices(c))) {
    if (!std::isfinite(value) || (!model.any_curvature && value <= 0)) refuse(value);
  }
}

struct ModelGeometry final : Geometry {
  ModelGeometry(const ModelDef& d, const ModelOps& o, const Tensor& curvature)
      : def(d), ops(o), c(curvature) {}

  const char* name() const override { return def.name; }
  std::string text() const override { return fmt::format("{}(c={})", def.name, text_of(c)); }
  bool has(Method m) const override { return ops[m].op || m == Method::project; }

  Tensor call(Method m, Inputs in, TangentFunction f) const override {
    const ModelOps::Entry& entry = ops[m];
    if (!entry.op) return in[0];  // project on the hyperboloid: every row is a point
    Tensors operands(in.begin(), in.end());
    if (entry.place_of_c < entry.op->args.size()) {
      operands.push_back(c);
      for (size_t i = operands.size() - 1; i > entry.place_of_c; --i) {
        std::swap(operands[i], operands[i - 1]);
      }
    }
    if (def_of(m).options) return apply_one(*entry.op, operands, box(TangentAttrs{.f = f}));
    return apply_one(*entry.op, operands, Attrs(entry.attrs));
  }

  std::string fault(const Tensor& x) const override {
    if (!def.bounded) return {};
    Tensor wide = to(x, DType::f64), reach = to(c, DType::f64) * sum(wide * wide, -1);
    if (reach.numel() == 0) return {};
    double largest = max(reach).item();
    return largest < 1 ? std::string() : fmt::format("c|x|^2 is {}, must be below 1", largest);
  }

  Ref<const Geometry> of_rows(const Shape& shape, const Tensor& rows) const override {
    if (c.numel() == 1) {  // broadcasts to any rows unless it has more axes
      if (c.rank() <= 1) return {};
      return make_ref<ModelGeometry>(def, ops, reshape(c, {}));
    }
    Tensor of_each = reshape(expand(c, shape), {numel(shape)});
    return make_ref<ModelGeometry>(def, ops, index_select(of_each, 0, rows));
  }
  Ref<const Space> with(FunctionRef<Tensor(const Tensor&)> now) const override {
    return make_ref<ModelGeometry>(def, ops, now(c));
  }

  const ModelDef& def;
  const ModelOps& ops;
  Tensor c;
};

template <const ModelDef& model>
Ref<const Geometry> geometry_of(const Tensor& c, CheckCurvature check) {
  if (check == CheckCurvature::yes) check_curvature(model, c);
  return make_ref<ModelGeometry>(model, ops_of<model>(), c);
}

}  // namespace

const Tensor& Model::c() const { return static_cast<const ModelGeometry&>(*geometry()).c; }

PoincareBall::PoincareBall(const Tensor& c, CheckCurvature check)
    : Model(geometry_of<kPoincareBall>(c, check)) {}
Lorentz::Lorentz(const Tensor& c, CheckCurvature check) : Model(geometry_of<kLorentz>(c, check)) {}
Klein::Klein(const Tensor& c, CheckCurvature check) : Model(geometry_of<kKlein>(c, check)) {}

const Tensor* curvature_of(const Manifold& manifold) {
  const auto* model = dynamic_cast<const ModelGeometry*>(manifold.geometry().get());
  return model ? &model->c : nullptr;
}

}  // namespace hyperbolic
}  // namespace gyre
