#include "gyre/models/encoder/pooling.h"

#include <limits>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/models/files/config_fields.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr const char* kStated = "load_text_encoder";
constexpr const char* kModes = "one of mean, cls, lasttoken and max";

// sentence-transformers' names: of the flag in older files, and in newer ones.
struct PoolingMode {
  const char *flag, *name;
  Pooling pooling;
};
constexpr PoolingMode kPoolingModes[] = {
    {"pooling_mode_cls_token", "cls", Pooling::cls},
    {"pooling_mode_mean_tokens", "mean", Pooling::mean},
    {"pooling_mode_max_tokens", "max", Pooling::max},
    {"pooling_mode_lasttoken", "lasttoken", Pooling::last},
    {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", Pooling::none},
    {"pooling_mode_weightedmean_tokens", "weightedmean", Pooling::none}};

Pooling mode_of(const std::string& path) {
  const Json config = Json::read(path);
  const ConfigFields c(config, path);
  if (const Json* name = c.find("pooling_mode")) {
    for (const PoolingMode& mode : kPoolingModes) {
      if (*name == Json(mode.name) && mode.pooling != Pooling::none) return mode.pooling;
    }
    c.refuse("pooling_mode", *name, kModes);
  }
  const PoolingMode* found = nullptr;
  for (const PoolingMode& mode : kPoolingModes) {
    if (!c.flag_or(mode.flag, false)) continue;
    if (mode.pooling == Pooling::none || found) c.refuse(mode.flag, true, kModes);
    found = &mode;
  }
  if (!found) {
    throw Error(Code::unsupported, kStated, {path, ": no pooling mode is set, expected ", kModes},
                kModes, "none");
  }
  return found->pooling;
}

// The folder of a module, which is one in the model's.
std::string module_folder(const std::string& folder, const Json& module) {
  const std::string& path = module.at("path").as_string("path");
  if (path.find_first_of("/\\") != std::string::npos || path == "." || path == "..") {
    throw Error(Code::value, kStated,
                {"`path` must be the name of a folder in it, got ", Json(path).dump()}, "a name",
                path);
  }
  return path.empty() ? folder : folder + "/" + path;
}

// What the config of a Transformer module says of texts; 0: not stated.
int64_t most_tokens(const std::string& folder) {
  constexpr const char* kLimit = "max_seq_length";
  const std::string path = folder + "/sentence_bert_config.json";
  if (!file_exists(path)) return 0;
  const Json config = Json::read(path);
  const ConfigFields c(config, path);
  c.require("do_lower_case", false);
  if (!c.find(kLimit)) return 0;
  const int64_t limit = c.integer(kLimit);
  if (limit >= 1) return limit;
  throw Error(Code::value, kStated, {path, ": ", kLimit, " is ", limit, ", expected 1 or more"},
              "1 or more", limit);
}

}  // namespace

StatedVectors stated_vectors(const std::string& folder) {
  StatedVectors stated{.encoder = folder};
  const std::string path = folder + "/modules.json";
  if (!file_exists(path)) return stated;
  const Json modules = Json::read(path);
  in_file(path, [&] {
    constexpr std::string_view kOrder[] = {"Transformer", "Pooling", "Normalize"};
    size_t number = 0;
    for (const Json& module : modules.as_array("modules")) {
      const std::string& type = module.at("type").as_string("type");
      const size_t dot = type.rfind('.');
      const std::string name = dot == std::string::npos ? type : type.substr(dot + 1);
      if (number == std::size(kOrder) || name != kOrder[number]) {
        throw Error(Code::unsupported, kStated,
                    {"type of module ", number, " is ", type,
                     ", expected Transformer, Pooling and perhaps Normalize, in this order"},
                    "Transformer, Pooling, Normalize", type);
      }
      const std::string at = module_folder(folder, module);
      if (number == 0) stated.encoder = at;
      if (number == 1) stated.pooling = mode_of(at + "/config.json");
      if (number == 2) stated.normalize = true;
      ++number;
    }
    if (number < 2) {
      throw Error(Code::value, kStated, {"expected at least 2 modules, got ", number}, 2, number);
    }
  });
  stated.max_tokens = most_tokens(stated.encoder);
  return stated;
}

void copy_stated_vectors(const std::string& from, const std::string& to) {
  const auto copied = [&](const std::string& name) {
    if (!file_exists(from + "/" + name)) return;
    write_file_atomic(to + "/" + name, read_file(from + "/" + name));
  };
  const std::string modules = from + "/modules.json";
  if (!file_exists(modules)) return;
  (void)stated_vectors(from);  // checks the paths
  const Json list = Json::read(modules);
  for (const Json& module : list.as_array("modules")) {
    const std::string& path = module.at("path").as_string("path");
    if (path.empty()) continue;
    create_directories(to + "/" + path);
    copied(path + "/config.json");
  }
  copied("sentence_bert_config.json");
  copied("modules.json");
}

Tensor pooled(const Tensor& hidden, const Tensor& lengths, Pooling pooling) {
  const int64_t rows = hidden.size(0), n = hidden.size(1), width = hidden.size(2);
  if (pooling == Pooling::cls) return select(hidden, {1, 0});
  const auto counted = [&](int64_t count) {
    return arange(0, static_cast<double>(count), 1,
                  {.dtype = DType::i64, .device = hidden.device()});
  };
  if (pooling == Pooling::last) {
    return index_select(reshape(hidden, {rows * n, width}), 0,
                        counted(rows) * Tensor(n) + lengths - Tensor(int64_t{1}));
  }
  const Tensor padding = reshape(ge(counted(n), unsqueeze(lengths, 1)), {rows, n, 1});
  if (pooling == Pooling::max) {
    return max(masked_fill(hidden, padding, -std::numeric_limits<double>::infinity()),
               {.axes = {1}});
  }
  return sum(masked_fill(hidden, padding, 0.0), {.axes = {1}}) /
         to(unsqueeze(lengths, 1), hidden.dtype());
}

}  // namespace gyre
