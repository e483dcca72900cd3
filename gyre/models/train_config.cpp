#include "gyre/models/train_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gyre/base/error.h"
#include "gyre/base/function_ref.h"
#include "gyre/base/text/ascii.h"
#include "gyre/data/text_source.h"
#include "gyre/io/option_file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/architecture.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/prepared_task.h"
#include "gyre/models/text/start_model.h"
#include "gyre/op/attrs.h"
#include "gyre/ops/create/create.h"
#include "gyre/optim/optimizer_def.h"

namespace gyre {
namespace {

constexpr TrainPreset kPresets[] = {
    {"chargpt", "nanoGPT's character-level model: 0.8 M parameters, 2,000 steps",
     [](TrainOptions& o) {
       o.model = "gpt2";
       o.text.tokenizer = "char";
       o.decoder.bias = false;
       o.decoder.activation = Activation::gelu;
       o.trainer.evaluation.every = o.trainer.checkpoints.every = 0;
     }},
    {"glosses", "WordNet's definitions: vocabulary 4,096, 4 layers, width 160, 3,000 steps",
     [](TrainOptions& o) {
       o.text.tokenizer = "bpe:4096";
       o.decoder.width = 160;
       o.decoder.heads = 5;
       o.trainer.batch.size = 16;
       o.trainer.optimizer.clip = 0;  // Muon's updates have a fixed size
       o.trainer.optimizer.name = "muon";
       o.trainer.optimizer.more =
           "momentum=0.85,adamw_lr_ratio=0.8,momentum_warmup=300";  // best for short runs
       o.trainer.schedule.decay = 0.7;
       o.trainer.schedule.steps = 3000;
       o.trainer.evaluation.every = o.trainer.checkpoints.every = 500;
       o.text.eval_batches = 50;
     }},
    {"gpt2", "the smallest GPT-2: 12 layers, 124 M parameters",
     [](TrainOptions& o) {
       o.model = "gpt2";
       o.text.tokenizer = "bpe:50257";
       o.decoder.layers = o.decoder.heads = 12;
       o.decoder.width = 768;
       o.decoder.block_size = 1024;
       o.trainer.batch.size = 4;
       o.trainer.batch.accumulate = 8;
       o.trainer.schedule.lr = 6e-4;
       o.trainer.optimizer.beta2 = 0.95;
     }},
};

// Defaults for networks on images and arrays.
void apply_array_defaults(TrainOptions& o) {
  o.trainer.batch.size = 64;
  o.trainer.optimizer.weight_decay = 0.01;
  o.trainer.optimizer.beta2 = 0.999;
  o.data.epochs = 10;
}

// Chosen for tables of some hundred to some thousand rows (docs/decisions/025).
void apply_table_defaults(TrainOptions& o) {
  apply_array_defaults(o);
  o.data.epochs = 100;
  o.trainer.schedule.lr = 3e-3;
  o.trainer.optimizer.weight_decay = 1;
  o.trainer.optimizer.ema = 0.99;
}

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The fields that `apply` changes, with their values.
Json changed_by(FunctionRef<void(TrainOptions&)> apply) {
  TrainOptions options;
  apply(options);
  return changed_fields(options);
}

// "`batch` 64, `epochs` 10"
std::string listed(const Json& options) {
  std::string text;
  for (const auto& [name, value] : options.as_object()) {
    text += fmt::format("{}`{}` {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.as_string() : value.dump());
  }
  return text;
}

// Sets fields that were not given explicitly, without the further options of another optimiser than
// the one that was.
void set_unless_given(TrainOptions& o, const Json& values, std::span<const std::string> given) {
  const Json* optimizer = values.find("optimizer");
  const bool another = optimizer && contains(given, "optimizer") &&
                       optimizer->as_string() != lower_case(o.trainer.optimizer.name);
  Json rest = Json::object();
  for (const Json::Member& member : values.as_object()) {
    if (contains(given, member.key) || (another && member.key == "optimizer_options")) continue;
    rest[member.key] = member.value;
  }
  record_from_json(o, rest);
}

const OptimizerDef& optimizer_named(const OptimizerTable& optimizers, const std::string& name) {
  try {
    return optimizers.of(lower_case(name));  // PyTorch's AdamW, too
  } catch (const Error& error) {
    refuse_training("`optimizer`: " + error.message(), error.expected, error.actual);
  }
}

Json more_options(const TrainOptions& o, const OptimizerDef& def) {
  const Json more = [&] {
    try {
      return options_of_text(o.trainer.optimizer.more, "train");
    } catch (const Error& error) {
      refuse_training("`optimizer_options` " + error.message(), error.expected, error.actual);
    }
  }();
  for (const Field& own : record_of<TrainOptions>.fields) {
    if (!(own.tags & kOfOptimizer)) continue;
    const Field* theirs = find_field(*def.options, own.name);  // may have another name
    for (const Json::Member& member : more.as_object()) {
      if (member.key != own.name && !(theirs && member.key == theirs->name)) continue;
      refuse_training(
          {"`optimizer_options` holds ", member.key, ", which has its own option `", own.name, "`"},
          {}, member.key);
    }
  }
  return more;
}

constexpr uint32_t kKinds = kOfText | kOfExamples | kOfTables;

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

// A model that `model` names: the data that it is for and its options.
struct NamedModel {
  const char* name;
  uint32_t data;
  const Record& options;
};
constexpr NamedModel kNetworks[] = {{"mlp", kOfExamples, kNoOptions},
                                    {"cnn", kOfExamples, kNoOptions},
                                    {"linear", kOfExamples, kNoOptions}};
constexpr const char* kLanguageModel = "gyre";  // by default

// The language models and networks.
std::vector<NamedModel> models() {
  std::vector<NamedModel> all(std::begin(kNetworks), std::end(kNetworks));
  for (const Architecture* a : architectures()) all.push_back({a->model_type, kOfText, a->options});
  return all;
}

// Those of which new ones are made.
std::string language_models() {
  std::string names;
  for (const Architecture* a : architectures()) {
    if (a->suit) names += (names.empty() ? "" : " or ") + std::string(a->model_type);
  }
  return names;
}

// Refuses options that files of this kind of model do not hold.
void require_held(const std::string& model, const TrainOptions& o,
                  std::span<const std::string> given) {
  const Architecture& a = architecture_named(model);
  if (!a.suit)
    refuse_training({"`model` must be ", language_models(), ", got ", model}, language_models(),
                    model);
  check_heads("train", o.decoder);
  const auto holds = [&](DecoderOptions options) {
    options.vocab = 1;
    return a.holds(options);
  };
  if (holds(o.decoder)) return;
  TrainOptions standard;
  a.suit(standard.decoder);
  const Json usual = record_to_json(standard), own = record_to_json(o);
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (!(field.tags & kOfModel) || !contains(given, field.name)) continue;
    TrainOptions without = o;
    Json one = Json::object();
    one[field.name] = usual.at(field.name);
    record_from_json(without, one);
    if (!holds(without.decoder)) continue;
    const Json& value = own.at(field.name);
    const std::string text = value.is_string() ? value.as_string() : value.dump();
    refuse_training({"`", field.name, "` ", text, " is not an option of the model ", model},
                    usual.at(field.name).dump(), text);
  }
  refuse_training({"the model ", model, " does not have these options together"}, {}, model);
}

// The data, model, optimiser and schedule of a run, which tell its options. Unknown data, those of
// a checkpoint, have no options of their own.
struct Choice {
  const char* data = "unknown data";
  uint32_t tags = 0;
  std::string model{};
  const Record* of_model = &kNoOptions;
  const OptimizerDef* optimizer;
  Schedule schedule;
  bool packed = true;  // the weights are, as far as is known

