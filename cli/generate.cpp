#include "gyre/models/generation/generate.h"

#include "cli/command.h"
#include "cli/model_memory.h"
#include "cli/option_text.h"
#include "gyre/base/text/printable.h"

namespace gyre {
namespace {

// As --ids takes them.
std::string listed(const std::vector<int32_t>& ids) {
  std::string text;
  for (const int32_t id : ids) text += (text.empty() ? "" : ",") + std::to_string(id);
  return text;
}

// Of each new token; `top` has pairs of id and log-probability.
Json logprobs_json(const Generated& made) {
  const auto pair = [](const TokenLogprobs::Item& item) {
    Json two = Json::array();
    two.push_back(item.id);
    two.push_back(item.logprob);
    return two;
  };
  Json all = Json::array();
  for (const TokenLogprobs& token : made.logprobs) {
    Json entry = Json::object();
    entry["id"] = token.chosen.id;
    entry["logprob"] = token.chosen.logprob;
    entry["top"] = Json::array();
    for (const TokenLogprobs::Item& item : token.top) entry["top"].push_back(pair(item));
    all.push_back(std::move(entry));
  }
  return all;
}

// Settings of the model's generation_config.json that are not applied.
void show_notes(const Generated& made) {
  for (const std::string& note : made.notes)
    fmt::print(stderr, "note: {}\n", printable(with_options(note, record_of<GenerateOptions>)));
}

int run_generate(const Invocation& call) {
  const auto& options = call.as<GenerateOptions>();
  if (call.json) {
    const ModelMemoryMeter memory;
    Generated made = generate(call.operands[0], options, call.given, [](std::string_view) {});
    Json j = Json::object();
    j["text"] = made.text;
    j["new_text"] = made.new_text;
    j["ids"] = Json::array();
    for (int32_t id : made.ids) j["ids"].push_back(id);
    j["new_tokens"] = made.new_tokens;
    j["finish_reason"] = kFinishReasonNames[static_cast<size_t>(made.finish_reason)];
    j["seconds"] = made.seconds;
    if (options.logprobs >= 0) j["logprobs"] = logprobs_json(made);
    add_memory(j, memory.used(call.operands[0]));
    call.out.json(j);
    show_notes(made);
    return kDone;
  }
  bool begun = false;
  Generated made = generate(call.operands[0], options, call.given, [&](std::string_view piece) {
    if (!begun) {
      end_line_when_interrupted();
      call.out.text(options.prompt);
    }
    begun = true;
    call.out.data(piece);
    call.out.flush();
  });
  if (!begun) call.out.text(made.text.empty() ? listed(made.ids) : options.prompt);
  call.out.text("\n");
  call.out.flush();
  show_notes(made);
  return kDone;
}

}  // namespace

const Command generate_command{
    "generate",
    "continue a prompt with a trained model",
    "gyre generate model --prompt \"a small\" --max-tokens 40 --temperature 0.8",
    {"MODEL", "a model folder, a .gguf file or a .bin file of llama2.c", 1, 1},
    record_of<GenerateOptions>,
    run_generate};

}  // namespace gyre
