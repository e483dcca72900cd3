#include "gyre/embed/embedding_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/io/safetensors.h"
#include "gyre/ops/create/create.h"

namespace gyre {
namespace {

constexpr const char *kTaxonomy = "/taxonomy.safetensors", *kCheckpoint = "/checkpoint.safetensors",
                     *kEmbedding = "/embedding.safetensors", *kTable = "/embedding.tsv";
constexpr const char *kGeometry = "geometry", *kState = "state";

[[noreturn]] void damaged(const std::string& path) {
  throw Error(Code::value, "embedding", path + " was not written by `gyre embed`");
}

// A file that every embedding folder has.
std::string required(const std::string& folder, const char* file) {
  if (file_exists(folder + file)) return folder + file;
  throw Error(Code::io, "embedding",
              file_exists(folder) ? folder + " is not an embedding folder: it has no " + (file + 1)
                                  : folder + ": no such folder");
}

PointTable points_of(const SafetensorsFile& file, std::string_view name) {
  const auto* end = std::end(kGeometryNames);
  const auto* found = std::find(std::begin(kGeometryNames), end, file.metadata(kGeometry));
  const SafetensorsEntry* entry = file.find(name);
  if (found == end || !entry || entry->shape.rank != 2 || entry->dtype() != DType::f64 ||
      entry->shape[1] < 1) {
    damaged(file.path());
  }
  return {static_cast<Geometry>(found - std::begin(kGeometryNames)), entry->shape[1],
          to_vector<double>(file.load(*entry))};
}

// Calls visit(name, number) for the numbers of a state.
void each_number(auto& state, auto visit) {
  visit("epoch", state.step);
  visit("batch", state.position.batch);
  visit("batch_loss", state.position.loss);
  visit("loss", state.loss);
  visit("evaluated", state.evaluated);
  visit("mean_rank", state.figures.mean_rank);
  visit("map", state.figures.map);
  visit("best_epoch", state.best_step);
  visit("best_mean_rank", state.best.mean_rank);
  visit("best_map", state.best.map);
  visit("worse", state.worse);
}

Json json_of(const EmbeddingState& s) {
  Json json = Json::object();
  each_number(s, [&](const char* name, auto number) { json[name] = number; });
  json["options"] = s.options;
  return json;
}

EmbeddingState state_of(const Json& json) {
  EmbeddingState s;
  each_number(s, [&]<class T>(const char* name, T& number) {
    const Json* value = json.find(name);  // numbers that are not known are null or absent
    if (value && !value->is_null()) number = static_cast<T>(value->as_real(name));
  });
  if (s.best_step == 0) s.best = {};  // older checkpoints have zeros
  if (s.best_step > 0) s.best_loss = s.best.mean_rank;
  s.options = json.at("options");
  return s;
}

}  // namespace

bool EmbeddingFolder::holds_training() const { return file_exists(path_ + kCheckpoint); }

void EmbeddingFolder::write_taxonomy(const Taxonomy& t) const {
  std::vector<uint8_t> names;
  for (int64_t i = 0; i < t.nodes(); ++i) {
    const std::string_view name = t.names[static_cast<uint32_t>(i)];
    names.insert(names.end(), name.begin(), name.end());
    names.push_back('\n');
  }
  const std::vector<int32_t> above(t.above.begin(), t.above.end());
  const NamedTensor tensors[] = {
      {"names", tensor(names, {static_cast<int64_t>(names.size())})},
      {"begins", tensor(t.begins, {static_cast<int64_t>(t.begins.size())})},
      {"above", tensor(above, {t.pairs()})}};
  write_safetensors(path_ + kTaxonomy, tensors);
}

Taxonomy EmbeddingFolder::read_taxonomy() const {
  const SafetensorsFile file(required(path_, kTaxonomy), Verify::required);
  Taxonomy t;
  const std::vector<uint8_t> names = to_vector<uint8_t>(file.load("names"));
  for (auto at = names.begin(); at != names.end();) {
    const auto end = std::find(at, names.end(), '\n');
    t.names.add(std::string(at, end));
    at = end == names.end() ? end : end + 1;
  }
  t.begins = to_vector<int64_t>(file.load("begins"));
  const std::vector<int32_t> above = to_vector<int32_t>(file.load("above"));
  t.above.assign(above.begin(), above.end());
  const bool whole =
      static_cast<int64_t>(t.begins.size()) == t.nodes() + 1 && t.begins.front() == 0 &&
      t.begins.back() == t.pairs() && std::is_sorted(t.begins.begin(), t.begins.end()) &&
      std::all_of(t.above.begin(), t.above.end(), [&](uint32_t up) { return up < t.nodes(); });
  if (!whole) damaged(file.path());
  return t;
}

void EmbeddingFolder::write_checkpoint(const Checkpoint& c) const {
  std::vector<NamedTensor> tensors{{"points", c.points.coordinates()}};
  if (c.best) tensors.push_back({"best", c.best->coordinates()});
  write_safetensors(path_ + kCheckpoint, tensors,
                    {{kGeometry, name_of(c.points.geometry())}, {kState, json_of(c.state).dump()}});
}

EmbeddingFolder::Checkpoint EmbeddingFolder::read_checkpoint() const {
  const SafetensorsFile file(path_ + kCheckpoint, Verify::required);
  EmbeddingState state =
      in_file(file.path(), [&] { return state_of(Json::parse(file.metadata(kState))); });
  Checkpoint c{std::move(state), points_of(file, "points"), {}};
  if (file.find("best")) c.best = points_of(file, "best");
  return c;
}

void EmbeddingFolder::write_embedding(const Taxonomy& taxonomy, const PointTable& points) const {
  const NamedTensor tensors[] = {{"embedding", points.coordinates()}};
  write_safetensors(path_ + kEmbedding, tensors, {{kGeometry, name_of(points.geometry())}});
  AtomicFile table(path_ + kTable);
  const auto coordinates = to_vector<double>(tensors[0].tensor);
  const double* at = coordinates.data();
  std::string line;
  for (int64_t node = 0; node < taxonomy.nodes(); ++node) {
    line = taxonomy.names[static_cast<uint32_t>(node)];
    for (int64_t i = 0; i < points.dim(); ++i) line += fmt::format("\t{}", *at++);
    table.write(line += '\n');
  }
  table.commit();
}

PointTable EmbeddingFolder::read_embedding() const {
  return points_of(SafetensorsFile(required(path_, kEmbedding), Verify::required), "embedding");
}

}  // namespace gyre
