#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/nn/sequence/key_value_cache.h"

namespace gyre {

/// How keys and values are stored; `model` is the dtype of the model.
enum class CacheDType : uint8_t { model, f32, f16, bf16, int8 };
inline constexpr const char* kCacheDTypeNames[] = {"model", "f32", "f16", "bf16", "int8"};
template <>
inline constexpr std::span<const char* const> kChoices<CacheDType> = kCacheDTypeNames;
/// The dtype of the elements, for a model of that dtype.
DType stored_dtype(CacheDType dtype, DType model);

/// What a language model keeps of the tokens that it has seen, for some rows (sequences).
struct TokenCache {
  /// Most tokens that are computed at once: layers with a window keep as many besides the window,
  /// and so many can be taken back.
  static constexpr int64_t kChunk = 512;
  /// Tokens that memory is taken for at first.
  static constexpr int64_t kFirst = 1024;

  std::vector<nn::KeyValueCache> layers{};
  Tensor lengths{};     ///< [rows] i64: tokens of each row, shared by the layers
  int64_t longest = 0;  ///< no row has more tokens; known without reading `lengths`
  /// Of a model whose states depend on the length of the whole row (LanguageModel::reach()), else
  /// empty: the rows' tokens [rows, room], and the reach [rows] of the length for which their
  /// states were computed; i64 in main memory.
  Tensor tokens{}, reaches{};

  /// Adds a layer, with memory for `capacity` tokens at first, [rows, heads, capacity, width] of
  /// that dtype (stored_dtype()). One with a window that is not 0 keeps no more than the window and
  /// a chunk.
  void add_layer(int64_t heads, int64_t capacity, int64_t width, DType dtype, int64_t window);
  /// Empties the cache, keeps its memory.
  void clear();
  /// Forgets all but the first `length` tokens of a row, which has at least as many, if
  /// can_take_back() allows. `longest` is the caller's to set.
  void cut(int64_t row, int64_t length);
  /// Whether a row that had up to `most` tokens since it was empty can be cut to its first
  /// `length`: to 0 always; else not if layers with a window have overwritten tokens that the next
  /// ones attend to.
  [[nodiscard]] bool can_take_back(int64_t most, int64_t length) const;
  /// One row, of `length` tokens; shares memory, also its length. Room for more is to be reserved
  /// in the whole cache before.
  [[nodiscard]] TokenCache row(int64_t row, int64_t length) const;
  /// A copy of these rows, which may repeat.
  [[nodiscard]] TokenCache rows(std::span<const int64_t> rows) const;
  /// Makes room for `count` tokens a row, by doubling, up to `most`.
  void reserve(int64_t count, int64_t most);
  /// Bytes of keys, values and their scales.
  [[nodiscard]] size_t bytes() const;
};

}  // namespace gyre
