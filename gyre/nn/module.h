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

/// Receives the parameters, buffers and children of a module.
struct Visitor {
  virtual ~Visitor() = default;
  /// A learned tensor; skip an empty one (an absent bias).
  virtual void parameter(std::string_view name, Tensor& value) = 0;
  /// A tensor that is part of the state but not learned.
  virtual void buffer(std::string_view name, Tensor& value) = 0;
  virtual void module(std::string_view name, Module& child) = 0;
};

/// Whether load_state_dict rejects names that do not match.
enum class Strict : bool { no, yes };

/// Names that only the module has (missing) and that only the given state has (unknown).
struct UnmatchedNames {
  std::vector<std::string> missing, unknown;
};

/// A layer or a model. A subclass names its members once, in `visit`; everything below is derived.
/// Names of nested members are joined by dots: "h.0.ln_1.weight". A tensor visited under two names
/// is one parameter, under its first name; two tensors under one name are Error{value}. A copy of a
/// module shares its weights; for independent weights, make a second module and load the state.
class Module {
 public:
  virtual ~Module() = default;
  /// Visits parameters, buffers and children, always in the same order.
  virtual void visit(Visitor& visitor) = 0;
  /// Calls the module through its base class: inputs and outputs as the layer table lists them; an
  /// absent input is empty, or left out at the end. Error{unsupported} by default.
  virtual Tensors forward(Inputs inputs) const;

  std::vector<NamedTensor> named_parameters();
  std::vector<NamedTensor> named_buffers();
  std::vector<Tensor> parameters();
  /// Number of elements of all parameters.
  int64_t parameter_count();

  /// Parameters and buffers by name; the tensors share memory with the module.
  std::vector<NamedTensor> state_dict();
  /// Copies values into the module's tensors, cast to their dtype. Checks everything before
  /// changing anything. Error{value} for missing or unknown names, Error{shape} if only shapes
  /// differ; the message lists all of them. If not strict, tensors with missing names keep their
  /// values, and the unmatched names are returned.
  UnmatchedNames load_state_dict(std::span<const NamedTensor> state, Strict strict = Strict::yes);
  /// The same from a file. Also Error{dtype} for a dtype that gyre does not support.
  UnmatchedNames load_state_dict(const SafetensorsFile& file, Strict strict = Strict::yes);

  /// Sets training mode for this module and its children; affects layers such as dropout.
  void train(bool training = true);
  void eval() { train(false); }
  [[nodiscard]] bool training() const { return training_; }

  void zero_grad();
  /// Sets requires_grad of all parameters.
  void set_requires_grad(bool wanted);
  void freeze() { set_requires_grad(false); }
  /// Casts floating parameters and buffers; buffers to f32 at least, because running statistics
  /// change by less than one 16-bit step. Optimisers and manifolds made earlier keep the old
  /// tensors. Points stay on their manifold if the same call casts both the points and the tensors
  /// that the manifold is made of.
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

/// Overwrites the values of `target` in place, cast to its dtype, without recording history.
/// Error{shape} naming `name`.
void assign(const Tensor& target, const Tensor& value, std::string_view name);

}  // namespace gyre::nn
