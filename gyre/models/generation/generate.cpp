#include "gyre/models/generation/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/files/model_tokenizer.h"
#include "gyre/models/generation/beam_search.h"
#include "gyre/models/generation/draft.h"
#include "gyre/models/generation/schema/json_mask.h"
#include "gyre/models/language_model.h"
#include "gyre/text/token_ids.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void check_beams(const GenerateOptions& options) {
  const std::string name = excludes_beams(options);
  if (name.empty()) return;
  throw Error(Code::value, "generate", "`" + name + "` cannot be combined with `beams` above 1");
}

void check_generate(const GenerateOptions& o, bool has_tokenizer, const std::string& folder) {
  check_record("generate", o);
  (void)Sampler(o.sampling);
  if (o.beams > 1) check_beams(o);
  if (!o.prompt.empty() && !o.ids.empty())
    throw Error(Code::value, "generate", "give either `prompt` or `ids`, not both");
  if (!has_tokenizer && (o.ids.empty() || !o.stop.empty())) {
    throw Error(Code::value, "generate",
                {missing_tokenizer(folder),
                 "; give one as `tokenizer`, or `ids` instead of `prompt` without `stop`"},
                "a tokenizer", "none");
  }
}

// What the masks of several texts share.
struct Structure {
  Structure(const std::string& schema, const Tokenizer* tokenizer) {
    if (schema.empty()) return;
    if (!tokenizer)
      throw Error(Code::value, "generate", "`json_schema` needs a model with a tokenizer");
    json = JsonSchema::from(schema);
    tokens.emplace(*tokenizer);
  }
  std::optional<JsonSchema> json;
  std::optional<TokenBytes> tokens;
};

void check_prompt_ids(std::span<const int32_t> ids, int64_t vocab) {
  if (ids.empty()) throw Error(Code::value, "generate", "a list of token ids is empty");
  for (int32_t id : ids) {
    if (id >= 0 && id < vocab) continue;
    throw Error(Code::value, "generate",
                {"token ", id, " is outside the model's vocabulary of size ", vocab},
                {"below ", vocab}, id);
  }
}

// One text that grows.
class Growing {
 public:
  Growing(std::vector<int32_t> ids, const Tokenizer* tokenizer, const GenerateOptions& options,
          const LanguageModel& model, const Structure& structure, size_t number)
      : options_(options),
        ends_(options.ignore_eos ? std::span<const int32_t>() : model.end_tokens()),
        prompt_(ids.size()),
        writer_(tokenizer, options.stop),
        sampler_(with_seed(options.sampling, number)) {
    if (structure.json) mask_.emplace(*structure.tokens, *structure.json);
    made_.ids = std::move(ids);
    made_.notes = overlong_prompt(made_.ids.size(), model, options);
    writer_.skip(made_.ids);
    check_length();
  }

  [[nodiscard]] std::span<const int32_t> ids() const { return made_.ids; }
  [[nodiscard]] bool growing() const { return growing_; }
  [[nodiscard]] int64_t wanted() const { return options_.max_tokens - made_.new_tokens; }

  /// Chooses a token from the logits after the last one; -1 if there is none, since the JSON ends.
  int32_t grow(std::span<const float> logits, TextSink sink) {
    std::span<const float> from = logits;
    if (mask_) {
      masked_.assign(logits.begin(), logits.end());
      if (!mask_->apply(masked_, wanted(), ends_)) return end(sink);
      from = masked_;
    }
    const int32_t id = sampler_.choose(from, made_.ids, prompt_);
    if (options_.logprobs >= 0) {
      made_.logprobs.push_back(logprobs_of(logits, id, static_cast<size_t>(options_.logprobs)));
    }
    append(id, sink);
    return id;
  }
  void append(int32_t id, TextSink sink) {
    made_.ids.push_back(id);
    ++made_.new_tokens;
    const bool ended = std::ranges::find(ends_, id) != ends_.end();
    growing_ = !ended && writer_.push(id, sink);
    if (mask_ && !ended) growing_ = mask_->push(id) && growing_;
    if (!growing_) made_.finish_reason = FinishReason::stop;
    check_length();
    if (!growing_) writer_.finish(sink);
  }
  Generated take(double seconds, TextSink sink) {
    if (mask_) mask_->require_complete(made_.finish_reason == FinishReason::length);
    writer_.finish(sink);
    made_.text = writer_.text();
    made_.new_text = writer_.new_text();
    made_.seconds = seconds;
    return std::move(made_);
  }

 private:
  static SamplingOptions with_seed(SamplingOptions options, size_t number) {
    options.seed += static_cast<int64_t>(number);
    return options;
  }
  int32_t end(TextSink sink) {
    growing_ = false;
    made_.finish_reason = FinishReason::stop;
    writer_.finish(sink);
    return -1;
  }
  void check_length() { growing_ = growing_ && wanted() > 0; }

