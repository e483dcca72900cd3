#include <algorithm>
#include <array>
#include <string_view>

#include "gyre/base/in_file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/language_model.h"

namespace gyre {
namespace {

// Those of transformers' GenerationConfig that have the same names and meanings here.
constexpr std::array<std::string_view, 2> kPenalties = {"repetition_penalty",
                                                        "no_repeat_ngram_size"};
constexpr std::array<std::string_view, 5> kLimits = {"temperature", "top_k", "top_p", "min_p",
                                                     "typical_p"};

bool has_name(std::span<const std::string> given, std::string_view name) {
  return std::ranges::find(given, name) != given.end();
}

}  // namespace

GenerateOptions with_model_settings(const GenerateOptions& options,
                                    std::span<const std::string> given,
                                    const LanguageModel& model) {
  const Json& config = model.generation_config();
  const Json* samples = config.find("do_sample");
  const bool draws = samples && !samples->is_null() && samples->as_boolean("do_sample") &&
                     !has_name(given, "greedy") && options.beams == 1 &&
                     !(has_name(given, "temperature") && options.sampling.temperature == 0);
  Json settings = Json::object();
  const auto take = [&](std::string_view name) {
    const Json* value = config.find(name);
    if (value && !value->is_null() && !has_name(given, name)) settings[std::string(name)] = *value;
  };
  if (options.beams == 1) std::ranges::for_each(kPenalties, take);
  if (draws) std::ranges::for_each(kLimits, take);
  GenerateOptions all = options;
  in_file("generation_config.json", [&] {
    record_from_json(record_of<GenerateOptions>, &all, settings);
    check_record("generate", all);
  });
  return all;
}

}  // namespace gyre
