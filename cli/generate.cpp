#include "gyre/models/generation/generate.h"

#include <algorithm>

#include "cli/command.h"
#include "cli/model_memory.h"
#include "cli/option_text.h"
#include "gyre/base/error.h"
#include "gyre/base/record_part.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/printable.h"
#include "gyre/models/files/model_files.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

struct GenerateCommandOptions {
  std::string prompt_file{};
  GenerateOptions text{};
};
GYRE_RECORD(GenerateCommandOptions,
            GYRE_FIELD(prompt_file,
                       "file with the prompt, without the newline at its end; -: standard input",
                       .metavar = "FILE"),
            GYRE_PART(text));

namespace {

constexpr std::string_view kPromptFile = "prompt_file";

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

// A line for each new token: `  262 " the"  -0.1234`, then the most likely ones.
void show_logprobs(Output& out, const Generated& made, const Tokenizer* tokenizer) {
  const auto name = [&](int32_t id) {
    if (!tokenizer || !tokenizer->has(id)) return std::to_string(id);
    return fmt::format("{} \"{}\"", id, printable(tokenizer->bytes(id)));
  };
  size_t width = 0;
  for (const TokenLogprobs& token : made.logprobs)
    width = std::max(width, name(token.chosen.id).size());
  out.print("log-probability of each new token{}:\n",
            made.logprobs.empty() || made.logprobs[0].top.empty() ? "" : "; the most likely ones");
  for (const TokenLogprobs& token : made.logprobs) {
    out.print("  {:<{}} {:8.4f}", name(token.chosen.id), width, token.chosen.logprob);
    const char* before = "; ";
    for (const TokenLogprobs::Item& item : token.top) {
      out.print("{}{} {:.4f}", before, name(item.id), item.logprob);
      before = ", ";
    }
    out.text("\n");
  }
}

std::vector<std::string> notes_of(const Generated& made) {
  std::vector<std::string> notes;
  for (const std::string& note : made.notes)
    notes.push_back(with_options(note, record_of<GenerateOptions>));
  return notes;
}

void show_notes(const Generated& made) {
  for (const std::string& note : notes_of(made)) fmt::print(stderr, "note: {}\n", printable(note));
}

Json generated_json(const Generated& made, const GenerateOptions& options) {
  Json j = Json::object();
  j["text"] = made.text;
  j["new_text"] = made.new_text;
  j["ids"] = Json::array();
  for (int32_t id : made.ids) j["ids"].push_back(id);
  j["new_tokens"] = made.new_tokens;
  j["finish_reason"] = kFinishReasonNames[static_cast<size_t>(made.finish_reason)];
  j["seconds"] = made.seconds;
  if (options.logprobs >= 0) j["logprobs"] = logprobs_json(made);
  j["notes"] = Json::array();
  for (const std::string& note : notes_of(made)) j["notes"].push_back(note);
  return j;
}

// Without the newline that editors end a file with.
std::string prompt_in(const std::string& file) {
  std::string text = read_file(file == "-" ? "/dev/stdin" : file);
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

// The options of generate(), and the names of those that are given.
struct Request {
  GenerateOptions options;
  std::vector<std::string> given;
};
Request request_of(const Invocation& call) {
  Request request{call.as<GenerateCommandOptions>().text, call.given};
  if (std::erase(request.given, kPromptFile) == 0) return request;
  if (call.has("prompt") || call.has("ids"))
    throw UsageError("give only one of --prompt, --prompt-file and --ids");
  request.options.prompt = prompt_in(call.as<GenerateCommandOptions>().prompt_file);
  request.given.emplace_back("prompt");
  return request;
}

void print_json(const Invocation& call, const Request& request) {
  const auto& [options, given] = request;
  const ModelMemoryMeter memory;
  const Generated made = generate(call.operands[0], options, given, [](std::string_view) {});
  Json j = generated_json(made, options);
  add_memory(j, memory.used(call.operands[0]));
  call.out.json(j);
  call.out.flush();
  show_notes(made);
}

int run_generate(const Invocation& call) {
  const Request request = request_of(call);
  const auto& [options, given] = request;
  if (call.json) {
    print_json(call, request);
    return kDone;
  }
  bool begun = false;
  Generated made = generate(call.operands[0], options, given, [&](std::string_view piece) {
    if (!begun) {
      end_line_when_interrupted();
      call.out.data(options.prompt);
    }
    begun = true;
    call.out.data(piece);
    call.out.flush();
  });
  if (!begun && made.text.empty())
    call.out.text(listed(made.ids));
  else if (!begun)
    call.out.data(options.prompt);
  call.out.text("\n");
  if (options.logprobs >= 0) {
    const bool has_text = !made.text.empty();  // without, there may be no tokenizer that is read
    const auto tokenizer = has_text ? tokenizer_for(call.operands[0], options.tokenizer) : nullptr;
    show_logprobs(call.out, made, tokenizer.get());
  }
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
    record_of<GenerateCommandOptions>,
    run_generate};

}  // namespace gyre
