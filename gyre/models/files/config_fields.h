#pragma once
#include <string>
#include <string_view>

#include "gyre/io/json.h"
#include "gyre/nn/op_layers.h"

namespace gyre {

/// The fields of a config.json, or of an object in it. A field that is null is absent, as for
/// transformers. Errors name the file: Error{parse} for another type, Error{value} for a missing
/// field.
class ConfigFields {
 public:
  /// `config` must outlive this.
  ConfigFields(const Json& config, std::string path) : config_(config), path_(std::move(path)) {}

  [[nodiscard]] const Json* find(std::string_view name) const;
  /// Whether the field is there, perhaps as null.
  [[nodiscard]] bool has(std::string_view name) const { return config_.find(name) != nullptr; }
  [[nodiscard]] int64_t integer(std::string_view name) const;
  [[nodiscard]] int64_t integer_or(std::string_view name, int64_t otherwise) const;
  [[nodiscard]] double real_or(std::string_view name, double otherwise) const;
  [[nodiscard]] bool flag_or(std::string_view name, bool otherwise) const;
  [[nodiscard]] std::string text_or(std::string_view name, const char* otherwise) const;
  /// The object of that name as fields; those of `otherwise`, an empty object, if there is none.
  [[nodiscard]] ConfigFields object_or(std::string_view name, const Json& otherwise) const;
  /// The activation function by the name that transformers has for it. Error{unsupported}.
  [[nodiscard]] Activation activation(std::string_view name, const char* otherwise) const;

  /// Error{unsupported} naming file, field and value.
  [[noreturn]] void refuse(std::string_view field, const Json& value, const char* wanted) const;
  /// Error{unsupported} if the field is there with another value.
  void require(std::string_view name, const Json& wanted) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] const Json& at(std::string_view name) const;

  const Json& config_;
  std::string path_;
};

/// transformers' name of an activation function.
const char* activation_name(Activation activation);

}  // namespace gyre
