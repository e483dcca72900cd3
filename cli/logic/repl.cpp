#include <algorithm>

#include "cli/command.h"
#include "cli/logic/answer_text.h"
#include "cli/logic/diagnostics.h"
#include "cli/logic/line_editor.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/text/ascii.h"
#include "gyre/base/text/nearest.h"
#include "gyre/base/text/printable.h"
#include "gyre/logic/session.h"
#include "gyre/logic/syntax/words.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre {
namespace {

using logic::Answer;

class Repl {
 public:
  explicit Repl(const Invocation& call)
      : call_(call),
        out_(call.out),
        interrupted_(catch_interrupts()),
        session_(op_table(), optimizer_table(), options()),
        editor_([this] { return words(); }) {}

  int run() {
    if (!call_.operands.empty()) attempt([&] { load(call_.operands[0]); });
    if (editor_.interactive())
      out_.print("A program of relations and tensors; :help lists commands.\n");
    std::string text, line;
    for (;;) {
      out_.flush();
      const LineEditor::Result result = editor_.read(text.empty() ? "> " : ". ", line);
      *interrupted_ = false;
      if (result == LineEditor::Result::end) break;
      if (result == LineEditor::Result::cancelled) {
        text.clear();
        continue;
      }
      if (text.empty() && trim(line).starts_with(':')) {
        if (!command(trim(line))) return done();
        continue;
      }
      text += line + "\n";
      if (!logic::is_complete(text)) continue;
      attempt([&] { show(session_.add(text)); });
      text.clear();
    }
    if (!text.empty()) attempt([&] { show(session_.add(text)); });
    if (editor_.interactive()) out_.print("\n");
    return done();
  }

 private:
  struct Form {
    const char *name, *operand, *doc;
    void (Repl::*run)(const std::string& operand);  // null: ends the session
  };
  static constexpr size_t kForms = 6;
  static const Form (&forms())[kForms];

  logic::ProgramOptions options() {
    logic::ProgramOptions o;
    o.stop = interrupted_;
    o.print = [this](std::string_view line) { say(std::string(line)); };
    return o;
  }
  // A pipe has no one who sees an error and goes on.
  [[nodiscard]] int done() const { return failed_ && !editor_.interactive() ? kFailed : kDone; }

  // f(), with its errors printed.
  template <class F>
  void attempt(const F& f) {
    try {
      f();
      for (const logic::LocatedDiagnostic& d : session_.warnings()) complain_of(logic::text_of(d));
      return;
    } catch (const logic::ProgramError& error) {
      if (call_.json) complain(error, true);
      for (const logic::LocatedDiagnostic& d : error.diagnostics()) {
        if (!call_.json) complain_of(logic::text_of(d));
      }
    } catch (const logic::Stopped&) {
      complain_of("interrupted");
    } catch (const Error& error) {
      out_.flush();
      complain({kFailed, code_name(error.code), error.op, error.message(), "", "", ""}, call_.json);
    }
    *interrupted_ = false;
    failed_ = true;
  }
  void complain_of(const std::string& text) {
    out_.flush();
    fmt::print(stderr, "{}\n", text);
  }
  // A text that answers no query.
  void say(const std::string& text) {
    if (call_.json)
      out_.json(Json(Json::Object{{"text", text}}));
    else
      out_.print("{}\n", printable_lines(text));
  }
  void show(const std::vector<Answer>& answers) {
    for (const Answer& a : answers) {
      if (call_.json)
        out_.json(answer_json(a));
      else if (a.kind == Answer::array)
        out_.print("{}\n{}", out_.heading(printable(a.query)), array_table(a));
      else
        show_answer(out_, a);
    }
  }

  // False where the session ends.
  bool command(std::string_view line) {
    const size_t space = std::min(line.find_first_of(" \t"), line.size());
    const std::string name(line.substr(0, space)), operand(trim(line.substr(space)));
    for (const Form& form : forms()) {
      if (name != form.name) continue;
      if (!form.run) return false;
      attempt([&] {
        if ((*form.operand == '\0') != operand.empty())
          throw Error(Code::value, "",
                      {"expected ", form.name, *form.operand ? " " : "", form.operand});
        (this->*form.run)(operand);
      });
      return true;
    }
    std::vector<std::string> names;
    for (const Form& form : forms()) names.emplace_back(form.name);
    attempt([&] {
      throw Error(Code::value, "",
                  {"unknown command '", name, "'", suggestion(name, names), "; :help lists all"});
    });
    return true;
  }

  void help(const std::string&) {
    std::string text;
    for (const Form& form : forms())
      text += fmt::format("{:<18} {}\n", std::string(form.name) + " " + form.operand, form.doc);
    say(text + "Statements are added to the program; a name or an expression is a query.");
  }
  void type(const std::string& name) {
    const std::vector<logic::ProgramSymbol> symbols = session_.symbols();
    const auto found = std::find_if(symbols.begin(), symbols.end(),
                                    [&](const logic::ProgramSymbol& s) { return s.name == name; });
    if (found != symbols.end())
      return say(found->type + (found->origin.empty() ? "" : "  // " + found->origin));
    std::vector<std::string> names;
    for (const logic::ProgramSymbol& s : symbols) names.push_back(s.name);
    throw Error(Code::value, "", {"'", name, "' is not defined", suggestion(name, names)});
  }
  void plan(const std::string& text) {
    const std::vector<logic::StatementReport> reports = session_.plan(text);
    if (call_.json) {
      for (const logic::StatementReport& r : reports) out_.json(report_json(r));
      return;
    }
    if (reports.empty()) say("it has no equations and rules");
    explain(out_, reports);
  }
  void load(const std::string& path) { show(session_.load(path)); }
  void list(const std::string&) {
    std::string text = session_.text();
    if (text.ends_with('\n')) text.pop_back();
    if (!text.empty()) say(text);
  }

  std::vector<std::string> words() {
    std::vector<std::string> all;
    for (const Form& form : forms()) all.emplace_back(form.name);
    for (const logic::ProgramSymbol& s : session_.symbols()) all.push_back(s.name);
    for (const logic::Keyword& k : logic::keywords()) all.emplace_back(k.name);
    for (const logic::Builtin& b : logic::builtins()) all.emplace_back(b.name);
    for (const OpDef* op : op_table().ops) all.emplace_back(op->name);
    return all;
  }

  const Invocation& call_;
  Output& out_;
  std::atomic<bool>* interrupted_;
  logic::Session session_;
  LineEditor editor_;
  bool failed_ = false;
};

const Repl::Form (&Repl::forms())[kForms] {
  static constexpr Form kAll[kForms] = {
      {":type", "NAME", "show the kind, domains, shape and dtype of a name", &Repl::type},
      {":plan", "NAME", "show how a name, equation, rule or query is evaluated", &Repl::plan},
      {":load", "FILE", "add the statements of a program (.tl)", &Repl::load},
      {":list", "", "print the statements so far", &Repl::list},
      {":help", "", "print this list", &Repl::help},
      {":quit", "", "end the session, as Ctrl-D does", nullptr}};
  return kAll;
}

int run_repl(const Invocation& call) { return Repl(call).run(); }

}  // namespace

const Command repl_command{"repl",
                           "enter statements and queries of a tensor logic program at a prompt",
                           "gyre repl family.tl",
                           {"FILE", "a program (.tl) to start with", 0, 1},
                           kNoOptions,
                           run_repl};

}  // namespace gyre