  Choice(const TrainOptions& o, const OptimizerTable& optimizers)
      : model(o.model),
        optimizer(&optimizer_named(optimizers, o.trainer.optimizer.name)),
        schedule(o.trainer.schedule.kind) {
    if (!known(o)) return;
    const DataKind kind = data_kind(o.data.sources);
    data = kind_name(kind);
    tags = tags_of(kind);
    if (model.empty() && tags & kOfText) model = kLanguageModel;
    if (model == "gpt") model = "gpt2";  // its name before there were others
    if (tags & kOfText && !o.trainer.checkpoints.resume) packed = starts_packed(o.start);
    for (const NamedModel& m : models()) {
      if (model != m.name) continue;
      if (!(tags & m.data))
        refuse_training(fmt::format("`model` {} does not take {}", model, data), {}, model);
      of_model = &m.options;
      return;
    }
    if (tags & kOfText)
      refuse_training(
          fmt::format("`model` must be {} for {}, got {}", language_models(), data, model),
          language_models(), model);
  }

  static bool known(const TrainOptions& o) {
    return !o.data.sources.empty() || !o.trainer.checkpoints.resume;
  }

  [[nodiscard]] bool takes(const Field& f) const {
    return (!(f.tags & kKinds) || f.tags & tags) &&
           (!(f.tags & kOfModel) || find_field(*of_model, f.name)) &&
           (!(f.tags & kOfOptimizer) || find_field(*optimizer->options, f.name)) &&
           (!(f.tags & kOfPacked) || packed) &&
           (!(f.tags & kOfSchedules) || f.tags & of_schedules(schedule));
  }

