#include "gyre/models/generation/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/comma_items.h"
#include "gyre/models/decoder/gpt2_folder.h"
#include "gyre/models/generation/beam_search.h"
#include "gyre/models/generation/draft.h"
#include "gyre/text/char_tokenizer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Generation : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "gyre_generate";
    remove_tree(folder_);
    DecoderOptions o;
    o.block_size = 8;
    o.layers = 1;
    o.heads = 1;
    o.width = 8;
    auto tokenizer = CharTokenizer::train("abcdefg\n\xC3\xA9");
    o.vocab = tokenizer->vocab_size();
    Generator g{3, 0};
    Decoder model(o, &g);
    model.save(folder_, tokenizer.get());
  }
  void TearDown() override { remove_tree(folder_); }
  Error failure(const GenerateOptions& o) {
    return error_of([&] { generate(folder_, o); });
  }
  std::string folder_;
};

TEST_F(Generation, ContinuesPastTheContextAndStreamsText) {
  std::string streamed;
  GenerateOptions o{.prompt = "abc", .max_tokens = 50, .sampling = {.seed = 4}};
  Generated made = generate(folder_, o, {}, [&](std::string_view piece) { streamed += piece; });
  EXPECT_EQ(made.new_tokens, 50);
  EXPECT_EQ(made.ids.size(), 53u);
  EXPECT_EQ(made.text, "abc" + streamed);
  EXPECT_EQ(made.new_text, streamed);
  EXPECT_EQ(made.finish_reason, FinishReason::length);
  EXPECT_EQ(generate(folder_, o).text, made.text) << "same seed, same text";
  o.sampling.seed = 5;
  EXPECT_NE(generate(folder_, o).text, made.text);
}

TEST_F(Generation, TakesIdsAndAnEmptyPrompt) {
  EXPECT_EQ(generate(folder_, {.ids = items_of("1,2,3"), .max_tokens = 0}).text, "abc");
  EXPECT_EQ(generate(folder_, {.max_tokens = 0}).text, "\n") << "starts with a newline";
}

TEST_F(Generation, NeedsTheTokenizerOnlyForTexts) {
  const Generated whole = generate(folder_, {.ids = items_of("1,2,3"), .max_tokens = 4});
  write_file_atomic(folder_ + "/tokenizer.json", R"({"model": {"type": "Other", "vocab": {}}})");
  const GenerateOptions ids{.ids = items_of("1,2,3"), .max_tokens = 4};
  const Generated made = generate(folder_, ids);
  EXPECT_EQ(made.ids, whole.ids);
  EXPECT_TRUE(made.text.empty());
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_TRUE(contains(made.notes[0], "tokenizer.json") && contains(made.notes[0], "Other"));
  GenerateOptions stops = ids, schema = ids;
  stops.stop = {"a"};
  schema.json_schema = "{}";
  for (const GenerateOptions& o : {GenerateOptions{.prompt = "abc"}, stops, schema}) {
    EXPECT_EQ(failure(o).code, Code::unsupported);
    EXPECT_TRUE(contains(failure(o).what(), "Other"));
  }
}

TEST_F(Generation, EndsBeforeTheStopString) {
  GenerateOptions o{.prompt = "abc", .max_tokens = 60, .sampling = {.seed = 4}};
  std::string whole = generate(folder_, o).text;
  o.stop = {whole.substr(20, 2)};
  size_t at = whole.find(o.stop[0], 3);
  std::string streamed;
  Generated made = generate(folder_, o, {}, [&](std::string_view piece) { streamed += piece; });
  EXPECT_EQ(made.text, whole.substr(0, at));
  EXPECT_EQ("abc" + streamed, made.text);
  EXPECT_LT(made.new_tokens, 60);
}