  const GenerateOptions& options_;
  std::span<const int32_t> ends_;
  size_t prompt_;
  TextWriter writer_;
  Sampler sampler_;
  std::optional<JsonMask> mask_;
  std::vector<float> masked_;
  Generated made_;
  bool growing_ = true;
};

void grow_with_draft(Growing& text, Draft& draft, CachedRows& rows, TextSink sink) {
  while (text.growing()) {
    // one position is for the token that the model itself adds
    const int64_t most = std::min(text.wanted(), rows.room(0, text.ids())) - 1;
    std::vector<int32_t> all(text.ids().begin(), text.ids().end());
    const std::vector<int32_t> guess =
        draft.propose(all, static_cast<size_t>(std::max<int64_t>(0, most)));
    all.insert(all.end(), guess.begin(), guess.end());
    const auto count = static_cast<int64_t>(guess.size()) + 1;
    const std::span<const float> logits = rows.next(all, count);
    const size_t vocab = logits.size() / static_cast<size_t>(count);
    size_t right = 0;
    for (size_t i = 0; i <= guess.size() && text.growing(); ++i) {
      const int32_t id = text.grow(logits.subspan(i * vocab, vocab), sink);
      if (i == guess.size() || id != guess[i]) break;
      ++right;
    }
    draft.accepted(right);
  }
}

void grow_together(std::vector<Growing>& texts, CachedRows& rows, BatchSink sink) {
  std::vector<size_t> growing(texts.size());
  std::iota(growing.begin(), growing.end(), size_t{0});
  const auto drop_finished = [&] {
    std::vector<int64_t> kept;
    std::vector<size_t> still;
    for (size_t r = 0; r < growing.size(); ++r) {
      if (!texts[growing[r]].growing()) continue;
      kept.push_back(static_cast<int64_t>(r));
      still.push_back(growing[r]);
    }
    if (!kept.empty() && kept.size() < growing.size()) rows.keep(kept);
    growing = still;
  };
  for (drop_finished(); !growing.empty(); drop_finished()) {
    std::vector<CachedRows::Ids> ids;
    for (const size_t t : growing) ids.push_back(texts[t].ids());
    const std::span<const float> logits = rows.next(ids);
    const size_t vocab = logits.size() / growing.size();
    for (size_t r = 0; r < growing.size(); ++r) {
      const size_t t = growing[r];
      texts[t].grow(logits.subspan(r * vocab, vocab), [&](std::string_view p) { sink(t, p); });
    }
  }
}

// A tokenizer that cannot be read is an error only of options that need one.
std::unique_ptr<Tokenizer> tokenizer_if_readable(const std::string& folder,
                                                 const GenerateOptions& o,
                                                 std::vector<std::string>& notes) {
  try {
    return tokenizer_for(folder, o.tokenizer);
  } catch (const Error& error) {
    if (o.ids.empty() || !o.stop.empty() || !o.json_schema.empty() || !o.tokenizer.empty()) throw;
    notes.push_back(std::string("no text, only ids: ") + error.what());
    return nullptr;
  }
}

std::vector<int32_t> first_ids(const GenerateOptions& o, const Tokenizer* tokenizer) {
  return o.ids.empty() ? prompt_ids(*tokenizer, o.prompt) : parse_token_ids(o.ids, "generate");
}

Generated generate_by_beams(const LanguageModel& model, const Tokenizer* tokenizer,
                            const std::vector<int32_t>& prompt, const GenerateOptions& options,
                            TextSink sink) {
  const auto start = Clock::now();
  BeamOptions beams{.beams = options.beams,
                    .max_tokens = options.max_tokens,
                    .length_penalty = options.length_penalty,
                    .cache_dtype = options.cache_dtype};
  if (!options.ignore_eos) beams.ends = model.end_tokens();
  const std::vector<int32_t> found = beam_search(model, prompt, beams);
  Growing text(prompt, tokenizer, options, model, Structure({}, nullptr), 0);
  for (size_t i = prompt.size(); i < found.size(); ++i) text.append(found[i], sink);
  return text.take(seconds_since(start), sink);
}

std::vector<Generated> beams_of_each(const LanguageModel& model, const Tokenizer* tokenizer,
                                     std::span<const std::vector<int32_t>> prompts,
                                     const GenerateOptions& options, BatchSink sink) {
  check_beams(options);
  for (const std::vector<int32_t>& ids : prompts) check_prompt_ids(ids, model.vocab());
  std::vector<Generated> all;
  for (size_t i = 0; i < prompts.size(); ++i) {
    all.push_back(generate_by_beams(model, tokenizer, prompts[i], options,
                                    [&](std::string_view piece) { sink(i, piece); }));
  }
  return all;
}

}  // namespace

// Beam search follows the model's own probabilities to the end of the text.
std::string excludes_beams(const GenerateOptions& options) {
  const Json changed = changed_fields(options);
  for (const auto& [name, value] : changed.as_object()) {
    if (!(field_named("generate", record_of<GenerateOptions>, name).tags & kWithBeams)) return name;
  }
  return {};
}