  // Refuses the first option given that does not apply, with those that do.
  void require_applicable(std::span<const std::string> given) const {
    constexpr uint32_t kOfData = kKinds | kOfModel;
    for (const Field& f : record_of<TrainOptions>.fields) {
      if (takes(f) || !contains(given, f.name)) continue;
      if (f.tags & kOfPacked && !packed) {
        refuse_training(fmt::format("`{}` needs packed weights: set `packed` to a format such as "
                                    "D4, or `init` to a model that gyre compress wrote",
                                    f.name),
                        "packed weights", "plain ones");
      }
      const bool by_model = f.tags & kOfModel && !model.empty();
      const auto [tags_there, whose] =
          f.tags & kOfSchedules
              ? std::pair(kOfSchedules, fmt::format("the schedule {}",
                                                    kScheduleNames[static_cast<int>(schedule)]))
          : by_model         ? std::pair(uint32_t{kOfModel}, "the model " + model)
          : f.tags & kOfData ? std::pair(kKinds, std::string(data))
                             : std::pair(uint32_t{kOfOptimizer}, std::string(optimizer->name));
      std::string others;
      for (const Field& other : record_of<TrainOptions>.fields) {
        if (other.tags & tags_there && takes(other))
          others += fmt::format("{}`{}`", others.empty() ? "" : ", ", other.name);
      }
      refuse_training(fmt::format("`{}` is not an option of {} (options: {})", f.name, whose,
                                  others.empty() ? "none" : others),
                      others, f.name);
    }
  }
};

// The options that suit a new language model of this kind.
Json suited_to(const std::string& model) {
  return changed_by([&](TrainOptions& o) {
    for (const Architecture* a : architectures()) {
      if (model == a->model_type && a->suit) a->suit(o.decoder);
    }
    if (model != kLanguageModel) return;
    o.trainer.optimizer.name = "muon";
    o.trainer.optimizer.more = "momentum_warmup=300";
    o.trainer.schedule.kind = Schedule::wsd;
    o.trainer.schedule.decay = 0.5;
    o.trainer.schedule.min_lr = 0;
  });
}

// Names of choices that the optimiser does not have; their type is unknown to the trainer.
void require_choices(const TrainOptions& o, const OptimizerDef& def) {
  const Json all = record_to_json(o);
  for (const Field& field : record_of<TrainOptions>.fields) {
    const Field* own = field.tags & kOfOptimizer ? find_field(*def.options, field.name) : nullptr;
    if (!own || own->type != Field::choice) continue;
    const std::string& value = all.at(field.name).as_string();
    if (std::ranges::find(own->choices, value) != own->choices.end()) continue;
    std::string known;
    for (const char* name : own->choices)
      known += (known.empty() ? "" : " or ") + std::string(name);
    refuse_training({"`", field.name, "` must be ", known, ", got ", value}, known, value);
  }
}

// Of the learning rates for new models, for one that was trained before: AdamW's 1e-3 becomes 5e-5,
// as transformers' Trainer has it. Packed weights change by flipped bits, at rates of their own.
constexpr double kFurther = 0.05;

bool trains_further(const TrainOptions& o, const OptimizerDef& def) {
  return !o.start.init.empty() && !o.trainer.checkpoints.resume &&
         !find_field(*def.options, "packed_mode");
}

// Checks the options of the optimiser; those other than AdamW use their own defaults where nothing
// was given.
void fit_optimizer(TrainOptions& o, const OptimizerDef& def, std::span<const std::string> given) {
  require_choices(o, def);
  const Json more = more_options(o, def);
  OpenAttrs options(*def.options);
  const Json standard = record_to_json(*def.options, options.memory);
  try {
    record_from_json(*def.options, options.memory, more);
    const Tensor any = zeros({1});
    (void)def.make({&any, 1}, options.memory);  // checks the values
  } catch (const Error& error) {
    if (error.code == Code::resource) throw;
    refuse_training("`optimizer_options`: " + error.message(), error.expected, error.actual);
  }
  Json own = Json::object();
  for (const Field& field : record_of<TrainOptions>.fields) {
    const Json* value = field.tags & kOfOptimizer ? standard.find(field.name) : nullptr;
    if (value) own[field.name] = *value;
  }
  if (o.trainer.optimizer.name == "muon") {  // for training from scratch (Jordan et al. 2024)
    own["lr"] = 0.02;
    own["weight_decay"] = 0.01;
  }
  if (o.trainer.optimizer.name != TrainOptions().trainer.optimizer.name)
    set_unless_given(o, own, given);
  if (trains_further(o, def) && !contains(given, "lr")) o.trainer.schedule.lr *= kFurther;
}

// The options that a preset sets.
Json options_of_preset(const std::string& name) {
  std::string known;
  for (const TrainPreset& preset : kPresets) {
    if (name == preset.name) return changed_by([&](TrainOptions& t) { preset.apply(t); });
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  }
  refuse_training("`preset` must be one of " + known + "; got " + name, known, name);
}

void apply_preset(TrainOptions& o, std::span<const std::string> given) {
  if (!o.preset.empty()) set_unless_given(o, options_of_preset(o.preset), given);
}

// An error about one of these options, which the file sets, names the file.
void refuse_in_file(const Error& error, const std::string& file,
                    std::span<const std::string> options) {
  const std::string message = error.message(), rest = message.substr(message.find('`') + 1);
  if (contains(options, rest.substr(0, rest.find('`'))))
    refuse_training(file + ": " + message, error.expected, error.actual);
}

// The data, and the options that apply to them.
Json options_json(const TrainOptions& o, const OptimizerTable& optimizers,
                  bool (*wanted)(const Field&)) {
  const Choice choice(o, optimizers);
  Json all = record_to_json(o), json = Json::object(), data = Json::array();
  for (const std::string& source : o.data.sources) data.push_back(canonical_source(source));
  all["data"] = std::move(data);
  all["model"] = choice.model;
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (wanted(field) && choice.takes(field)) json[field.name] = all.at(field.name);
  }
  return json;
}

// Defaults, with the options that were given or are of this process only.
TrainOptions given_options(const TrainOptions& options, std::span<const std::string> given) {
  const Json all = record_to_json(options);
  Json chosen = Json::object();
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (field.tags & kThisProcessOnly || contains(given, field.name))
      chosen[field.name] = all.at(field.name);
  }
  TrainOptions o;
  record_from_json(o, chosen);
  return o;
}