TEST_F(Generation, ErrorsNameTheOption) {
  EXPECT_EQ(failure({.prompt = "a", .ids = items_of("1")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("1,,2")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("1 2")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("-1")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("99999999999")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("9")}).code, Code::value) << "the vocabulary has 9 tokens";
  EXPECT_EQ(failure({.prompt = "a", .max_tokens = -1}).code, Code::value);
  EXPECT_EQ(failure({.prompt = "xyz"}).code, Code::value) << "no such characters";
  EXPECT_EQ(error_of([&] { generate(folder_ + "/missing", {.ids = items_of("1")}); }).code,
            Code::io);
  EXPECT_EQ(failure({.prompt = "a", .stop = {""}}).code, Code::value);
  EXPECT_EQ(failure({.prompt = "a", .beams = 0}).code, Code::value);
  EXPECT_EQ(failure({.prompt = "a", .draft = folder_ + "/missing"}).code, Code::io);
  const Error beams = failure({.prompt = "a", .sampling = {.top_k = 3}, .beams = 2});
  EXPECT_EQ(beams.code, Code::value);
  EXPECT_TRUE(contains(beams.what(), "`top_k` cannot be combined"));
  GenerateOptions others[] = {{.stop = {"x"}},
                              {.logprobs = 1},
                              {.json_schema = "{}"},
                              {.draft = "ngram"},
                              {.overflow = Overflow::error}};
  for (GenerateOptions& o : others) {
    o.prompt = "a";
    o.beams = 2;
    EXPECT_TRUE(contains(failure(o).what(), "` cannot be combined with `beams`"));
  }
  const GenerateOptions together{.prompt = "a",
                                 .max_tokens = 2,
                                 .sampling = {.greedy = true, .seed = 3},
                                 .beams = 2,
                                 .length_penalty = 2,
                                 .ignore_eos = true,
                                 .cache_dtype = CacheDType::f16};
  EXPECT_EQ(generate(folder_, together).new_tokens, 2);
  const Error longer = failure({.prompt = "abcdef", .overflow = Overflow::error});
  EXPECT_EQ(longer.code, Code::value);
  EXPECT_TRUE(contains(longer.what(), "the text has 9 tokens, the model's context 8"));
  EXPECT_TRUE(contains(longer.what(), "give `overflow` rotate"));
  remove_tree(folder_ + "/tokenizer.json");
  Error f = failure({.prompt = "a"});
  EXPECT_EQ(f.code, Code::value);
  EXPECT_TRUE(contains(f.what(), "no tokenizer.json, vocab.json with merges.txt, vocab.txt"));
  EXPECT_TRUE(contains(f.what(), "give one as `tokenizer`"));
  Generated made = generate(folder_, {.ids = items_of("1,2"), .max_tokens = 3});
  EXPECT_EQ(made.ids.size(), 5u);
  EXPECT_EQ(made.text, "");
}

TEST_F(Generation, NotesThatAPromptExceedsTheContext) {
  GenerateOptions o{.prompt = "abcdefgabcd", .max_tokens = 3, .sampling = {.greedy = true}};
  const Generated cut = generate(folder_, o);
  ASSERT_EQ(cut.notes.size(), 1u);
  EXPECT_EQ(cut.notes[0],
            "the prompt has 11 tokens, the model's context 8: its first 7 have no effect");
  o.prompt = "gggggggabcd";
  EXPECT_EQ(generate(folder_, o).new_text, cut.new_text) << "the first 7 have no effect";
  GenerateOptions beams = o, none = o, draft = o, fits{.prompt = "abcdefga", .max_tokens = 3};
  beams.beams = 2;
  draft.draft = "ngram";
  EXPECT_EQ(generate(folder_, beams).notes, cut.notes);
  EXPECT_EQ(generate(folder_, draft).notes, cut.notes);
  none.max_tokens = 0;
  EXPECT_TRUE(generate(folder_, none).notes.empty());
  EXPECT_TRUE(generate(folder_, fits).notes.empty()) << "though the text outgrows the context";
  o.overflow = Overflow::error;
  EXPECT_EQ(failure(o).code, Code::value);
}

TEST_F(Generation, TakesATokenizerOfItsOwn) {
  const GenerateOptions o{.prompt = "abc", .max_tokens = 5};
  const Generated own = generate(folder_, o);
  remove_tree(folder_ + "/tokenizer.json");
  const auto tokenizer = CharTokenizer::train("abcdefg\n\xC3\xA9");
  std::string streamed;
  const auto sink = [&](std::string_view piece) { streamed += piece; };
  EXPECT_EQ(generate(folder_, *tokenizer, o, {}, sink).ids, own.ids);
  EXPECT_EQ(streamed, own.new_text);
  const GenerateOptions wrong{.max_tokens = -1};
  EXPECT_EQ(error_of([&] { generate("missing", *tokenizer, wrong, {}, sink); }).code, Code::value)
      << "before a file is read";
  write_file_atomic(folder_ + "/generation_config.json", R"({"max_new_tokens": 2})");
  EXPECT_EQ(generate(folder_, *tokenizer, o, {}, sink).new_tokens, 2);
}

