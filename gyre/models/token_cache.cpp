#include "gyre/models/token_cache.h"

#include <algorithm>

#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

DType stored_dtype(CacheDType dtype, DType model) {
  constexpr DType kStored[] = {DType::f32, DType::f32, DType::f16, DType::bf16, DType::i8};
  return dtype == CacheDType::model ? model : kStored[static_cast<size_t>(dtype)];
}

void TokenCache::add_layer(int64_t heads, int64_t capacity, int64_t width, DType dtype,
                           int64_t window) {
  const Device device = lengths.device();
  const int64_t rows = lengths.size(0);
  nn::KeyValueCache layer;
  layer.lengths = lengths;
  layer.ring = window > 0 ? window + kChunk : 0;
  if (layer.ring > 0) capacity = std::min(capacity, layer.ring);
  for (CachedTokens* tokens : {&layer.keys, &layer.values}) {
    tokens->values = empty({rows, heads, capacity, width}, dtype, device);
    if (dtype == DType::i8) tokens->scales = empty({rows, heads, capacity}, DType::f32, device);
  }
  layers.push_back(std::move(layer));
}

void TokenCache::clear() {
  fill_(lengths, 0);
  longest = 0;
}

void TokenCache::cut(int64_t row, int64_t length) {
  fill_(slice(lengths, {0, row, row + 1, 1}), static_cast<double>(length));
}

bool TokenCache::can_take_back(int64_t most, int64_t length) const {
  if (length == 0 || most - length <= kChunk) return true;
  return std::ranges::none_of(layers, [&](const nn::KeyValueCache& layer) {
    return layer.wraps() && most > layer.capacity();
  });
}

TokenCache TokenCache::row(int64_t row, int64_t length) const {
  const SliceAttrs part{0, row, row + 1, 1};
  TokenCache one{{}, slice(lengths, part), length};
  for (const nn::KeyValueCache& layer : layers)
    one.layers.push_back(layer.with(one.lengths, [&](const Tensor& t) { return slice(t, part); }));
  if (tokens.defined()) {
    one.tokens = slice(tokens, part);
    one.reaches = slice(reaches, part);
  }
  return one;
}

TokenCache TokenCache::rows(std::span<const int64_t> rows) const {
  NoGrad scope;
  const Tensor index =
      on_device(tensor(rows, {static_cast<int64_t>(rows.size())}), lengths.device());
  TokenCache some{{}, index_select(lengths, 0, index), longest};
  if (tokens.defined()) {
    some.tokens = index_select(tokens, 0, on_device(index, Device()));
    some.reaches = index_select(reaches, 0, on_device(index, Device()));
  }
  for (const nn::KeyValueCache& layer : layers) {
    some.layers.push_back(
        layer.with(some.lengths, [&](const Tensor& t) { return index_select(t, 0, index); }));
  }
  return some;
}

void TokenCache::reserve(int64_t count, int64_t most) {
  NoGrad scope;
  if (tokens.defined() && std::min(count, most) > tokens.size(1)) {
    const int64_t room = tokens.size(1);
    const Tensor larger = zeros({tokens.size(0), std::min(most, std::max(count, 2 * room))},
                                {.dtype = tokens.dtype()});
    copy_(slice(larger, {1, 0, room, 1}), tokens);
    tokens = larger;
  }
  for (nn::KeyValueCache& layer : layers) {
    const int64_t capacity = layer.capacity();
    const int64_t limit = layer.ring > 0 ? std::min(most, layer.ring) : most;
    const int64_t wanted = std::min(count, limit);
    if (wanted <= capacity) continue;
    layer = layer.with(layer.lengths, [&](const Tensor& t) {
      Shape shape = t.shape();
      shape[2] = std::min(limit, std::max(wanted, 2 * capacity));
      const Tensor larger = empty(shape, t.dtype(), t.device());
      copy_(slice(larger, {2, 0, capacity, 1}), t);  // no token has been overwritten yet
      return larger;
    });
  }
}

size_t TokenCache::bytes() const {
  size_t all = 0;
  for (const nn::KeyValueCache& layer : layers) {
    (void)layer.with({}, [&](const Tensor& t) {
      all += static_cast<size_t>(t.numel()) * size_of(t.dtype());
      return t;
    });
  }
  return all;
}

}  // namespace gyre