// Takes the options of the model that the run starts from. Refuses a preset for another one.
void take_model(TrainOptions& o, const StartModel& start) {
  o.decoder = start.options;
  o.model = start.model_type;
  o.text.tokenizer = start.tokenizer;
  if (o.preset.empty()) return;
  const Json own = record_to_json(o), preset = options_of_preset(o.preset);
  for (const Json::Member& member : preset.as_object()) {
    const Field* field = find_field(record_of<TrainOptions>, member.key);
    const bool of_model = member.key == "model" || (field && field->tags & kOfModel);
    const Json& value = own.at(member.key);
    if (!of_model || member.value == value) continue;
    refuse_training(
        {"`preset` ", o.preset, " is for another model than that in `init`, with `", member.key,
         "` ", member.value.dump(), " instead of ", value.dump(), "; omit `preset`"},
        value.dump(), member.value.dump());
  }
}

// The options that suit packed weights; f32 weights beside them would begin as the decoded ones, so
// that a model that is packed already only loses their memory.
Json suited_to_packed(bool already) {
  return changed_by([&](TrainOptions& o) {
    o.trainer.optimizer.name = "hybrid";
    o.trainer.schedule.kind = Schedule::cosine;
    if (already) o.trainer.optimizer.packed_mode = "shadow_free";
  });
}

// Fills in the options of a new run on text.
void complete_text(TrainOptions& o, std::string model, std::span<const std::string> given,
                   const OptimizerTable& optimizers) {
  std::optional<StartModel> start;
  if (!o.start.init.empty()) {
    start = start_model(o, given);
    model = start->model_type;
  }
  set_unless_given(o, suited_to(model), given);
  apply_preset(o, given);  // overrides the defaults of the model
  if (start) take_model(o, *start);
  if (start && o.text.sequence_length == 0)
    o.text.sequence_length = std::min<int64_t>(o.decoder.block_size, 1024);
  const bool already = start && !start->formats.empty();
  if (start && !already && o.start.packed == TrainedFormat::none && !contains(given, "dtype"))
    o.trainer.precision.dtype = start->dtype;
  if (!already && o.start.packed == TrainedFormat::none) return;
  set_unless_given(o, suited_to_packed(already), given);
  const std::string& name = o.trainer.optimizer.name;
  if (!find_field(*optimizer_named(optimizers, name).options, "packed_mode"))
    refuse_training("packed weights need the `optimizer` hybrid, got " + name, "hybrid", name);
  if (o.trainer.optimizer.ema > 0) {
    refuse_training("packed weights have no moving average; omit `ema_decay`", "0",
                    o.trainer.optimizer.ema);
  }
  if (!contains(given, "optimizer_options")) o.trainer.optimizer.more.clear();
}

