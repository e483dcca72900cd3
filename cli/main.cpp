#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>

#include "cli/command.h"
#include "cli/logic/diagnostics.h"
#include "cli/option_text.h"
#include "cli/output.h"
#include "gyre/base/build_info.h"
#include "gyre/base/cpu.h"
#include "gyre/base/error.h"
#include "gyre/base/record_part.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/system/terminal.h"
#include "gyre/base/text/nearest.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/attrs.h"
#include "gyre/tensor/device.h"

namespace gyre {

/// Options of every command; a field of the same name in a command's own record replaces one.
struct SharedOptions {
  bool json = false;
  int64_t threads = 0;
  std::string device;
};
GYRE_FIELDS(SharedOptions,
            GYRE_FIELD(json, "print the result as JSON; errors too, on standard error"),
            GYRE_FIELD(threads, "number of threads; 0: GYRE_THREADS, or one per processor",
                       .least = 0, .most = kMaxThreads),
            GYRE_FIELD(device,
                       "where to run: cpu, cuda, cuda:N, or best (an accelerator if there is "
                       "one); default: GYRE_DEVICE, or else cpu"));

namespace {

constexpr const Command* kCommands[] = {
#define X(name) &name##_command,
    GYRE_COMMANDS(X)
#undef X
};

// "--json", "--threads N".
std::string shared_name(const Field& field) {
  bool flag = field.type == Field::flag;
  return option_name(field) + (flag ? std::string() : " " + value_name(field));
}

// The message for a flag with a value or an option without one.
std::string value_mistake(const std::string& what) {
  std::string name = what.substr(0, what.find_first_of(": "));
  if (what.find("flag override") != std::string::npos) return "--" + name + " takes no value";
  return name + " needs a value";
}

// "Usage: gyre train [OPTIONS] DATA...", and of an option's names the first.
class Usage : public CLI::Formatter {
 public:
  explicit Usage(const Operands& operands) : operands_(operands) {}
  std::string make_usage(const CLI::App*, std::string name) const override {
    std::string text = "Usage: " + name + " [OPTIONS]";
    if (operands_.most == 0) return text + "\n";
    std::string word = operands_.name;
    if (operands_.most > 1 && word.find(' ') == std::string::npos) word += "...";
    return text + (operands_.least ? " " + word : " [" + word + "]") + "\n";
  }
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    const std::vector<std::string>& names = option->get_lnames();
    if (positional || names.empty() || !option->get_snames().empty())
      return CLI::Formatter::make_option_name(option, positional);
    const std::vector<std::string>& negated = option->get_fnames();
    return "--" + names[0] + (negated.empty() ? "" : ", --" + negated[0]);
  }

 private:
  Operands operands_;
};

// The parser of one command, built from its records.
class Parser {
 public:
  explicit Parser(const Command& command)
      : command_(command),
        own_(command.options),
        shared_(record_of<SharedOptions>),
        app_(command.summary, std::string("gyre ") + command.name) {
    app_.set_help_flag("-h,--help", "show this help");
    app_.allow_extras();
    app_.formatter(std::make_shared<Usage>(command.operands));
    app_.footer((command.notes ? command.notes() + "\n" : std::string()) + "Example:\n  " +
                command.example);
    if (command.operands.most) {
      app_.add_option(command.operands.name, operands_, command.operands.doc)
          ->expected(0, 1 << 20)
          ->type_name("");
    }
    add_fields(own_);
    add_fields(shared_);
  }

  int run(int count, char** words, Output& out) {
    try {
      app_.parse(count, words);
    } catch (const CLI::CallForHelp&) {
      out.text(app_.help());
      return kDone;
    } catch (const CLI::ArgumentMismatch& error) {
      throw UsageError(value_mistake(error.what()));
    } catch (const CLI::ParseError& error) {
      throw UsageError(error.what());
    }
    refuse_unknown();
    refuse_values_of_flags(count, words);
    refuse_repeats();
    check_operands();
    keep_operands();
    check_bounds(own_);
    check_bounds(shared_);
    use_threads_and_device();
    const bool json = static_cast<SharedOptions*>(shared_.memory)->json;
    Invocation call{own_.memory, std::move(operands_), std::move(given_), json, out};
    return command_.run(call);
  }