TEST_F(Generation, SaysWhoseVocabularyADraftLacks) {
  Generator g{3, 0};
  const DecoderOptions other{.vocab = 5, .block_size = 8, .layers = 1, .heads = 1, .width = 8};
  const std::string draft = folder_ + "/draft";
  Decoder(other, &g).save(draft, nullptr);
  const Error error = failure({.prompt = "a", .draft = draft});
  EXPECT_EQ(error.code, Code::value);
  EXPECT_TRUE(contains(error.what(), "`draft`: the vocabulary of " + draft + " has 5 tokens"));
  EXPECT_TRUE(contains(error.what(), "that of the model 9"));
}

TEST_F(Generation, EndsBeforeTheFirstOfSeveralStopStrings) {
  GenerateOptions o{.prompt = "abc", .max_tokens = 60, .sampling = {.seed = 4}};
  const std::string whole = generate(folder_, o).text;
  o.stop = {"zzz", whole.substr(20, 3), whole.substr(12, 2)};
  const size_t at = std::min(whole.find(o.stop[1], 3), whole.find(o.stop[2], 3));
  EXPECT_EQ(generate(folder_, o).text, whole.substr(0, at));
}

// A model whose context holds long inputs, and a text that repeats itself.
class TextOfIds : public ::testing::Test {
 protected:
  TextOfIds() { model_.eval(); }

  static constexpr DecoderOptions kOptions{.vocab = 19,
                                           .block_size = 1300,
                                           .layers = 2,
                                           .heads = 2,
                                           .width = 16,
                                           .positions = Positions::rotary};
  static std::vector<int32_t> ids_of(size_t n, int step) {
    std::vector<int32_t> ids;
    for (size_t i = 0; i < n; ++i)
      ids.push_back(static_cast<int32_t>((static_cast<size_t>(step) * i * i + i) % 19));
    return ids;
  }
  static GenerateOptions of(const std::vector<int32_t>& ids, const SamplingOptions& sampling) {
    GenerateOptions options{.max_tokens = 40, .sampling = sampling};
    for (const int32_t id : ids) options.ids.push_back(std::to_string(id));
    return options;
  }
  Generated made(const GenerateOptions& options) const {
    return generate(model_, nullptr, options, [](std::string_view) {});
  }

  Generator generator_{.seed = 3};
  Decoder model_{kOptions, &generator_};
};

// The last logits of texts, computed alone and without a cache.
std::vector<float> recomputed(const LanguageModel& model,
                              std::span<const std::vector<int32_t>> texts, int64_t count) {
  NoGrad scope;
  std::vector<float> all;
  for (const std::vector<int32_t>& ids : texts) {
    const auto n = static_cast<int64_t>(ids.size());
    const Tensor logits = model(tensor(std::span<const int32_t>(ids), {1, n}));
    const auto row = to_vector<float>(slice(logits, {1, n - count, n, 1}));
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

TEST_F(TextOfIds, CachedRowsGiveRecomputedLogits) {
  std::vector<std::vector<int32_t>> texts{ids_of(1200, 3), ids_of(2, 5), ids_of(700, 7)};
  CachedRows rows(model_, 3);
  const auto check = [&](int64_t count) {
    std::vector<CachedRows::Ids> ids(texts.begin(), texts.end());
    const std::span<const float> found = rows.next(ids, count);
    const std::vector<float> wanted = recomputed(model_, texts, count);
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], wanted[i], 1e-5) << i;
  };
  check(1);  // in chunks, of different lengths
  for (auto& text : texts) text.push_back(4);
  check(1);  // one token more
  check(2);  // the last tokens again
  texts[0].resize(900);
  texts[2].push_back(3);
  texts[1][0] = 9;
  check(1);  // cut, grown, another text
  const std::vector<int64_t> kept{2, 0, 2};
  rows.keep(kept);
  texts = {texts[2], texts[0], texts[2]};
  texts[2].push_back(11);
  check(1);
}

TEST_F(TextOfIds, BatchesGiveWhatSinglesGive) {
  const std::vector<std::vector<int32_t>> prompts{ids_of(5, 3), ids_of(1, 2), ids_of(30, 7)};
  for (const SamplingOptions& sampling :
       {SamplingOptions{.greedy = true}, SamplingOptions{.temperature = 0.7, .seed = 5}}) {
    GenerateOptions options{.max_tokens = 25, .sampling = sampling};
    const auto together =
        generate_batch(model_, nullptr, prompts, options, [](size_t, std::string_view) {});
    for (size_t i = 0; i < prompts.size(); ++i) {
      GenerateOptions alone = of(prompts[i], sampling);
      alone.max_tokens = 25;
      alone.sampling.seed += static_cast<int64_t>(i);
      EXPECT_EQ(together[i].ids, made(alone).ids) << i;
    }
  }
  const std::vector<std::vector<int32_t>> empty{{}};
  EXPECT_EQ(error_of([&] {
              (void)generate_batch(model_, nullptr, empty, {}, [](size_t, std::string_view) {});
            }).code,
            Code::value);
}