// Checks the options that were given and fills in the others.
void complete(ResolvedOptions& r, const OptimizerTable& optimizers) {
  TrainOptions& o = r.options;
  TrainerOptions& t = o.trainer;
  apply_preset(o, r.given);
  if (const Choice first(o, optimizers); first.tags & kOfText && !t.checkpoints.resume)
    complete_text(o, first.model, r.given, optimizers);
  const Choice choice(o, optimizers);
  t.optimizer.name = choice.optimizer->name;
  // A resumed run is checked with its stored options, by continued_options().
  if (!t.checkpoints.resume) choice.require_applicable(r.given);
  if (choice.tags & kOfText && !t.checkpoints.resume && o.start.init.empty())
    require_held(choice.model, o, r.given);
  if (choice.tags & kOfExamples) {
    Json suited = changed_by([&](TrainOptions& t) {
      (choice.tags & kOfTables ? apply_table_defaults : apply_array_defaults)(t);
    });
    if (contains(r.given, "steps")) suited["epochs"] = o.data.epochs;
    set_unless_given(o, suited, r.given);
  }
  fit_optimizer(o, *choice.optimizer, r.given);
  if (o.data.epochs > 0 && contains(r.given, "epochs") && contains(r.given, "steps")) {
    refuse_training("give either `epochs` or `steps`, not both");
  }
  int64_t& warmup = t.schedule.warmup;
  if (!contains(r.given, "warmup_steps")) {
    warmup = std::min(warmup, std::max<int64_t>(t.schedule.steps, 0) / 10);  // for short runs
  }
}

}  // namespace

std::span<const TrainPreset> train_presets() { return kPresets; }

std::string suited_to_texts() { return listed(suited_to(kLanguageModel)); }
std::string suited_to_arrays() {
  return listed(changed_by([](TrainOptions& t) { apply_array_defaults(t); }));
}
std::string suited_to_tables() {
  return listed(changed_by([](TrainOptions& t) { apply_table_defaults(t); }));
}

ResolvedOptions resolve(const TrainOptions& options, std::span<const std::string> by_hand,
                        const OptimizerTable& optimizers) {
  ResolvedOptions r{{}, own_names("train", record_of<TrainOptions>, by_hand)};
  if (!options.data.sources.empty()) r.given.emplace_back("data");
  r.options = given_options(options, r.given);
  const std::string& config = r.options.trainer.run.config;
  const size_t explicitly = r.given.size();
  if (!config.empty()) read_option_file("train", config, r.options, r.given);
  try {
    complete(r, optimizers);
  } catch (const Error& error) {
    refuse_in_file(error, config, std::span(r.given).subspan(explicitly));
    throw;
  }
  return r;
}

std::vector<std::string> all_applicable(const TrainOptions& o, const OptimizerTable& optimizers) {
  const Choice choice(o, optimizers);
  std::vector<std::string> names;
  for (const Field& field : record_of<TrainOptions>.fields) {
    const bool counted =
        o.data.epochs > 0 ? field.tags & kByEpochs : std::string_view(field.name) == "epochs";
    if (choice.takes(field) && !counted && !(field.tags & kPositional))
      names.emplace_back(field.name);
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
    const bool counted = field && field->tags & kByEpochs && options.data.epochs > 0;
    if (!counted || contains(given, member.key)) config[member.key] = member.value;
  }
  return config;
}

Json stored_options(const TrainOptions& o, const OptimizerTable& optimizers) {
  return options_json(o, optimizers,
                      [](const Field& field) { return !(field.tags & kThisProcessOnly); });
}

TrainOptions continued_options(const ResolvedOptions& resolved, const Json& stored,
                               const OptimizerTable& optimizers) {
  const auto& [options, given] = resolved;
  TrainOptions o;
  o.text.split = SplitBy::end;  // that of checkpoints without it
  record_from_json(o, stored);
  const Json changes = changes_of_run("train", record_of<TrainOptions>, record_to_json(options),
                                      record_to_json(o), given);
  record_from_json(o, changes);
  Choice(o, optimizers).require_applicable(given);
  return o;
}

}  // namespace gyre
