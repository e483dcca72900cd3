#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace gyre {

/// Kind of training data, detected from the names of its sources.
enum class DataKind : uint8_t { text, tokens, images, arrays, table };

/// "texts", "tables".
const char* kind_name(DataKind kind);

/// FILE.bin holds tokens, mnist:FOLDER images, FILE.npz arrays, FILE.csv and FILE.tsv a table (case
/// insensitive); everything else is text. Error{value} for sources of several kinds, for more than
/// two token files (training and validation) and for more than one source of other kinds but text.
DataKind data_kind(std::span<const std::string> sources);

}  // namespace gyre
