#include "gyre/models/generation/generate.h"

#include "cli/command.h"
#include "cli/model_memory.h"
#include "gyre/base/system/file.h"

namespace gyre {
namespace {

// As --ids takes them.
std::string listed(const std::vector<int32_t>& ids) {
  std::string text;
  for (const int32_t id : ids) text += (text.empty() ? "" : ",") + std::to_string(id);
  return text;
}

int run_generate(const Invocation& call) {
  const auto& options = call.as<GenerateOptions>();
  if (call.json) {
    const ModelMemoryMeter memory;
    Generated made = generate(call.operands[0], options);
    Json j = Json::object();
    j["text"] = made.text;
    j["ids"] = Json::array();
    for (int32_t id : made.ids) j["ids"].push_back(id);
    j["new_tokens"] = made.new_tokens;
    j["seconds"] = made.seconds;
    add_memory(j, memory.used(call.operands[0]));
    call.out.json(j);
    return kDone;
  }
  const std::string tokenizer = call.operands[0] + "/tokenizer.json";
  bool begun = false;
  Generated made = generate(call.operands[0], options, [&](std::string_view piece) {
    if (!begun) call.out.text(options.prompt);
    begun = true;
    call.out.data(piece);
    call.out.flush();
  });
  if (!begun) call.out.text(file_exists(tokenizer) ? options.prompt : listed(made.ids));
  call.out.text("\n");
  return kDone;
}

}  // namespace

const Command generate_command{
    "generate",
    "continue a prompt with a trained model",
    "gyre generate model --prompt \"a small\" --max-tokens 40 --temperature 0.8",
    {"DIR", "a folder with config.json, model.safetensors and tokenizer.json", 1, 1},
    record_of<GenerateOptions>,
    run_generate};

}  // namespace gyre
