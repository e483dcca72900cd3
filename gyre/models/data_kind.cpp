#include "gyre/models/data_kind.h"

#include "gyre/base/error.h"

namespace gyre {
namespace {

DataKind kind_of(const std::string& source) {
  if (source.starts_with("mnist:")) return DataKind::images;
  if (source.ends_with(".bin")) return DataKind::tokens;
  if (source.ends_with(".npz")) return DataKind::arrays;
  if (source.ends_with(".csv") || source.ends_with(".tsv")) return DataKind::table;
  return DataKind::text;
}

}  // namespace

DataKind data_kind(std::span<const std::string> sources) {
  if (sources.empty()) return DataKind::text;
  DataKind kind = kind_of(sources[0]);
  bool fits = kind == DataKind::text || sources.size() <= (kind == DataKind::tokens ? 2 : 1);
  for (const std::string& source : sources) fits = fits && kind_of(source) == kind;
  if (fits) return kind;
  throw Error(
      Code::value, "train",
      "data are texts, one or two FILE.bin of tokens, or else one of mnist:FOLDER, FILE.npz, "
      "FILE.csv, FILE.tsv; not " +
          sources[0] + " and " + sources.back() + " together");
}

}  // namespace gyre
