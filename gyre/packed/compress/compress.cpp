#include "gyre/packed/compress/compress.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "gyre/base/error.h"
#include "gyre/base/text/glob.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/packed/packed.h"
#include "gyre/tensor/points.h"

namespace gyre {
namespace {

constexpr const char *kOp = "compress", *kStays = "f32";

bool is_wanted(const Tensor& t, const CompressPolicy& policy) {
  return t.rank() >= 2 && is_floating(t.dtype()) && t.numel() >= policy.least_weights &&
         !space_of(t);
}

void require_dense(const NamedTensor& t) {
  if (!is_packed(t.tensor)) return;
  throw Error(Code::unsupported, kOp,
              t.name + " is packed already; compress the model that it was made from");
}

void require_f32(const NamedTensor& t) {
  if (t.tensor.dtype() == DType::f32) return;
  throw mismatch(Code::dtype, kOp, t.name + ": cast the module to f32 first", "f32",
                 t.tensor.dtype());
}

// Whether the rules match something: a misspelt name would leave a tensor in another format.
void check_rules(const CompressPolicy& policy, std::span<const PlannedTensor> plan,
                 const std::set<std::string>& packable) {
  for (const FormatRule& rule : policy.rules) {
    bool any = false, useful = false;
    for (const PlannedTensor& t : plan) {
      if (!matches_glob(rule.pattern, t.name)) continue;
      any = true;
      useful = useful || !rule.format || packable.contains(t.name);
    }
    if (useful) continue;
    const Message what =
        any ? Message{"only matches tensors that stay as they are: of one axis, or with fewer than ",
                      policy.least_weights, " weights"}
            : Message{"matches no tensor",
                      packable.empty() ? Message{} : Message{"; one is ", *packable.begin()}};
    throw Error(Code::value, kOp, {"`policy`: pattern ", rule.pattern, " ", what},
                "the name of a tensor", rule.pattern);
  }
}

void measure(const Tensor& wanted, const Tensor& found, CompressedTensor& entry) {
  const std::vector<float> a = to_vector<float>(wanted), b = to_vector<float>(found);
  double error = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double off = static_cast<double>(a[i]) - b[i];
    error += off * off;
    size += static_cast<double>(a[i]) * a[i];
  }
  entry.packed = true;
  entry.error = size > 0 ? std::sqrt(error / size) : 0;
  entry.size = std::sqrt(size);
}

Tensor packed_of(const PlannedTensor& t, FunctionRef<void(int64_t)> done, PackTensor pack) try {
  return pack(t, done);
} catch (const Error& error) {
  throw Error(error.code, kOp, {t.name, ": ", error.what()}, error.expected, error.actual);
}

}  // namespace

FormatRule format_rule(std::string_view text) {
  const size_t equals = text.rfind('=');
  if (equals == 0 || equals == text.npos) {
    throw mismatch(Code::value, kOp, "expected lines PATTERN=FORMAT in `policy`", "PATTERN=FORMAT",
                   {"'", text, "'"});
  }
  const std::string_view name = text.substr(equals + 1);
  std::string known;
  if (const Codec* format = find_codec(name)) return {std::string(text.substr(0, equals)), format};
  for (const char* format : kPackedFormatNames) known += std::string(format) + ", ";
  known += kStays;
  if (name == kStays) return {std::string(text.substr(0, equals))};
  throw mismatch(Code::value, kOp, {"expected the format in `policy` to be one of ", known}, known,
                 name);
}

std::vector<PlannedTensor> plan_formats(nn::Module& module, const CompressPolicy& policy) {
  std::set<std::string> learned, packable;
  for (const NamedTensor& t : module.named_parameters()) learned.insert(t.name);
  std::vector<PlannedTensor> plan;
  for (const NamedTensor& t : module.state_dict()) {
    require_dense(t);
    PlannedTensor planned{t.name, t.tensor};
    if (learned.contains(t.name) && is_wanted(t.tensor, policy)) {
      require_f32(t);
      packable.insert(t.name);
      const auto rule = std::ranges::find_if(
          policy.rules, [&](const FormatRule& r) { return matches_glob(r.pattern, t.name); });
      planned.free = rule == policy.rules.end();
      planned.format = planned.free ? policy.format : rule->format;
    }
    plan.push_back(std::move(planned));
  }
  check_rules(policy, plan, packable);
  return plan;
}

std::vector<NamedTensor> planned_state(std::span<const PlannedTensor> plan) {
  std::vector<NamedTensor> state;
  for (const PlannedTensor& t : plan) {
    state.push_back(
        {t.name, t.format ? empty_packed(*t.format, t.tensor.shape(), kOp) : t.tensor.detach()});
  }
  return state;
}

Tensor pack_tensor(const PlannedTensor& t, FunctionRef<void(int64_t)> done) {
  return packed_encode(t.tensor, *t.format, 1, done);
}

PackedState packed_state(std::span<const PlannedTensor> plan,
                         FunctionRef<void(int64_t, int64_t)> done, PackTensor pack) {
  NoGrad off;
  int64_t all = 0, packed = 0;
  for (const PlannedTensor& t : plan) all += t.format ? t.tensor.numel() : 0;
  done(0, all);
  PackedState state;
  for (const PlannedTensor& t : plan) {
    CompressedTensor entry{t.name, name_of(t.tensor.dtype()), t.tensor.numel(),
                           t.tensor.numel() * static_cast<int64_t>(size_of(t.tensor.dtype()))};
    Tensor now = t.tensor.detach();
    if (t.format) {
      now = packed_of(
          t, [&](int64_t weights) { done(packed + weights, all); }, pack);
      packed += entry.weights;
      entry.format = t.format->name;
      entry.bytes = static_cast<int64_t>(packed_storage(now).bytes);
      measure(t.tensor, packed_decode(now), entry);
    }
    state.tensors.push_back({t.name, now});
    state.report.push_back(std::move(entry));
  }
  done(packed, all);
  return state;
}

std::vector<CompressedTensor> compress_planned(nn::Module& module,
                                               std::span<const PlannedTensor> plan,
                                               FunctionRef<void(int64_t, int64_t)> done,
                                               PackTensor pack) {
  PackedState state = packed_state(plan, done, pack);
  module.lend_state(state.tensors);
  return std::move(state.report);
}

void measure_errors(nn::Module& module, std::span<const PlannedTensor> plan,
                    std::vector<CompressedTensor>& report) {
  NoGrad off;
  nn::for_each_tensor(module, [&](const std::string& name, Tensor& t, bool) {
    const auto planned = std::ranges::find(plan, name, &PlannedTensor::name);
    const auto entry = std::ranges::find(report, name, &CompressedTensor::name);
    if (is_packed(t) && planned != plan.end() && entry != report.end())
      measure(planned->tensor, packed_decode(t), *entry);
  });
}

std::vector<CompressedTensor> compress(nn::Module& module, const CompressPolicy& policy,
                                       FunctionRef<void(int64_t, int64_t)> done) {
  return compress_planned(module, plan_formats(module, policy), done);
}

}  // namespace gyre
