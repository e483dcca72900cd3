#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/safetensors.h"
#include "gyre/tensor/tensor.h"

namespace gyre::nn {

class Module;

/// Sees what a module is made of.
struct Visitor {
  virtual ~Visitor() = default;
  /// A trained tensor; an empty one (an absent bias) is to be skipped.
  virtual void parameter(std::string_view name, Tensor& value) = 0;
  /// A tensor that belongs to the state and is not trained.
  virtual void buffer(std::string_view name, Tensor& value) = 0;
  virtual void module(std::string_view name, Module& child) = 0;
};

/// Whether load_state_dict refuses names that do not match.
enum class Strict : bool { no, yes };

/// Names that only a module has, and that only the state has that it was given.
struct UnmatchedNames {
  std::vector<std::string> missing, unknown;
};

/// A layer or a model. A subclass names its members once, in `visit`; everything below is derived.
/// Names of nested members are joined by dots: "h.0.ln_1.weight". A tensor that is visited under
/// two names is one parameter, under its first name; two tensors under one name are Error{value}.
/// A copy of a module shares its weights: make another and load the state to have weights of its
/// own.
class Module {
 public:
  virtual ~Module() = default;
  /// Shows parameters, buffers and children, always in the same order.
  virtual void visit(Visitor& visitor) = 0;
  /// Calls it without knowing its type: inputs and results as the layer's line of the table lists
  /// them; an absent input may be left out at the end or be empty. Error{unsupported} unless the
  /// class says otherwise.
  virtual Tensors forward(Inputs inputs) const;

  std::vector<NamedTensor> named_parameters();
  std::vector<NamedTensor> named_buffers();
  std::vector<Tensor> parameters();
  /// Numbers in all parameters.
  int64_t parameter_count();

  /// Parameters and buffers by name; the tensors are shared, not copied.
  std::vector<NamedTensor> state_dict();
  /// Copies values into the module's tensors (cast to their dtype). All is checked before anything
  /// changes. Error{value} for names that are missing or unknown, Error{shape} where only shapes
  /// differ; the message tells all of these. When not strict, tensors whose names are missing stay,
  /// and the names that did not match are returned.
  UnmatchedNames load_state_dict(std::span<const NamedTensor> state, Strict strict = Strict::yes);
  /// The same from a file. Also Error{dtype} for a tensor of a dtype that gyre has not.
  UnmatchedNames load_state_dict(const SafetensorsFile& file, Strict strict = Strict::yes);

  /// Sets the mode of this and all nested modules; layers such as dropout act in training only.
  void train(bool training = true);
  void eval() { train(false); }
  [[nodiscard]] bool training() const { return training_; }

  void zero_grad();
  /// Whether parameters want gradients.
  void set_requires_grad(bool wanted);
  void freeze() { set_requires_grad(false); }
  /// Casts floating parameters, and floating buffers too, but these to no less than f32: running
  /// statistics move by less than a 16-bit step. Optimisers and manifolds made before hold the old
  /// tensors. Points are in a space of the new ones, where one cast has both them and those that
  /// their space is made of.
  void to(DType dtype);

 protected:
  Module() = default;
  Module(const Module&) = default;
  Module(Module&&) = default;
  Module& operator=(const Module&) = default;
  Module& operator=(Module&&) = default;

 private:
  bool training_ = true;
};

/// Overwrites the values of `target` in place, cast to its dtype; no history. Error{shape} naming
/// `name`.
void assign(const Tensor& target, const Tensor& value, std::string_view name);

}  // namespace gyre::nn
