// Options of a program: declared once, read from JSON, checked and listed.
#include <cstdio>
#include <cstdlib>

#include "gyre/gyre.h"
#include "gyre/io/record_json.h"

namespace gyre {
enum class Loss : uint8_t { squared, absolute };
inline constexpr const char* kLossNames[] = {"squared", "absolute"};
template <>
inline constexpr std::span<const char* const> kChoices<Loss> = kLossNames;

struct FitOptions {
  int64_t steps = 200;
  double noise = 0.1;
  Loss loss = Loss::squared;
  ScheduleOptions rate{.kind = Schedule::linear, .lr = 0.1};
};
GYRE_RECORD(FitOptions,
            GYRE_FIELD(steps, "optimiser steps", .alias = "max_steps,iterations", .least = 1),
            GYRE_FIELD(noise, "standard deviation of the noise in the data", .least = 0),
            GYRE_FIELD(loss, "loss function"),
            GYRE_PART(rate, .prefix = "lr_", .except = "lr,steps"),
            GYRE_FIELD_AS(lr, rate.lr, "learning rate", .alias = "learning_rate", .above = 0));
}  // namespace gyre
using namespace gyre;

/// The options in a text: a JSON object or name=value pairs. Error{value} naming the option.
FitOptions fit_options(std::string_view text) {
  FitOptions options;
  record_from_json(options, options_of_text(text, "fit"));
  check_record("fit", options);
  options.rate.steps = options.steps;
  return options;
}

void list_options() {
  const Json defaults = record_to_json(FitOptions());
  for (const Field& field : record_of<FitOptions>.fields) {
    std::printf("%-10s %s = %s\n", field.name, field.doc, defaults.at(field.name).dump().c_str());
  }
}

/// Slope of a line through noisy points of slope 2.
double fit(const FitOptions& o) {
  Tensor x = rand({100}), y = 2 * x + o.noise * randn({100});
  Tensor slope(0.0);
  slope.set_requires_grad();
  Sgd optimizer({&slope, 1}, {.lr = o.rate.lr});
  for (int64_t step = 0; step < o.steps; ++step) {
    Tensor error = slope * x - y;
    (o.loss == Loss::squared ? mean(error * error) : mean(abs(error))).backward();
    optimizer.set_lr(learning_rate(o.rate, step));
    optimizer.step();
    optimizer.zero_grad();
  }
  return slope.detach().item();
}

std::string refusal(std::string_view text) {
  try {
    fit_options(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void check(bool passed, const char* what) {
  std::printf("%-40s %s\n", what, passed ? "ok" : "FAILED");
  if (!passed) std::exit(1);
}

int main() {
  manual_seed(1);
  list_options();
  const FitOptions options = fit_options("steps=300, learning_rate=0.5, lr_kind=cosine");
  check(options.steps == 300 && options.rate.lr == 0.5, "a value by its name or an alias");
  check(options.rate.kind == Schedule::cosine, "a value of a part");
  check(std::abs(fit(options) - 2) < 0.1, "they are used");
  check(refusal("steps=0") == "fit: `steps` must be 1 or more, got 0", "bounds");
  check(refusal("stepps=9").find("did you mean steps?") != std::string::npos, "unknown names");
  check(refusal("lr=1,learning_rate=2").find("twice") != std::string::npos, "two names");
}
