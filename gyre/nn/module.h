#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/io/safetensors.h"
#include "gyre/tensor/tensor.h"

namespace gyre::nn {

class Module;
struct LayerStack;

/// Receives the parameters, buffers and children of a module.
struct Visitor {
  virtual ~Visitor() = default;
  /// A learned tensor. A module does not visit an empty one, such as the bias of a layer without
  /// one.
  virtual void parameter(std::string_view name, Tensor& value) = 0;
  /// A tensor that is part of the state but not learned.
  virtual void buffer(std::string_view name, Tensor& value) = 0;
  virtual void module(std::string_view name, Module& child) = 0;
  /// How the visited module runs layers one after another.
  virtual void stack(LayerStack&) {}
};

/// Whether load_state_dict refuses a state with other names than the module's.
enum class Strict : bool { no, yes };

/// Names that only the module has (missing) and that only the given state has (unknown).
struct UnmatchedNames {
  std::vector<std::string> missing, unknown;
};

/// Base class of layers and models (torch.nn.Module). A subclass names its parameters, buffers and
/// submodules in `visit`; the other functions use it. Names of nested members are joined by dots:
/// "h.0.ln_1.weight". A tensor visited under two names is one parameter, under its first name; two
/// tensors under one name are Error{value}. A copy of a module shares its weights; for independent
/// weights, make a second module and load the state.
class Module {
 public:
  virtual ~Module() = default;
  /// Visits parameters, buffers and children, always in the same order.
  virtual void visit(Visitor& visitor) = 0;
  /// Calls the module with the inputs that `gyre layers NAME` lists, in that order, and returns its
  /// outputs. For an optional input pass an empty Tensor; the last ones may be omitted.
  /// Error{unsupported} for a module that does not override it.
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
  /// differ; the message lists all of them. If not strict, tensors missing from the state keep
  /// their values (Error{value} if the module was made without values, nn::Unfilled), and the
  /// unmatched names are returned. Error{unsupported} naming a tensor that is not plain. Values may
  /// be on other devices.
  UnmatchedNames load_state_dict(std::span<const NamedTensor> state, Strict strict = Strict::yes) {
    return take_state(state, strict, false);
  }
  /// The same from a file. Also Error{dtype} for a dtype that gyre does not support.
  UnmatchedNames load_state_dict(const SafetensorsFile& file, Strict strict = Strict::yes) {
    return load_state_dict(file.load_all(), strict);
  }
  /// Like a strict load_state_dict, but the module takes over the memory of values of its dtypes
  /// instead of copying them. Those of a file stay mapped: read when first used, and never changed
  /// in the file, not even by training. Tensors taken from the module earlier keep their memory.
  /// Packed values take the place of plain ones and are not learned; plain ones that take the place
  /// of packed ones are.
  /// Also Error{value} naming a value whose elements share memory, such as an expanded tensor or
  /// one of a module without values.
  void lend_state(std::span<const NamedTensor> state) { take_state(state, Strict::yes, true); }
  void lend_state(const SafetensorsFile& file) { lend_state(file.load_all()); }

  /// Sets training or evaluation mode for this module and its children, for layers such as dropout.
  void train(bool training = true);
  void eval() { train(false); }
  [[nodiscard]] bool training() const { return training_; }

  void zero_grad();
  /// Sets requires_grad of all parameters.
  void set_requires_grad(bool wanted);
  void freeze() { set_requires_grad(false); }
  /// Casts floating parameters and buffers. With f16 and bf16, buffers become f32, because 16 bits
  /// cannot resolve the small changes of running statistics. The casts are new tensors without
  /// gradients. Existing optimisers and EMAs switch to them (Optimizer, Ema); create manifolds
  /// after the cast. A parameter on a manifold stays on it if the tensors of the manifold, such as
  /// a learned curvature, belong to the same module.
  void to(DType dtype);
  /// Moves all parameters and buffers; the rest as above. Error{unavailable, resource}.
  void to(Device device);
  /// Device of the first parameter or buffer; the default device if there is none.
  Device device();

  /// Gradient checkpointing: stacks of layers (LayerStack) in this module keep the input of every
  /// `every`-th layer only, and backward recomputes the rest, with the same results. 0: off.
  /// Error{value} for negative numbers, Error{unsupported} for a module without such a stack; then
  /// nothing has changed.
  void set_gradient_checkpointing(int64_t every);

 protected:
  Module() = default;
  Module(const Module&) = default;
  Module(Module&&) = default;
  Module& operator=(const Module&) = default;
  Module& operator=(Module&&) = default;

 private:
  void convert(FunctionRef<Tensor(const Tensor&, bool is_parameter)> converted);
  UnmatchedNames take_state(std::span<const NamedTensor> state, Strict strict, bool lend);
  bool training_ = true;
};

/// Overwrites the values of `target` in place, cast to its dtype, without recording history.
/// Error{shape} naming `name`.
void assign(const Tensor& target, const Tensor& value, std::string_view name);

}  // namespace gyre::nn
