#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "gyre/base/in_file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/language_model.h"

namespace gyre {
namespace {

// Settings of transformers' GenerationConfig and the options that have their meaning.
struct Setting {
  std::string_view theirs, ours;
};
constexpr Setting kPenalties[] = {{"repetition_penalty", "repetition_penalty"},
                                  {"no_repeat_ngram_size", "no_repeat_ngram_size"}};
constexpr Setting kLimits[] = {{"temperature", "temperature"},
                               {"top_k", "top_k"},
                               {"top_p", "top_p"},
                               {"min_p", "min_p"},
                               {"typical_p", "typical_p"}};
constexpr std::string_view kSampling[] = {"temperature", "top_k",     "top_p",
                                          "min_p",       "typical_p", "xtc_probability"};

// Those that change texts and have no option, with the number at which they do nothing; false, null
// and an empty list do nothing of any.
struct Other {
  std::string_view name;
  std::optional<double> neutral;
};
constexpr Other kOthers[] = {{"min_length", 0},
                             {"min_new_tokens", 0},
                             {"max_time", {}},
                             {"num_return_sequences", 1},
                             {"num_beam_groups", 1},
                             {"diversity_penalty", 0},
                             {"penalty_alpha", 0},
                             {"top_h", 0},
                             {"epsilon_cutoff", 0},
                             {"eta_cutoff", 0},
                             {"encoder_repetition_penalty", 1},
                             {"encoder_no_repeat_ngram_size", 0},
                             {"guidance_scale", 1},
                             {"token_healing", {}},
                             {"bad_words_ids", {}},
                             {"force_words_ids", {}},
                             {"constraints", {}},
                             {"sequence_bias", {}},
                             {"suppress_tokens", {}},
                             {"begin_suppress_tokens", {}},
                             {"forced_bos_token_id", {}},
                             {"forced_eos_token_id", {}},
                             {"exponential_decay_length_penalty", {}},
                             {"watermarking_config", {}},
                             {"dola_layers", {}}};

bool does_nothing(const Json& value, std::optional<double> neutral) {
  if (value.is_array()) return value.as_array().empty();
  if (value.is_object()) return value.as_object().empty();
  if (value == Json(false)) return true;
  return neutral && value.is_number() && value.as_real() == *neutral;
}

bool has_name(std::span<const std::string> given, std::string_view name) {
  return std::ranges::find(given, name) != given.end();
}

// A generation_config.json and what is taken of it.
class ModelSettings {
 public:
  ModelSettings(const GenerateOptions& options, std::span<const std::string> given,
                bool has_tokenizer, const Json& config, std::vector<std::string>& notes)
      : options_(options),
        given_(given),
        has_tokenizer_(has_tokenizer),
        config_(config),
        notes_(notes) {}

  Json taken() {
    const int64_t beams = take_beams();
    if (beams == 1) {
      for (const Setting& s : kPenalties) take(s);
      take_sampling();
    } else {
      take({"length_penalty", "length_penalty"});
      // what ends the search there: as many ended texts as beams, though others may become better
      if (const Json* early = find("early_stopping"); early && !does_nothing(*early, 0))
        note("early_stopping", "beam search ends once no text can become better");
      if (flag("do_sample", false)) note("do_sample", "beam search does not sample");
      for (const Setting& s : kPenalties) {
        const double off = s.theirs == "repetition_penalty" ? 1 : 0;
        if (real(s.theirs, off) != off && !has_name(given_, s.ours))
          note(s.theirs, "beam search applies no penalties");
      }
    }
    take_lengths();
    take_stops(beams);
    for (const Other& other : kOthers) {
      const Json* value = find(other.name);
      if (value && !does_nothing(*value, other.neutral))
        note(other.name, "there is no such option");
    }
    return std::move(taken_);
  }

