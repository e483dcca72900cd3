#pragma once
#include <array>
#include <bit>
#include <concepts>
#include <memory>
#include <utility>
#include <vector>

#include "gyre/optim/optimizer.h"
#include "gyre/optim/optimizer_def.h"

namespace gyre {

/// The optimiser class of an update rule. A rule is a struct with
///   Options                            options of a group: a GYRE_FIELDS struct with a field `lr`
///   def                                its OptimizerDef
///   states(options)                    as Optimizer::states; or states(options, parameter)
///   numbers(options, info)             the constants of a step, from Optimizer::StepInfo: a struct
///                                      of doubles that its step op takes
/// and, if options within their bounds may contradict each other,
///   check(options)                     Error{value}
template <class Rule>
class OptimizerOf final : public Optimizer {
 public:
  using Options = typename Rule::Options;

  /// Adds one group. Error{value} for options out of range; also those of add_group.
  explicit OptimizerOf(std::span<const Tensor> parameters, const Options& options = {})
      : Optimizer(Rule::def) {
    add_group(parameters, options);
  }

  /// The same with this learning rate: AdamW(model.parameters(), 1e-3).
  template <std::floating_point Rate>
  OptimizerOf(std::span<const Tensor> parameters, Rate lr) : Optimizer(Rule::def) {
    Json options = Json::object();
    options["lr"] = static_cast<double>(lr);
    Optimizer::add_group(options, parameters);
  }

  using Optimizer::add_group;
  /// Adds a group. Errors as Optimizer::add_group.
  void add_group(std::span<const Tensor> parameters, const Options& options) {
    auto box = make_ref<OpenAttrs>(record_of<Options>);
    *static_cast<Options*>(box->memory) = options;
    add(parameters, std::move(box));
  }

  /// For OptimizerDef::make.
  static std::unique_ptr<Optimizer> make(std::span<const Tensor> parameters, const void* options) {
    return std::make_unique<OptimizerOf>(parameters, attrs_as<Options>(options));
  }

 private:
  void check(const void* options) const override {
    if constexpr (requires(const Options& o) { Rule::check(o); }) {
      Rule::check(attrs_as<Options>(options));
    }
  }

  size_t states(const void* options, const Tensor& parameter) const override {
    const auto& o = attrs_as<Options>(options);
    if constexpr (requires { Rule::states(o, parameter); }) {
      return Rule::states(o, parameter);
    } else {
      return Rule::states(o);
    }
  }

  void add_numbers(const void* options, const StepInfo& info,
                   std::vector<double>& numbers) const override {
    const auto constants = Rule::numbers(attrs_as<Options>(options), info);
    const auto row =
        std::bit_cast<std::array<double, sizeof constants / sizeof(double)>>(constants);
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
};

}  // namespace gyre