 private:
  void add_fields(OpenAttrs& instance) {
    for (const Field& field : instance.type->fields) {
      if (&instance == &shared_ && find_field(*own_.type, field.name)) continue;
      if (!(field.tags & (kPositional | kUnlisted))) add_field(instance, field);
    }
  }

  void add_field(OpenAttrs& instance, const Field& field) {
    CLI::callback_t set = [this, &instance, &field](const CLI::results_t& texts) {
      set_option(*instance.type, field, instance.memory, texts);
      if (&instance == &own_) given_.emplace_back(field.name);
      return true;
    };
    const std::string help = with_options(field.doc, *instance.type);
    std::string standard = value_text(*instance.type, field, instance.memory), names;
    const bool on = field.type == Field::flag && standard == "true";
    for (const std::string& name : names_of(field)) {
      names_.push_back(option_name(name));
      names += "," + names_.back();
      if (!on) continue;
      names_.push_back(option_name("no_" + name));
      names += ",!" + names_.back();
    }
    names.erase(0, 1);
    CLI::Option* option;
    if (field.type == Field::flag) {
      option = app_.add_flag_function(
          names, [set](int64_t value) { set({value > 0 ? "true" : "false"}); },
          help + std::string(on ? " (default: on)" : ""));
      option->disable_flag_override();
    } else {
      option = app_.add_option(names, set, help)->expected(1);
      option->type_name(value_name(field))->default_str(standard);
    }
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    option->group(*field.heading ? field.heading : "Options");
    if (field.type != Field::texts) single_.push_back(option);
  }

  // Refuses `--bias false`, whose value would become an operand.
  void refuse_values_of_flags(int count, char** words) const {
    for (int i = 1; i + 1 < count && words[i] != std::string_view("--"); ++i) {
      const CLI::Option* option = app_.get_option_no_throw(words[i]);
      const std::string value = words[i + 1];
      if (option && option->get_expected_max() == 0 && (value == "true" || value == "false"))
        throw UsageError(words[i] + std::string(" takes no value"));
    }
  }

  // Refuses options given twice, also under two names.
  void refuse_repeats() const {
    for (const CLI::Option* option : single_) {
      const CLI::results_t& texts = option->results();
      if (texts.size() < 2) continue;
      const bool is_flag = option->get_expected_max() == 0;
      throw UsageError(fmt::format("--{}: {}", option->get_lnames()[0],
                                   is_flag ? "given twice"
                                           : fmt::format("expected one value, got {} and {}",
                                                         texts[0], texts[1])),
                       "give the option once.");
    }
  }

  // Sets the field that holds the operands.
  void keep_operands() {
    for (const Field& field : own_.type->fields) {
      if (field.tags & kPositional && !operands_.empty())
        set_option(*own_.type, field, own_.memory, operands_);
    }
  }

  void refuse_unknown() const {
    std::vector<std::string> words = app_.remaining();
    std::erase(words, "--");  // marks the end of the options
    for (const std::string& word : words) {
      if (!word.starts_with("-")) continue;
      std::string near = nearest(word.substr(0, word.find('=')), names_);
      throw UsageError("unknown option " + word,
                       near.empty() ? std::string() : "did you mean " + near + "?");
    }
    if (!words.empty()) throw UsageError("unexpected argument '" + words.front() + "'");
  }

  void check_operands() const {
    const Operands& wanted = command_.operands;
    if (operands_.size() < wanted.least) {
      throw UsageError(std::string("missing ") + wanted.name + ": " + wanted.doc);
    }
    if (operands_.size() > wanted.most) {
      throw UsageError("unexpected argument '" + operands_[wanted.most] + "'");
    }
  }

  static void check_bounds(const OpenAttrs& instance) {
    try {
      check_record("", *instance.type, instance.memory);
    } catch (const Error& error) {
      throw UsageError(with_options(error.message(), *instance.type), {}, error.expected,
                       error.actual);
    }
  }

