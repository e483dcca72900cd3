#include "gyre/models/train_config.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/data/text_source.h"
#include "gyre/io/record_json.h"
#include "gyre/models/data_kind.h"
#include "gyre/op/attrs.h"
#include "gyre/optim/optimizer_def.h"

namespace gyre {
namespace {

constexpr TrainPreset kPresets[] = {
    {"chargpt", "nanoGPT's model of characters: 0.8 M parameters, 2,000 steps",
     [](TrainOptions& o) {
       o.tokenizer = "char";
       o.bias = false;
       o.activation = Activation::gelu;
       o.eval_every = o.save_every = 0;
     }},
    {"glosses", "definitions: 2,048 pieces, 1.8 M parameters, about three minutes on two cores",
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

// What may differ between a training and its continuation: `steps` gives the rest of it another
// schedule, the others do not change the numbers.
constexpr std::string_view kFree[] = {
    "out",     "resume",       "stop_at",      "steps",         "epochs",
    "threads", "eval_every",   "save_every",   "log_every",     "eval_batches",
    "config",  "print_config", "sample_every", "sample_tokens", "sample_prompt",
    "trace",   "trace_steps",  "check_nan",    "workers",       "patience"};

[[noreturn]] void refuse(const std::string& message, std::string expected = {},
                         std::string actual = {}) {
  throw Error(Code::value, "train", message, std::move(expected), std::move(actual));
}

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Sets those fields of `to` that `names` lists to what they are in `from`.
void copy_fields(const Json& from, std::span<const std::string> names, TrainOptions& to) {
  Json part = Json::object();
  for (const std::string& name : names) {
    const Json* value = from.find(name);
    if (!value) refuse("there is no option " + name, {}, name);
    part[name] = *value;
  }
  record_from_json(to, part);
}

const OptimizerDef& optimizer_named(const std::string& name) {
  try {
    return optimizer_def(name);
  } catch (const Error& error) {
    refuse("`optimizer`: " + std::string(error.what()), error.expected, error.actual);
  }
}

// Another optimiser than AdamW goes by its own defaults where nothing else was said.
void fit_optimizer(TrainOptions& o, std::span<const std::string> given) {
  const OptimizerDef& def = optimizer_named(o.optimizer);
  const OpenAttrs standard(*def.options);
  try {
    const Json more = options_of_text(o.optimizer_options, "`optimizer_options`");
    for (const Json::Member& member : more.as_object()) {
      if (find_field(record_of<TrainOptions>, member.key)) {
        refuse("`optimizer_options` holds " + member.key + ", which is an option of its own", {},
               member.key);
      }
    }
    record_from_json(*def.options, OpenAttrs(*def.options).memory, more);
  } catch (const Error& error) {
    refuse("`optimizer_options`: " + std::string(error.what()), error.expected, error.actual);
  }
  if (o.optimizer == TrainOptions().optimizer) return;
  const Json values = record_to_json(*def.options, standard.memory);
  Json own = Json::object();
  for (const char* name : {"lr", "beta1", "beta2", "weight_decay"}) {
    if (const Json* value = values.find(name); value && !contains(given, name)) own[name] = *value;
  }
  record_from_json(o, own);
}

// What suits networks that learn images and tables, where nothing else was said.
void suit_data(TrainOptions& o, std::span<const std::string> given) {
  DataKind kind = data_kind(o.data);
  if (kind == DataKind::text || kind == DataKind::tokens || !o.preset.empty()) return;
  TrainOptions suited;
  suited.batch = 64;
  suited.weight_decay = 0.01;
  suited.beta2 = 0.999;
  if (!contains(given, "steps")) suited.epochs = 10;
  const Json values = record_to_json(suited);
  Json fields = Json::object();
  for (const char* name : {"batch", "weight_decay", "beta2", "epochs"}) {
    if (!contains(given, name)) fields[name] = values.at(name);
  }
  record_from_json(o, fields);
}

TrainOptions with_preset(const TrainOptions& options, std::span<const std::string> given) {
  if (options.preset.empty()) return options;
  std::string known;
  const TrainPreset* chosen = nullptr;
  for (const TrainPreset& preset : kPresets) {
    if (options.preset == preset.name) chosen = &preset;
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  }
  if (!chosen) {
    refuse("`preset` is one of " + known + ", not " + options.preset, known, options.preset);
  }
  TrainOptions o;
  chosen->apply(o);
  copy_fields(record_to_json(options), given, o);
  o.preset = options.preset;
  o.data = options.data;
  o.out = options.out;
  o.resume = options.resume;
  return o;
}

// The options but for some, and the data.
Json without(std::initializer_list<std::string_view> left_out, const TrainOptions& o) {
  Json all = record_to_json(o), json = Json::object(), data = Json::array();
  for (const Json::Member& member : all.as_object()) {
    if (std::find(left_out.begin(), left_out.end(), member.key) == left_out.end()) {
      json[member.key] = member.value;
    }
  }
  for (const std::string& source : o.data) data.push_back(lasting_name(source));
  json["data"] = std::move(data);
  return json;
}

// What the file says and nobody has said by hand; names of such options join `given`.
void read_config(TrainOptions& o, std::vector<std::string>& given) {
  const Json file = Json::read(o.config, {.unique_keys = true});
  Json fields = Json::object();
  std::vector<std::string> by_hand = given;
  for (const Json::Member& member : file.as_object(o.config)) {
    if (member.key == "data") {
      if (!o.data.empty()) continue;
      for (const Json& source : member.value.as_array("data")) {
        o.data.push_back(source.as_string("data"));
      }
    } else if (!contains(by_hand, member.key)) {
      fields[member.key] = member.value;
      given.push_back(member.key);
    }
  }
  try {
    record_from_json(o, fields);
  } catch (const Error& error) {
    throw Error(error.code, "train", o.config + ": " + error.what(), error.expected, error.actual);
  }
}

}  // namespace

std::span<const TrainPreset> train_presets() { return kPresets; }

ResolvedOptions resolve(const TrainOptions& options, std::span<const std::string> by_hand) {
  ResolvedOptions r{options, {by_hand.begin(), by_hand.end()}};
  TrainOptions& o = r.options;
  if (!o.config.empty()) read_config(o, r.given);
  o = with_preset(o, r.given);
  suit_data(o, r.given);
  fit_optimizer(o, r.given);
  if (o.epochs > 0 && contains(r.given, "epochs") && contains(r.given, "steps")) {
    refuse("give either `epochs` or `steps`, not both");
  }
  if (!contains(r.given, "warmup")) {
    o.warmup = std::min(o.warmup, std::max<int64_t>(o.steps, 0) / 10);  // short trainings too
  }
  return r;
}

bool follows_from_epochs(std::string_view option) {
  constexpr std::string_view kCounted[] = {"steps", "warmup", "eval_every", "save_every"};
  return std::find(std::begin(kCounted), std::end(kCounted), option) != std::end(kCounted);
}

Json config_of(const ResolvedOptions& resolved) {
  const auto& [options, given] = resolved;
  Json all = without({"config", "print_config"}, options), config = Json::object();
  for (const Json::Member& member : all.as_object()) {
    // epochs decide these when the data are known
    if (options.epochs > 0 && follows_from_epochs(member.key) && !contains(given, member.key))
      continue;
    config[member.key] = member.value;
  }
  return config;
}

Json stored_options(const TrainOptions& o) {
  return without({"out", "resume", "stop_at", "threads", "config", "print_config", "trace",
                  "trace_steps", "check_nan"},
                 o);
}

TrainOptions continued_options(const ResolvedOptions& resolved, const Json& from) {
  const auto& [options, given] = resolved;
  TrainOptions o;
  Json fields = Json::object(), now = record_to_json(options);
  for (const Json::Member& member : from.as_object("options")) {
    if (member.key != "data") fields[member.key] = member.value;
  }
  record_from_json(o, fields);
  for (const std::string& name : given) {
    if (std::find(std::begin(kFree), std::end(kFree), name) != std::end(kFree)) {
      copy_fields(now, {&name, 1}, o);
    } else if (const Json* before = fields.find(name), *wanted = now.find(name);
               !before || !wanted || !(*before == *wanted)) {
      refuse("the training in " + options.out + " has `" + name + "` " +
                 (before ? before->dump() : "none") + " and cannot go on with " +
                 (wanted ? wanted->dump() : "none"),
             before ? before->dump() : "", wanted ? wanted->dump() : "");
    }
  }
  o.out = options.out;
  o.resume = true;
  o.data = options.data;
  if (o.data.empty()) {
    for (const Json& source : from.at("data").as_array("data")) {
      o.data.push_back(source.as_string("data"));
    }
  }
  return o;
}

}  // namespace gyre
