#include "gyre/logic/run/files.h"

#include <algorithm>

#include "gyre/base/system/file.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/data/wordnet.h"
#include "gyre/io/csv.h"
#include "gyre/io/tensor_file.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

bool is_whole(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class FileReader {
 public:
  FileReader(Names& names, const std::string& folder) : n_(names), folder_(folder) {}

  void read(Entity& entity, const std::string& path, Place place) {
    place_ = place;
    if (!entity.is_relation) return tensor(entity, path);
    if (path.starts_with("wordnet:")) return wordnet(entity, path.substr(8));
    records(entity, resolved(path));
  }

 private:
  std::string resolved(const std::string& path) const {
    return path.starts_with("/") || folder_.empty() ? path : folder_ + "/" + path;
  }
  Domain& domain(const Entity& e, size_t position) {
    return n_.domains[static_cast<size_t>(n_.slots.domain(e.slots[position]))];
  }
  uint32_t number(const Entity& e, size_t position, std::string_view text, int64_t line) {
    const Symbol symbol{std::string(text), is_whole(text), false, {}};
    Domain& d = domain(e, position);
    if (const std::optional<uint32_t> found = d.add(symbol)) return *found;
    refuse(E0103, place_, {"line ", line, " of the file: '", text, "' is not in domain ", d.name});
  }

  // The pairs of a node and one directly above it.
  void wordnet(Entity& e, const std::string& what) {
    if (e.rank() != 2)
      refuse(E0402, place_, {"wordnet has pairs, '", e.name, "' has ", e.rank(), " indices"});
    const Taxonomy t = what == "nouns" ? wordnet_nouns() : wordnet_taxonomy(what);
    for (uint32_t node = 0; node < t.nodes(); ++node) {
      for (const uint32_t above : t.above_of(node)) {
        e.tuples.push_back(number(e, 0, t.names[node], 0));
        e.tuples.push_back(number(e, 1, t.names[above], 0));
      }
    }
  }

  void records(Entity& e, const std::string& path) {
    const MappedFile file(path);
    CsvReader reader(file.text(), path,
                     path.ends_with(".tsv") ? CsvSeparator::tab : CsvSeparator::detect);
    std::vector<std::string_view> fields;
    while (reader.next(fields)) {
      if (fields.size() != e.rank()) {
        refuse(E0402, place_,
               {path, ", line ", reader.line(), ": '", e.name, "' has ", e.rank(),
                " indices, the record has ", fields.size(), " fields"});
      }
      for (size_t i = 0; i < fields.size(); ++i)
        e.tuples.push_back(number(e, i, fields[i], reader.line()));
    }
  }

  void tensor(Entity& e, const std::string& path) {
    const size_t hash = path.rfind('#');
    const std::string file = resolved(path.substr(0, hash)),
                      name = hash == std::string::npos ? "" : path.substr(hash + 1);
    std::vector<NamedTensor> all = read_tensors(file);
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const NamedTensor& t) { return t.name == name; });
    if (it == all.end() && !(name.empty() && all.size() == 1)) {
      refuse(E0402, place_, {"'", file, "' has no tensor '", name, "'"}, "", "write \"FILE#NAME\"");
    }
    e.loaded = it == all.end() ? all[0].tensor : it->tensor;
    const Shape shape = e.loaded.shape();
    if (!e.ranked) {
      e.ranked = true;
      e.axes.resize(static_cast<size_t>(shape.rank));
    }
    bool fits = static_cast<size_t>(shape.rank) == e.axes.size();
    for (size_t i = 0; fits && i < e.axes.size(); ++i) {
      const int64_t size = shape[static_cast<int>(i)];
      if (!e.axes[i].known()) e.axes[i].size = size;
      fits = n_.size_of(e.axes[i]) == size;
    }
    if (!fits)
      refuse(E0402, place_,
             {"'", file, "' has a tensor of shape ", to_string(shape), ", '", e.name,
              "' is declared otherwise"});
  }

  Names& n_;
  const std::string& folder_;
  Place place_;
};

}  // namespace

void read_files(Names& names, const std::string& folder, Diagnostics& diagnostics) {
  FileReader reader(names, folder);
  for (Entity& e : names.entities) {
    for (const auto& [path, place] : e.files) {
      try {
        reader.read(e, path, place);
      } catch (const Refused& refused) {
        diagnostics.add(refused.diagnostic);
      } catch (const Error& error) {
        diagnostics.add({E0402, place, error.what()});
      }
    }
  }
}

bool is_tuple_file(std::string_view path) {
  return path.ends_with(".csv") || path.ends_with(".tsv");
}

void write_tuples(const std::string& path, std::span<const std::vector<Symbol>> tuples) {
  const char separator = path.ends_with(".tsv") ? '\t' : ',';
  AtomicFile file(path);
  std::string text;
  for (const std::vector<Symbol>& tuple : tuples) {
    for (size_t i = 0; i < tuple.size(); ++i)
      text += (i > 0 ? std::string(1, separator) : "") + csv_field(tuple[i].text);
    text += '\n';
  }
  file.write(text);
  file.commit();
}

}  // namespace gyre::logic
