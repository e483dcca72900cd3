#include "gyre/models/data_kind.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/ascii.h"

namespace gyre {
namespace {

DataKind kind_of(const std::string& source) {
  if (source.starts_with("mnist:")) return DataKind::images;
  const std::string extension =
      lower_case(source.substr(std::min(source.rfind('.'), source.size())));
  if (extension == ".bin") return DataKind::tokens;
  if (extension == ".npz") return DataKind::arrays;
  if (extension == ".csv" || extension == ".tsv") return DataKind::table;
  return DataKind::text;
}

}  // namespace

const char* kind_name(DataKind kind) {
  constexpr const char* kNames[] = {"texts", "tokens", "images", "arrays", "tables"};
  return kNames[static_cast<size_t>(kind)];
}

DataKind data_kind(std::span<const std::string> sources) {
  if (sources.empty()) return DataKind::text;
  DataKind kind = kind_of(sources[0]);
  bool fits = kind == DataKind::text || sources.size() <= (kind == DataKind::tokens ? 2 : 1);
  for (const std::string& source : sources) fits = fits && kind_of(source) == kind;
  if (fits) return kind;
  throw Error(Code::value, "train",
              "expected texts, one or two FILE.bin of tokens, or one of mnist:FOLDER, FILE.npz, "
              "FILE.csv, FILE.tsv; got " +
                  sources[0] + " and " + sources.back() + " together");
}

}  // namespace gyre
