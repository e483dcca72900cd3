#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace gyre {

/// What a training learns from, by the names of its data.
enum class DataKind : uint8_t { text, tokens, images, arrays, table };

/// "texts", "tables".
const char* kind_name(DataKind kind);

/// FILE.bin holds tokens, mnist:FOLDER images, FILE.npz arrays, FILE.csv and FILE.tsv a table, in
/// capitals too; all else is text. Error{value} for sources of several kinds, for more than two of
/// tokens (to train and to validate with) and more than one of the others but text.
DataKind data_kind(std::span<const std::string> sources);

}  // namespace gyre
