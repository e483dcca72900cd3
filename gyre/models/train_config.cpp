#include "gyre/models/train_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/data/text_source.h"
#include "gyre/io/option_file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/refuse_training.h"
#include "gyre/op/attrs.h"
#include "gyre/optim/optimizer_def.h"

namespace gyre {
namespace {

constexpr TrainPreset kPresets[] = {
    {"chargpt", "nanoGPT's character-level model: 0.8 M parameters, 2,000 steps",
     [](TrainOptions& o) {
       o.tokenizer = "char";
       o.bias = false;
       o.activation = Activation::gelu;
       o.eval_every = o.save_every = 0;
     }},
    {"glosses", "definitions: vocabulary 2,048, 1.8 M parameters, about three minutes on two cores",
     [](TrainOptions& o) {
       o.tokenizer = "bpe:2048";
       o.width = 160;
       o.heads = 5;
       o.batch = 24;
       o.steps = 3000;
       o.lr = 2e-3;
       o.eval_every = o.save_every = 500;
       o.eval_batches = 50;
     }},
    {"gpt2", "the smallest GPT-2: 12 layers, 124 M parameters",
     [](TrainOptions& o) {
       o.tokenizer = "bpe:50257";
       o.layers = o.heads = 12;
       o.width = 768;
       o.block = 1024;
       o.batch = 4;
       o.accumulate = 8;
       o.lr = 6e-4;
       o.beta2 = 0.95;
     }},
};

// Defaults for networks on images, arrays and tables.
void apply_supervised_defaults(TrainOptions& o) {
  o.batch = 64;
  o.weight_decay = 0.01;
  o.beta2 = 0.999;
  o.epochs = 10;
}

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The fields that `apply` changes, with their values.
Json changed_by(void (*apply)(TrainOptions&)) {
  TrainOptions options;
  const Json before = record_to_json(options);
  apply(options);
  const Json after = record_to_json(options);
  Json changed = Json::object();
  for (const Json::Member& member : after.as_object()) {
    if (!(member.value == before.at(member.key))) changed[member.key] = member.value;
  }
  return changed;
}

// Sets fields that were not given explicitly.
void set_unless_given(TrainOptions& o, const Json& values, std::span<const std::string> given) {
  Json rest = Json::object();
  for (const Json::Member& member : values.as_object()) {
    if (!contains(given, member.key)) rest[member.key] = member.value;
  }
  record_from_json(o, rest);
}

const OptimizerDef& optimizer_named(const OptimizerTable& optimizers, const std::string& name) {
  try {
    return optimizers.of(name);
  } catch (const Error& error) {
    refuse_training("`optimizer`: " + std::string(error.what()), error.expected, error.actual);
  }
}

Json more_options(const TrainOptions& o) {
  const Json more = [&] {
    try {
      return options_of_text(o.optimizer_options, "train");
    } catch (const Error& error) {
      refuse_training(
          "`optimizer_options` " + std::string(error.what()).substr(error.op.size() + 2),
          error.expected, error.actual);
    }
  }();
  for (const Json::Member& member : more.as_object()) {
    if (find_field(record_of<TrainOptions>, member.key)) {
      refuse_training("`optimizer_options` holds " + member.key + ", which has its own option", {},
                      member.key);
    }
  }
  return more;
}

// Optimisers other than AdamW use their own defaults where nothing was given.
void fit_optimizer(TrainOptions& o, const OptimizerDef& def, std::span<const std::string> given) {
  const Json more = more_options(o);
  try {
    record_from_json(*def.options, OpenAttrs(*def.options).memory, more);
  } catch (const Error& error) {
    refuse_training("`optimizer_options`: " + std::string(error.what()), error.expected,
                    error.actual);
  }
  const Json standard = record_to_json(*def.options, OpenAttrs(*def.options).memory);
  Json own = Json::object();
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (!(field.tags & kOfOptimizer)) continue;
    const Json* value = standard.find(field.name);
    if (!value && contains(given, field.name)) {
      refuse_training("`" + std::string(field.name) + "` is not an option of " + o.optimizer, {},
                      field.name);
    }
    if (value) own[field.name] = *value;
  }
  if (o.optimizer != TrainOptions().optimizer) set_unless_given(o, own, given);
}

uint32_t tags_of(DataKind kind) {
  switch (kind) {
    case DataKind::text:
    case DataKind::tokens:
      return kOfText;
    case DataKind::images:
    case DataKind::arrays:
      return kOfExamples;
    case DataKind::table:
      break;
  }
  return kOfExamples | kOfTables;
}

constexpr uint32_t kKinds = kOfText | kOfExamples | kOfTables;

bool suits_data(const Field& field, DataKind kind) {
  return !(field.tags & kKinds) || (field.tags & kKinds & tags_of(kind));
}

bool suits_optimizer(const Field& field, const OptimizerDef& def) {
  return !(field.tags & kOfOptimizer) || find_field(*def.options, field.name);
}

void require_applicable(const TrainOptions& o, std::span<const std::string> given) {
  const DataKind kind = data_kind(o.data);
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (!contains(given, field.name) || suits_data(field, kind)) continue;
    refuse_training(fmt::format("`{}` is an option of {}, not of {}", field.name,
                                field.tags & kOfText     ? "texts and tokens"
                                : field.tags & kOfTables ? "tables"
                                                         : "images, arrays and tables",
                                kind_name(kind)),
                    {}, field.name);
  }
}

void apply_preset(TrainOptions& o, std::span<const std::string> given) {
  std::string known;
  for (const TrainPreset& preset : kPresets) {
    if (o.preset == preset.name) return set_unless_given(o, changed_by(preset.apply), given);
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  }
  refuse_training("`preset` must be one of " + known + "; got " + o.preset, known, o.preset);
}