TEST_F(TextOfIds, SpeculationGivesThePlainText) {
  Generator other{.seed = 8};
  Decoder small({.vocab = 19, .block_size = 64, .layers = 1, .heads = 1, .width = 8}, &other);
  const std::string folder = ::testing::TempDir() + "gyre_draft";
  remove_tree(folder);
  small.save(folder, nullptr);
  std::vector<int32_t> repeats = ids_of(6, 3);
  for (int i = 0; i < 4; ++i) repeats.insert(repeats.end(), repeats.begin(), repeats.begin() + 6);
  for (const SamplingOptions& sampling :
       {SamplingOptions{.greedy = true}, SamplingOptions{.temperature = 0.3, .seed = 2},
        SamplingOptions{.repetition_penalty = 1.3, .no_repeat_ngram_size = 4, .greedy = true}}) {
    GenerateOptions options = of(repeats, sampling);
    options.logprobs = 0;
    const Generated plain = made(options);
    for (const std::string& draft : {std::string("ngram"), folder}) {
      options.draft = draft;
      const Generated drafted = made(options);
      EXPECT_EQ(drafted.ids, plain.ids) << draft;
      EXPECT_EQ(drafted.new_tokens, 40) << draft;
      ASSERT_EQ(drafted.logprobs.size(), plain.logprobs.size());
      for (size_t i = 0; i < plain.logprobs.size(); ++i) {
        EXPECT_NEAR(drafted.logprobs[i].chosen.logprob, plain.logprobs[i].chosen.logprob, 1e-5);
      }
    }
  }
  Decoder strange({.vocab = 18, .block_size = 64, .layers = 1, .heads = 1, .width = 8}, &other);
  strange.save(folder, nullptr);
  EXPECT_EQ(error_of([&] { (void)make_draft(folder, 19); }).code, Code::value);
  remove_tree(folder);
}

TEST(NgramDraft, GuessesWhatFollowedTheLastTokens) {
  NgramDraft draft;
  const std::vector<int32_t> text{1, 2, 3, 4, 5, 6, 7, 8, 2, 3, 4};
  EXPECT_EQ(draft.propose(text, 9), (std::vector<int32_t>{5, 6, 7, 8}));
  draft.accepted(4);
  EXPECT_EQ(draft.propose(text, 9), (std::vector<int32_t>{5, 6, 7, 8, 2, 3, 4})) << "guesses more";
  draft.accepted(0);
  EXPECT_TRUE(draft.propose(text, 9).empty()) << "waits after wrong guesses";
  EXPECT_EQ(draft.propose(text, 9), (std::vector<int32_t>{5}));
  draft.accepted(1);
  EXPECT_EQ(draft.propose(text, 1), (std::vector<int32_t>{5}));
  EXPECT_TRUE(NgramDraft().propose(std::vector<int32_t>{1, 2, 3}, 9).empty());
  EXPECT_TRUE(NgramDraft().propose(std::vector<int32_t>{1}, 9).empty());
}

TEST_F(TextOfIds, ManyBeamsFindTheMostLikelyText) {
  const std::vector<int32_t> prompt{3, 1};
  double best = -1e9;
  std::vector<int32_t> wanted;
  const std::vector<int32_t> ends{7};
  const auto score = [&](const std::vector<int32_t>& ids) {
    double sum = 0;
    for (size_t n = prompt.size(); n < ids.size(); ++n) {
      const std::vector<int32_t> before(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(n));
      sum += logprobs_of(recomputed(model_, {&before, 1}, 1), ids[n], 0).chosen.logprob;
    }
    return sum / std::pow(static_cast<double>(ids.size() - prompt.size()), 1.5);
  };
  const auto consider = [&](const std::vector<int32_t>& ids) {
    if (const double s = score(ids); s > best) best = s, wanted = ids;
  };
  consider({3, 1, 7});
  for (int32_t a = 0; a < 19; ++a) {
    for (int32_t b = 0; b < 19 && a != 7; ++b) consider({3, 1, a, b});
  }
  const auto found = beam_search(
      model_, prompt, {.beams = 400, .max_tokens = 2, .length_penalty = 1.5, .ends = ends});
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(beam_search(model_, prompt, {.beams = 1, .max_tokens = 20}),
            made([&] {
              GenerateOptions greedy = of(prompt, {.greedy = true});
              greedy.max_tokens = 20;
              return greedy;
            }())
                .ids)
      << "one beam is greedy";
  GenerateOptions options = of(prompt, {});
  options.max_tokens = 5;
  options.beams = 3;
  EXPECT_EQ(made(options).ids, beam_search(model_, prompt, {.beams = 3, .max_tokens = 5}));
}