std::vector<int32_t> prompt_ids(const Tokenizer& tokenizer, const std::string& prompt) {
  std::vector<int32_t> ids = tokenizer.model_input(prompt);
  if (!ids.empty()) return ids;
  for (const char* name : {"<|endoftext|>", "<s>"}) {
    if (int32_t id = tokenizer.id(name); id >= 0) return {id};
  }
  try {
    return tokenizer.encode("\n");
  } catch (const Error&) {
    return {0};  // the tokenizer has no newline
  }
}

std::vector<std::string> overlong_prompt(size_t tokens, const LanguageModel& model,
                                         const GenerateOptions& options) {
  const auto context = static_cast<size_t>(model.context());
  if (tokens <= context || options.max_tokens == 0 || options.overflow == Overflow::error)
    return {};
  return {
      fmt::format("the prompt has {} tokens, the model's context {}: its first {} have no effect",
                  tokens, context, tokens - CachedRows::kept_of(context))};
}

std::vector<Generated> generate_batch(const LanguageModel& model, const Tokenizer* tokenizer,
                                      std::span<const std::vector<int32_t>> prompts,
                                      const GenerateOptions& options, BatchSink sink) {
  const Int8Activations scope(wants_int8(options.packed, model));
  if (options.beams > 1) return beams_of_each(model, tokenizer, prompts, options, sink);
  const Structure structure(options.json_schema, tokenizer);
  const auto start = Clock::now();
  std::vector<Growing> texts;
  texts.reserve(prompts.size());
  for (size_t i = 0; i < prompts.size(); ++i) {
    check_prompt_ids(prompts[i], model.vocab());
    texts.emplace_back(prompts[i], tokenizer, options, model, structure, i);
  }
  if (const std::unique_ptr<Draft> draft = make_draft(options.draft, model.vocab())) {
    for (size_t i = 0; i < texts.size(); ++i) {
      CachedRows rows(model, 1, options.overflow, options.cache_dtype);
      grow_with_draft(texts[i], *draft, rows, [&](std::string_view piece) { sink(i, piece); });
    }
  } else if (!texts.empty()) {
    CachedRows rows(model, static_cast<int64_t>(texts.size()), options.overflow,
                    options.cache_dtype);
    grow_together(texts, rows, sink);
  }
  std::vector<Generated> all;
  const double seconds = seconds_since(start);
  for (size_t i = 0; i < texts.size(); ++i)
    all.push_back(texts[i].take(seconds, [&](std::string_view piece) { sink(i, piece); }));
  return all;
}

Generated generate(const LanguageModel& model, const Tokenizer* tokenizer,
                   const GenerateOptions& options, TextSink sink) {
  check_generate(options, tokenizer != nullptr, {});
  const std::vector<int32_t> ids = first_ids(options, tokenizer);
  const auto passed = [&](size_t, std::string_view piece) { sink(piece); };
  return std::move(generate_batch(model, tokenizer, {&ids, 1}, options, passed).front());
}

namespace {

Generated generate_in(const std::string& folder, LanguageModel& model, const Tokenizer* tokenizer,
                      const GenerateOptions& options, std::span<const std::string> given,
                      std::vector<std::string> notes, TextSink sink) {
  const GenerateOptions all =
      with_model_settings(options, given, model, tokenizer != nullptr, notes);
  check_generate(all, tokenizer != nullptr, folder);
  make_weights_contiguous(model);
  model.eval();
  Generated made = generate(model, tokenizer, all, sink);
  made.notes.insert(made.notes.begin(), notes.begin(), notes.end());
  return made;
}

// Validates the options before any file is read.
std::unique_ptr<LanguageModel> model_for(const std::string& folder,
                                         const GenerateOptions& options) {
  check_record("generate", options);
  (void)Sampler(options.sampling);
  return load_language_model(folder, FileAccess::map);
}

}  // namespace

Generated generate(const std::string& folder, const GenerateOptions& options,
                   std::span<const std::string> given, TextSink sink) {
  const auto model = model_for(folder, options);
  std::vector<std::string> notes;
  const std::unique_ptr<Tokenizer> tokenizer = tokenizer_if_readable(folder, options, notes);
  return generate_in(folder, *model, tokenizer.get(), options, given, std::move(notes), sink);
}

Generated generate(const std::string& folder, const Tokenizer& tokenizer,
                   const GenerateOptions& options, std::span<const std::string> given,
                   TextSink sink) {
  const auto model = model_for(folder, options);
  return generate_in(folder, *model, &tokenizer, options, given, {}, sink);
}

Generated generate(const std::string& folder, const GenerateOptions& options) {
  std::vector<std::string> given;
  const Json changed = changed_fields(options);
  for (const auto& [name, value] : changed.as_object()) given.push_back(name);
  return generate(folder, options, given, [](std::string_view) {});
}

}  // namespace gyre
