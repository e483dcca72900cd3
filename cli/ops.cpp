#include "cli/command.h"
#include "cli/table_text.h"
#include "gyre/registry/op_table.h"

namespace gyre {
namespace {

// How the op is differentiated.
const char* gradient_of(const OpDef& op) {
  if (op.is_discrete) return "none (discrete or random result)";
  if (!op.vjp && !op.compose) return op.vjp_first ? "first order only" : "none";
  return op.vjp_first ? "any order (fused first order)" : "any order";
}

Json op_json(const OpDef& op) {
  Json j = Json::object();
  j["name"] = op.name;
  j["doc"] = op.doc;
  j["arguments"] = arguments_json(op.args);
  j["attributes"] = fields_json(op.attrs);
  j["outputs"] = names_json(op.outputs.empty() ? op.outputs
                                               : op.outputs.first(static_cast<size_t>(op.visible)));
  j["dtypes"] = Json::array();
  for (DType dtype : dtypes_of(op)) j["dtypes"].push_back(name_of(dtype));
  j["host_only"] = op.kernels.host_only ? Json(op.kernels.host_only) : Json();
  j["local"] = kLocalityNames[static_cast<size_t>(op.local)];
  j["version"] = op.version;
  j["differentiable"] = op.differentiable();
  j["gradient"] = gradient_of(op);
  j["ulp"] = op.ulp;
  j["ulp_of"] = op.by_element ? "each element" : "the norm";
  return j;
}

std::string signature_of(const OpDef& op) { return signature(op.name, op.args, op.attrs); }

void describe(Output& out, const OpDef& op) {
  Json j = op_json(op);
  out.print("{}\n  {}\n", out.heading(signature_of(op)), op.doc);
  print_arguments(out, op.args, op.attrs);
  out.print("  results      {}\n  dtypes       {}\n  gradient     {}\n  error bound  {}\n",
            op.outputs.empty() ? "any number" : joined(j.at("outputs")), joined(j.at("dtypes")),
            gradient_of(op), error_bound(op));
}

std::string notes_on_ops() {
  return "Gradient: `any order` can be differentiated repeatedly, `first order only` once; `fused "
         "first\norder` computes the first derivative in one kernel.\n";
}

int run_ops(const Invocation& call) {
  std::span<const OpDef* const> chosen = op_table().ops;
  const OpDef* one = nullptr;
  if (!call.operands.empty()) {
    one = entry_called("op", chosen, call.operands[0]);
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
      call.out.print("{}\n    {}; gradient: {}\n", call.out.heading(signature_of(*op)), op->doc,
                     gradient_of(*op));
    }
    call.out.print("{} ops\n", chosen.size());
  }
  return kDone;
}

}  // namespace

const Command ops_command{"ops",
                          "list the ops: arguments, attributes, dtypes, gradient, error bound",
                          "gyre ops softmax",
                          {"NAME", "an op; default: all", 0, 1},
                          kNoOptions,
                          run_ops,
                          notes_on_ops};

}  // namespace gyre