TEST_F(Generation, TakesTheSettingsOfTheFolder) {
  const auto settings = [&](const char* config, std::vector<std::string> given) {
    write_file_atomic(folder_ + "/generation_config.json", config);
    const auto model = load_language_model(folder_);
    std::vector<std::string> notes;
    const bool greedy = std::ranges::find(given, "greedy") != given.end();
    return with_model_settings({.sampling = {.greedy = greedy, .top_k = 7}}, given, *model, true,
                               notes)
        .sampling;
  };
  const char* kConfig = R"({"do_sample": true, "temperature": 0.6, "top_k": 20, "top_p": null,
                            "repetition_penalty": 1.1, "other": {}})";
  SamplingOptions s = settings(kConfig, {"top_k"});
  EXPECT_EQ(s.temperature, 0.6);
  EXPECT_EQ(s.top_k, 7) << "given";
  EXPECT_EQ(s.repetition_penalty, 1.1);
  s = settings(kConfig, {"top_k", "greedy"});
  EXPECT_EQ(s.temperature, 1);
  EXPECT_EQ(s.repetition_penalty, 1.1) << "of greedy decoding too";
  EXPECT_EQ(settings(R"({"temperature": 0.6})", {}).temperature, 1) << "does not sample";
  EXPECT_EQ(error_of([&] { settings(R"({"do_sample": true, "top_p": 2})", {}); }).code,
            Code::value);
  EXPECT_EQ(error_of([&] { settings("[1]", {}); }).code, Code::parse);
  EXPECT_TRUE(settings(R"({"do_sample": false})", {}).greedy);
  EXPECT_FALSE(settings(R"({"do_sample": false})", {"top_k"}).greedy) << "given";
  settings(kConfig, {});
  load_language_model(folder_)->save(folder_ + "/again", nullptr);
  EXPECT_TRUE(file_exists(folder_ + "/again/generation_config.json"));
}