std::vector<std::string> strings_of(const Json& list, const char* name) {
  std::vector<std::string> strings;
  for (const Json& text : list.as_array(name)) strings.push_back(text.as_string(name));
  return strings;
}

// The data, and the options that apply to them.
Json options_json(const TrainOptions& o, const OptimizerTable& optimizers,
                  bool (*wanted)(const Field&)) {
  const OptimizerDef& def = optimizer_named(optimizers, o.optimizer);
  Json all = record_to_json(o), json = Json::object(), data = Json::array();
  const DataKind kind = data_kind(o.data);
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (wanted(field) && suits_data(field, kind) && suits_optimizer(field, def)) {
      json[field.name] = all.at(field.name);
    }
  }
  for (const std::string& source : o.data) data.push_back(canonical_source(source));
  json["data"] = std::move(data);
  return json;
}

// Defaults, with the options that were given or are of this process only.
TrainOptions given_options(const TrainOptions& options, std::span<const std::string> given) {
  for (const std::string& name : given) {
    if (!find_field(record_of<TrainOptions>, name))
      refuse_training("unknown option " + name, {}, name);
  }
  const Json all = record_to_json(options);
  Json chosen = Json::object();
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (field.tags & kThisRunOnly || contains(given, field.name))
      chosen[field.name] = all.at(field.name);
  }
  TrainOptions o;
  record_from_json(o, chosen);
  o.data = options.data;
  return o;
}

// Options of the file that were not given explicitly; their names join `given`.
void read_config(TrainOptions& o, std::vector<std::string>& given) {
  OptionFile file("train", o.config);
  file.take("data", [&](const Json& sources) {
    if (o.data.empty()) o.data = strings_of(sources, "data");
  });
  file.set(o, given);
}

}  // namespace

std::span<const TrainPreset> train_presets() { return kPresets; }

std::string suited_to_examples() {
  std::string text;
  const Json suited = changed_by(apply_supervised_defaults);
  for (const Json::Member& member : suited.as_object()) {
    text += (text.empty() ? "" : ", ") + member.key + " " + member.value.dump();
  }
  return text;
}

ResolvedOptions resolve(const TrainOptions& options, std::span<const std::string> by_hand,
                        const OptimizerTable& optimizers) {
  ResolvedOptions r{given_options(options, by_hand), {by_hand.begin(), by_hand.end()}};
  TrainOptions& o = r.options;
  if (!o.config.empty()) read_config(o, r.given);
  const bool known = !o.data.empty() || !o.resume;  // otherwise a checkpoint holds the data
  if (known) require_applicable(o, r.given);
  if (!o.preset.empty()) apply_preset(o, r.given);
  if (known && tags_of(data_kind(o.data)) & kOfExamples) {
    Json suited = changed_by(apply_supervised_defaults);
    if (contains(r.given, "steps")) suited["epochs"] = o.epochs;
    set_unless_given(o, suited, r.given);
  }
  fit_optimizer(o, optimizer_named(optimizers, o.optimizer), r.given);
  if (o.epochs > 0 && contains(r.given, "epochs") && contains(r.given, "steps")) {
    refuse_training("give either `epochs` or `steps`, not both");
  }
  if (!contains(r.given, "warmup")) {
    o.warmup = std::min(o.warmup, std::max<int64_t>(o.steps, 0) / 10);  // for short runs
  }
  return r;
}

std::vector<std::string> all_applicable(const TrainOptions& o, const OptimizerTable& optimizers) {
  const OptimizerDef& def = optimizer_named(optimizers, o.optimizer);
  std::vector<std::string> names;
  const bool known = !o.data.empty() || !o.resume;
  for (const Field& field : record_of<TrainOptions>.fields) {
    const std::string name = field.name;
    const bool counted = o.epochs > 0 ? field.tags & kByEpochs : name == "epochs";
    const bool suits = known ? suits_data(field, data_kind(o.data)) : !(field.tags & kKinds);
    if (suits && suits_optimizer(field, def) && !counted) names.push_back(name);
  }
  return names;
}

Json config_of(const ResolvedOptions& resolved, const OptimizerTable& optimizers) {
  const auto& [options, given] = resolved;
  auto wanted = [](const Field& field) {
    const std::string_view name = field.name;
    return name != "config" && name != "print_config";
  };
  Json all = options_json(options, optimizers, wanted), config = Json::object();
  for (const Json::Member& member : all.as_object()) {
    const Field* field = find_field(record_of<TrainOptions>, member.key);
    const bool counted = field && field->tags & kByEpochs && options.epochs > 0;
    if (!counted || contains(given, member.key)) config[member.key] = member.value;
  }
  return config;
}

Json stored_options(const TrainOptions& o, const OptimizerTable& optimizers) {
  return options_json(o, optimizers,
                      [](const Field& field) { return !(field.tags & kThisRunOnly); });
}

TrainOptions continued_options(const ResolvedOptions& resolved, const Json& from) {
  const auto& [options, given] = resolved;
  TrainOptions o;
  Json fields = Json::object();
  for (const Json::Member& member : from.as_object("options")) {
    if (member.key != "data") fields[member.key] = member.value;
  }
  record_from_json(o, fields);
  record_from_json(
      o, changes_of_run("train", record_of<TrainOptions>, record_to_json(options), fields, given));
  o.data = options.data;
  if (o.data.empty()) o.data = strings_of(from.at("data"), "data");
  require_applicable(o, given);
  return o;
}

}  // namespace gyre
