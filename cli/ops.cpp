#include <cmath>

#include "cli/commands.h"
#include "cli/option_text.h"
#include "gyre/io/record_json.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/op_table.h"

namespace gyre {
namespace {

// Whether the op takes a sample's call with its floating operands in another dtype.
bool takes(const OpDef& op, const Samples::Call& call, DType dtype) {
  Tensors in;
  for (const Tensor& t : call.in)
    in.push_back(t.defined() && t.dtype() == DType::f64 ? to(t, dtype) : t);
  try {
    (void)apply(op, in, call.attrs);
  } catch (const Error& error) {
    return error.code != Code::dtype && error.code != Code::unsupported;
  }
  return true;
}

// The dtypes of operands, found by trying; empty for ops that take no tensor.
std::vector<const char*> dtypes_of(const OpDef& op) {
  NoGrad off;
  Samples samples;
  if (op.samples) op.samples(samples);
  std::vector<const char*> names;
  if (op.args.empty() || samples.calls.empty()) return names;
  const Samples::Call& call = samples.calls.front();
  bool has_floats = false;
  for (const Tensor& t : call.in) has_floats |= t.defined() && t.dtype() == DType::f64;
  if (!has_floats) return {"i32", "i64"};
  for (int d = 0; d < kDTypes; ++d) {
    if (takes(op, call, static_cast<DType>(d))) names.push_back(name_of(static_cast<DType>(d)));
  }
  return names;
}

std::vector<std::string> devices_of(const OpDef& op) {
  std::vector<std::string> names;
  for (int kind = 0; kind < Device::kinds; ++kind) {
    bool composed = op.compose || op.view;
    auto device = static_cast<Device::Kind>(kind);
    if (op.kernels[static_cast<size_t>(kind)] || (composed && device == Device::cpu)) {
      names.push_back(device == Device::cpu ? "cpu" : "cuda");
    }
  }
  return names;
}

// How the op is differentiated.
const char* gradient_of(const OpDef& op) {
  if (op.is_discrete) return "none, its results are discrete";
  if (op.vjp) return op.vjp_first ? "every order, first order in one kernel" : "every order";
  if (op.compose) return op.vjp_first ? "every order, first order in one kernel" : "every order";
  return op.vjp_first ? "first order" : "none";
}

Json attributes_json(const OpDef& op) {
  Json list = Json::array();
  if (!op.attrs) return list;
  std::vector<std::max_align_t> memory(op.attrs->size / sizeof(std::max_align_t) + 1);
  op.attrs->construct(memory.data());
  Json standard = record_to_json(*op.attrs, memory.data());
  op.attrs->destroy(memory.data());
  static constexpr const char* kTypes[] = {"bool",  "int",   "float", "text",
                                           "dtype", "shape", "choice"};
  for (const Field& field : op.attrs->fields) {
    Json j = Json::object();
    j["name"] = field.name;
    j["type"] = kTypes[field.type];
    j["default"] = standard.at(field.name);
    j["doc"] = field.doc;
    if (!field.choices.empty()) {
      j["choices"] = Json::array();
      for (const char* choice : field.choices) j["choices"].push_back(choice);
    }
    list.push_back(std::move(j));
  }
  return list;
}

template <class List>
Json names_json(const List& names) {
  Json list = Json::array();
  for (const auto& name : names) list.push_back(Json(name));
  return list;
}

Json op_json(const OpDef& op) {
  Json j = Json::object();
  j["name"] = op.name;
  j["doc"] = op.doc;
  j["arguments"] = Json::array();
  for (const Arg& arg : op.args) {
    Json a = Json::object();
    a["name"] = arg.name;
    a["optional"] = arg.optional;
    a["variadic"] = arg.variadic;
    a["differentiable"] = arg.differentiable;
    if (arg.otherwise == arg.otherwise) a["default"] = arg.otherwise;
    j["arguments"].push_back(std::move(a));
  }
  j["attributes"] = attributes_json(op);
  j["outputs"] = names_json(op.outputs.empty() ? op.outputs
                                               : op.outputs.first(static_cast<size_t>(op.visible)));
  j["dtypes"] = names_json(dtypes_of(op));
  j["devices"] = names_json(devices_of(op));
  j["differentiable"] = op.differentiable();
  j["gradient"] = gradient_of(op);
  j["ulp"] = op.ulp;
  j["ulp_of"] = op.by_element ? "each element" : "the norm";
  return j;
}

std::string signature(const OpDef& op) {
  std::string text = std::string(op.name) + "(";
  const char* comma = "";
  for (const Arg& arg : op.args) {
    text += fmt::format("{}{}{}", comma, arg.name, arg.variadic ? "..." : arg.optional ? "?" : "");
    comma = ", ";
  }
  Json attributes = attributes_json(op);
  for (const Json& a : attributes.as_array()) {
    text += fmt::format("{}{}={}", comma, a.at("name").as_string(), a.at("default").dump());
    comma = ", ";
  }
  return text + ")";
}

std::string joined(const Json& list) {
  std::string text;
  for (const Json& item : list.as_array()) text += (text.empty() ? "" : " ") + item.as_string();
  return text;
}

void describe(Output& out, const OpDef& op) {
  Json j = op_json(op);
  out.print("{}\n  {}\n", out.heading(signature(op)), op.doc);
  for (const Arg& arg : op.args) {
    out.print("  {:<12} tensor{}{}{}\n", arg.name, arg.variadic ? "s, any number" : "",
              arg.optional ? ", may be left out" : "", arg.differentiable ? "" : ", no gradient");
  }
  for (const Json& a : j.at("attributes").as_array()) {
    std::string choices = a.find("choices") ? ": " + joined(a.at("choices")) : "";
    out.print("  {:<12} {}{} = {}   {}\n", a.at("name").as_string(), a.at("type").as_string(),
              choices, a.at("default").dump(), a.at("doc").as_string());
  }
  out.print(
      "  results      {}\n  dtypes       {}\n  devices      {}\n  gradient     {}\n"
      "  error bound  {} units in the last place of {}\n",
      op.outputs.empty() ? "any number" : joined(j.at("outputs")), joined(j.at("dtypes")),
      joined(j.at("devices")), gradient_of(op), op.ulp, j.at("ulp_of").as_string());
}

int run(const Invocation& call) {
  std::span<const OpDef* const> chosen = op_table().ops;
  const OpDef* one = nullptr;
  if (!call.operands.empty()) {
    one = op_table().find(call.operands[0]);
    if (!one) {
      std::vector<std::string> names;
      for (const OpDef* op : chosen) names.emplace_back(op->name);
      std::string near = nearest(call.operands[0], names);
      throw UsageError("no op is called '" + call.operands[0] + "'",
                       near.empty() ? std::string() : "did you mean " + near + "?");
    }
    chosen = {&one, 1};
  }
  if (call.json) {
    Json list = Json::array();
    for (const OpDef* op : chosen) list.push_back(op_json(*op));
    call.out.json(one ? list.as_array()[0] : list);
  } else if (one) {
    describe(call.out, *one);
  } else {
    for (const OpDef* op : chosen) {
      call.out.print("{}\n    {}; gradient: {}\n", call.out.heading(signature(*op)), op->doc,
                     gradient_of(*op));
    }
    call.out.print("{} ops\n", chosen.size());
  }
  return kDone;
}

}  // namespace

const Command ops_command{"ops",
                          "lists the ops: arguments, attributes, dtypes, devices, gradient",
                          "gyre ops softmax",
                          {"NAME", "an op; all of them if none is given", 0, 1},
                          kNoOptions,
                          run};

}  // namespace gyre