// Those of lengths, beams and stop strings, and those that no option expresses.
TEST_F(Generation, TakesOtherSettingsOfTheFolderOrSaysWhyNot) {
  std::vector<std::string> notes;
  bool has_tokenizer = true;
  const auto settings = [&](const char* config, GenerateOptions options = {},
                            std::vector<std::string> given = {}) {
    write_file_atomic(folder_ + "/generation_config.json", config);
    notes.clear();
    return with_model_settings(options, given, *load_language_model(folder_), has_tokenizer, notes);
  };
  const auto noted = [&](const char* part) {
    return notes.size() == 1 && contains(notes[0], part);
  };
  EXPECT_EQ(settings(R"({"max_new_tokens": 7, "max_length": 9})").max_tokens, 7);
  EXPECT_EQ(settings(R"({"max_new_tokens": 7})", {.max_tokens = 3}, {"max_tokens"}).max_tokens, 3);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(settings(R"({"max_length": 9})").max_tokens, 100);
  EXPECT_TRUE(noted("max_length 9 is not applied"));
  settings(R"({"max_length": 9})", {}, {"max_tokens"});
  EXPECT_TRUE(notes.empty());

  const GenerateOptions beams = settings(R"({"num_beams": 3, "length_penalty": 0.5})");
  EXPECT_EQ(beams.beams, 3);
  EXPECT_EQ(beams.length_penalty, 0.5);
  EXPECT_EQ(settings(R"({"num_beams": 3})", {.beams = 1}, {"beams"}).beams, 1);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(settings(R"({"num_beams": 3})", {.stop = {"x"}}, {"stop"}).beams, 1);
  EXPECT_TRUE(noted("`stop` excludes it"));
  EXPECT_EQ(settings(R"({"num_beams": 3, "do_sample": true, "top_k": 5})").sampling.top_k, 5);
  EXPECT_TRUE(noted("num_beams 3 is not applied"));
  EXPECT_EQ(settings(R"({"num_beams": 3})", {.sampling = {.greedy = true}}, {"greedy"}).beams, 1);
  EXPECT_TRUE(noted("`greedy` is given"));
  settings(R"({"num_beams": 3, "repetition_penalty": 1.5})");
  EXPECT_TRUE(noted("repetition_penalty 1.5 is not applied"));
  settings(R"({"num_beams": 3, "stop_strings": "x"})");
  EXPECT_TRUE(noted("stop_strings \"x\" is not applied"));

  EXPECT_EQ(settings(R"({"stop_strings": "x"})").stop, std::vector<std::string>{"x"});
  EXPECT_EQ(settings(R"({"stop_strings": ["x", "y"]})").stop.size(), 2);
  EXPECT_EQ(settings(R"({"stop_strings": "x"})", {.stop = {"z"}}, {"stop"}).stop,
            std::vector<std::string>{"z"});
  EXPECT_TRUE(notes.empty());
  EXPECT_TRUE(settings(R"({"stop_strings": "x"})", {.json_schema = "{}"}).stop.empty());
  EXPECT_TRUE(noted("`json_schema` decides"));
  has_tokenizer = false;
  EXPECT_TRUE(settings(R"({"stop_strings": "x"})").stop.empty());
  EXPECT_TRUE(noted("no tokenizer"));
  has_tokenizer = true;
  EXPECT_EQ(settings(R"({"num_beams": 3})", {}, {"temperature"}).beams, 1) << "given its default";
  EXPECT_TRUE(noted("`temperature` excludes it"));
  EXPECT_EQ(settings(R"({"num_beams": 3})", {}, {"max_tokens", "prompt"}).beams, 3);
  settings(R"({"penalty_alpha": 0.6, "min_length": 0, "bad_words_ids": [], "use_cache": true})");
  EXPECT_TRUE(noted("penalty_alpha 0.6 is not applied: there is no such option"));
  for (const char* one :
       {R"({"forced_bos_token_id": 0})", R"({"forced_eos_token_id": 0})", R"({"max_time": 2.5})",
        R"({"num_return_sequences": 2})", R"({"suppress_tokens": [0]})", R"({"min_length": 1})",
        R"({"sequence_bias": {"a": 1}})", R"({"token_healing": true})"}) {
    settings(one);
    EXPECT_TRUE(noted("is not applied: there is no such option")) << one;
  }
  settings(R"({"num_return_sequences": 1, "min_length": 0.0, "token_healing": false,
               "early_stopping": true, "sequence_bias": {}, "forced_eos_token_id": null})");
  EXPECT_TRUE(notes.empty()) << notes[0];
  settings(R"({"num_beams": 3, "early_stopping": true})");
  EXPECT_TRUE(noted("early_stopping true is not applied"));
  settings(R"({"num_beams": 3, "early_stopping": false})");
  EXPECT_TRUE(notes.empty());
  settings(R"({"do_sample": true, "temperature": 0.5})", {.beams = 3}, {"beams"});
  EXPECT_TRUE(noted("do_sample true is not applied: beam search does not sample"));
  for (const char* wrong : {R"({"num_beams": 0})", R"({"max_new_tokens": -1})"})
    EXPECT_EQ(error_of([&] { settings(wrong); }).code, Code::value) << wrong;
  for (const char* wrong :
       {R"({"num_beams": "3"})", R"({"do_sample": 1})", R"({"stop_strings": 3})"})
    EXPECT_EQ(error_of([&] { settings(wrong); }).code, Code::parse) << wrong;
}

TEST_F(TextOfIds, BeamsOfSeveralPromptsAreThoseOfEach) {
  GenerateOptions options;
  options.beams = 3;
  options.max_tokens = 5;
  const std::vector<std::vector<int32_t>> prompts = {{3, 1}, {4, 1, 5}};
  const auto ignored = [](size_t, std::string_view) {};
  const auto all = generate_batch(model_, nullptr, prompts, options, ignored);
  ASSERT_EQ(all.size(), prompts.size());
  for (size_t i = 0; i < prompts.size(); ++i)
    EXPECT_EQ(all[i].ids, beam_search(model_, prompts[i], {.beams = 3, .max_tokens = 5}));
  options.sampling.top_k = 2;
  EXPECT_EQ(error_of([&] { generate_batch(model_, nullptr, prompts, options, ignored); }).code,
            Code::value);
}

}  // namespace
}  // namespace gyre