  void use_threads_and_device() const {
    const Field* own = find_field(*own_.type, "threads");
    const int64_t asked = own ? field_value<int64_t>(own_.memory, *own)
                              : static_cast<SharedOptions*>(shared_.memory)->threads;
    if (asked > 0) set_num_threads(static_cast<int>(asked));
    const std::string& device = static_cast<SharedOptions*>(shared_.memory)->device;
    try {
      isa();  // refuses a bad GYRE_ISA or GYRE_THREADS, before a file is to blame
      if (!device.empty()) {
        require_available(device_of(device), "--device");
        set_default_device(device_of(device));
      }
      if (&command_ != &devices_command) default_device();  // refuses a bad GYRE_DEVICE
    } catch (const Error& error) {
      if (error.code == Code::unavailable) throw;
      throw UsageError(error.what());
    }
  }

  const Command& command_;
  OpenAttrs own_, shared_;
  CLI::App app_;
  std::vector<std::string> operands_, given_, names_;
  std::vector<const CLI::Option*> single_;
};

std::string overview() {
  std::string text = fmt::format(
      "gyre {}: {}\n\nUsage: gyre [OPTIONS] COMMAND [OPTIONS]\n\nCommands:\n", build_info().version,
      "deep learning on CPUs: tensors, autograd, language models, hyperbolic geometry");
  for (const Command* command : kCommands) {
    text += fmt::format("  {:<10} {}\n", command->name, command->summary);
  }
  text += "\nOptions:\n  -h, --help   show this help\n  --version    show the version\n";
  for (const Field& field : record_of<SharedOptions>.fields) {
    text += fmt::format("  {:<12} {}\n", shared_name(field), field.doc);
  }
  return text +
         "\nRun `gyre COMMAND --help` for the options of a command.\nExample:\n  gyre demo\n";
}

[[noreturn]] void refuse_command(std::string_view word) {
  std::vector<std::string> names;
  for (const Command* command : kCommands) names.emplace_back(command->name);
  if (word.starts_with("-")) {
    throw UsageError(fmt::format("unknown option {} before the command", word),
                     "put a command's options after its name.");
  }
  std::string near = nearest(word, names);
  throw UsageError(fmt::format("unknown command '{}'", word),
                   near.empty() ? std::string() : "did you mean " + near + "?");
}

const Command* find_command(std::string_view word) {
  for (const Command* command : kCommands) {
    if (word == command->name) return command;
  }
  return nullptr;
}
const Command* find_part(const Command* command, std::string_view word) {
  if (!command) return nullptr;
  for (const Command* part : command->parts) {
    if (fmt::format("{} {}", command->name, word) == part->name) return part;
  }
  return nullptr;
}

// The command at the start of the words and the number of words in its name; null: none.
struct Called {
  const Command* command = nullptr;
  int words = 0;
};
Called called(int count, char** words) {
  const Command* command = count > 1 ? find_command(words[1]) : nullptr;
  const Command* part = count > 2 ? find_part(command, words[2]) : nullptr;
  return part ? Called{part, 2} : Called{command, command ? 1 : 0};
}

// Words that a shared option takes, its name included; 0 when `word` is no shared option.
int shared_words(std::string_view word) {
  for (const Field& field : record_of<SharedOptions>.fields) {
    std::string name = option_name(field);
    if (word == name) return field.type == Field::flag ? 1 : 2;
    if (word.starts_with(name + "=")) return 1;
  }
  return 0;
}

// Index of the first word from `at` on that belongs to no shared option.
int after_shared(int at, int count, char** words) {
  while (at < count) {
    int length = shared_words(words[at]);
    if (length == 0) break;
    at += length;
  }
  return at;
}

// `gyre help train` is `gyre train --help`.
void put_help_last(int count, char** words) {
  static char help[] = "--help";
  const int at = after_shared(1, count, words);
  if (at + 1 >= count || words[at] != std::string_view("help")) return;
  std::rotate(words + at, words + at + 1, words + count);
  words[count - 1] = help;
}

// Shared options may stand before the words of a command: `gyre --json ops` is
// `gyre ops --json`, `gyre embed --json query` is `gyre embed query --json`.
void put_command_first(int count, char** words) {
  int at = after_shared(1, count, words);
  if (at >= count) return;
  std::rotate(words + 1, words + at, words + at + 1);
  at = after_shared(2, count, words);
  if (at >= count || !find_part(find_command(words[1]), words[at])) return;
  std::rotate(words + 2, words + at, words + at + 1);
}

int run(int count, char** words, Output& out) {
  if (count < 2 || shared_words(words[1]) > 0) throw UsageError("no command");
  std::string_view first = words[1];
  if (first == "-h" || first == "--help" || first == "help") {
    out.text(overview());
    return kDone;
  }
  if (first == "--version") {
    out.print("gyre {}\n", build_info().version);
    return kDone;
  }
  const auto [command, own] = called(count, words);
  if (!command) refuse_command(first);
  return Parser(*command).run(count - own, words + own, out);
}

// A hint for an error of the command `name`.
const char* hint_of(const Error& error, std::string_view name) {
  if (error.code == Code::unavailable)
    return "run `gyre devices` to see what this machine and build support";
  if (error.code == Code::internal) return "this is a bug in gyre";
  if (name == "train" && error.code == Code::resource && error.op != "lock") {
    return "reduce --batch-size, --block-size, --width or --layers to use less memory";
  }
  return "";
}

std::string page_of(const Command* command) {
  return command ? fmt::format("gyre {} --help", command->name) : "gyre --help";
}

Complaint of_usage(const UsageError& error, const Command* command) {
  std::string page = page_of(command);
  std::string hint = error.hint.empty() ? "see " + page : error.hint + " See " + page;
  return {kWrongUse,      "usage",     command ? command->name : "", error.what(), hint,
          error.expected, error.actual};
}

Complaint of_error(const Error& error, const Command* command) {
  const std::string_view words = command ? command->name : "",
                         name = words.substr(0, words.find(' '));
  // A value error raised by the command itself concerns its options.
  bool usage = error.code == Code::value && error.op == name;
  return {usage ? kWrongUse : kFailed,
          code_name(error.code),
          error.op,
          command ? with_options(error.message(), command->options) : error.message(),
          usage ? "see " + page_of(command) : hint_of(error, name),
          error.expected,
          error.actual};
}

// Also works on words that the parser rejects.
bool wants_json(int count, char** words) {
  for (int i = 1; i < count && std::string_view(words[i]) != "--"; ++i) {
    if (std::string_view(words[i]) == "--json") return true;
  }
  return false;
}

bool complains_in_json = false;

// Ends the command when a file becomes shorter while it is mapped. The signal interrupts only the
// access to that memory, so the handler may allocate and print.
void end_by_lost_page(const char* path) {
  const std::string message = fmt::format("cannot read {}: it was shortened meanwhile", path);
  end_process(complain({kFailed, code_name(Code::io), "", message, "", "", ""}, complains_in_json));
}

int guarded(int count, char** words) {
  put_help_last(count, words);
  put_command_first(count, words);
  const Command* command = called(count, words).command;
  const bool json = complains_in_json = wants_json(count, words);
  report_lost_pages(end_by_lost_page);
  complain_when_interrupted(json);
  Output out;
  try {
    int code = run(count, words, out);
    out.flush();
    return code;
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const UsageError& error) {
    out.end_line();
    return complain(of_usage(error, command), json);
  } catch (const logic::ProgramError& error) {
    out.end_line();
    return complain(error, json);
  } catch (const Error& error) {
    out.end_line();
    return complain(of_error(error, command), json);
  } catch (const std::bad_alloc&) {
    out.end_line();
    return complain({kFailed, "resource", "", "out of memory", "", "", ""}, json);
  } catch (const std::exception& error) {
    out.end_line();
    return complain({kFailed, "internal", "", error.what(), "this is a bug in gyre", "", ""}, json);
  }
}

}  // namespace
}  // namespace gyre

int main(int count, char** words) {
  gyre::keep_closed_streams();
  gyre::end_when_interrupted();
  return gyre::guarded(count, words);
}