 private:
  [[nodiscard]] const Json* find(std::string_view name) const {
    const Json* value = config_.find(name);
    return value && !value->is_null() ? value : nullptr;
  }
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const {
    const Json* value = find(name);
    return value ? value->as_boolean(name) : otherwise;
  }
  [[nodiscard]] double real(std::string_view name, double otherwise) const {
    const Json* value = find(name);
    return value ? value->as_real(name) : otherwise;
  }
  void take(const Setting& s) {
    if (const Json* value = find(s.theirs); value && !has_name(given_, s.ours))
      taken_[std::string(s.ours)] = *value;
  }
  void note(std::string_view name, const std::string& why) {
    notes_.push_back("generation_config.json: " + std::string(name) + " " + find(name)->dump() +
                     " is not applied: " + why);
  }

  // The name of an option that excludes beams; empty: none is there.
  [[nodiscard]] std::string excluding_beams() const {
    for (const std::string& name : given_) {
      if (!(field_named("generate", record_of<GenerateOptions>, name).tags & kWithBeams))
        return name;
    }
    return excludes_beams(options_);
  }

  // Number of beams.
  int64_t take_beams() {
    const Json* value = find("num_beams");
    const int64_t wanted = value ? value->as_integer("num_beams") : 1;
    if (has_name(given_, "beams") || wanted == 1) return options_.beams;
    const std::string excluded = excluding_beams();
    if (wanted > 1 && !excluded.empty()) {
      note("num_beams", "`" + excluded + "` excludes it");
    } else if (wanted > 1 && flag("do_sample", false)) {
      note("num_beams", "do_sample is set, too, and beam search does not sample");
    } else if (wanted > 1 && has_name(given_, "greedy") && options_.sampling.greedy) {
      note("num_beams", "`greedy` is given");
    } else {
      taken_["beams"] = *value;  // also one out of range, which is refused
      return wanted;
    }
    return options_.beams;
  }

  void take_sampling() {
    const bool is_greedy = has_name(given_, "greedy") && options_.sampling.greedy;
    const bool is_cold = has_name(given_, "temperature") && options_.sampling.temperature == 0;
    if (flag("do_sample", false)) {
      if (is_greedy || is_cold) return;
      for (const Setting& s : kLimits) take(s);
    } else if (find("do_sample") && !has_name(given_, "greedy") &&
               std::ranges::none_of(kSampling, [&](auto name) { return has_name(given_, name); })) {
      taken_["greedy"] = true;
    }
  }

  void take_lengths() {
    take({"max_new_tokens", "max_tokens"});
    if (find("max_length") && !find("max_new_tokens") && !has_name(given_, "max_tokens"))
      note("max_length", "it counts the prompt, too; give `max_tokens`");
  }

  void take_stops(int64_t beams) {
    const Json* stops = find("stop_strings");
    if (!stops || has_name(given_, "stop")) return;
    if (beams > 1) return note("stop_strings", "beam search has none");
    if (!has_tokenizer_) return note("stop_strings", "there is no tokenizer");
    if (!options_.json_schema.empty())
      return note("stop_strings", "`json_schema` decides where the text ends");
    Json list = Json::array();
    if (stops->is_string()) list.push_back(*stops);
    taken_["stop"] = stops->is_string() ? list : *stops;
  }

  const GenerateOptions& options_;
  std::span<const std::string> given_;
  const bool has_tokenizer_;
  const Json& config_;
  std::vector<std::string>& notes_;
  Json taken_ = Json::object();
};

}  // namespace

GenerateOptions with_model_settings(const GenerateOptions& options,
                                    std::span<const std::string> given, const LanguageModel& model,
                                    bool has_tokenizer, std::vector<std::string>& notes) {
  GenerateOptions all = options;
  in_file("generation_config.json", [&] {
    const Json settings =
        ModelSettings(options, given, has_tokenizer, model.generation_config(), notes).taken();
    record_from_json(record_of<GenerateOptions>, &all, settings);
    check_record("generate", all);
  });
  return all;
}

}  // namespace gyre
