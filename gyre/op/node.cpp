#include "gyre/op/node.h"

namespace gyre {
namespace {

constinit std::atomic<uint64_t> next_sequence{0};
constinit thread_local bool enabled = true;
constinit thread_local SavingObserver* observer = nullptr;

// Members of a dying node, to be released by the outermost dying node of this thread.
struct Remains : RefCounted {
  Remains(Remains* n, Node& node)
      : next(n), inputs(std::move(node.inputs)), saved(std::move(node.saved)) {}
  Remains* next;
  SmallVector<Edge, 3> inputs;
  SmallVector<SavedTensor, 4> saved;
};
constinit thread_local Remains* waiting = nullptr;
constinit thread_local bool draining = false;

}  // namespace

bool grad_enabled() noexcept { return enabled; }
void set_grad_enabled(bool on) noexcept { enabled = on; }

Node::~Node() {
  if (draining) {
    if (!inputs.empty() || !saved.empty()) {
      try {
        waiting = new Remains(waiting, *this);
      } catch (const Error&) {
        // out of memory: the members are released recursively
      }
    }
    return;
  }
  draining = true;
  inputs.clear();
  saved.clear();
  while (Remains* remains = waiting) {
    waiting = remains->next;
    delete remains;
  }
  draining = false;
}

Edge edge_to(const Tensor& t) {
  Edge edge;
  if (!t.defined()) return edge;
  if (t.impl()->base) renew_history(t);
  if (TensorImpl* impl = t.impl(); impl->node) {
    edge.node = Ref<Node>(static_cast<Node*>(impl->node.get()));
    edge.output = impl->output;
  } else if (impl->requires_grad) {
    edge.leaf = t.ref();
  }
  return edge;
}

void check_history(const Tensor& t, const char* op) {
  if (!t.defined()) return;
  if (t.impl()->base) renew_history(t);
  const TensorImpl& impl = *t.impl();
  if (!impl.node || impl.history_at == recorded_writes(t)) return;
  throw Error(
      Code::value, op,
      "its memory was modified in place through another tensor after its history was recorded; "
      "recreate the view after the write, or write under no_grad()");
}

SavingObserver*& saving_observer() noexcept { return observer; }

SavedTensor save(const Tensor& t, int own_output) {
  SavedTensor saved;
  saved.data = t;
  saved.version = t.impl()->storage->version.load(std::memory_order_relaxed);
  saved.own_output = own_output;
  if (observer) observer->saving(saved);
  const TensorImpl& impl = *t.impl();
  const bool is_leaf = impl.requires_grad && !impl.node && !impl.base;
  if (saved.data.defined() && own_output < 0 && !is_leaf && !impl.meta.weak) {
    // a write may give t a history that leads here: a cycle
    const Edge history = edge_to(t);
    saved.data = alias_of(t);
    saved.data.impl()->node = history.node;
    saved.data.impl()->output = history.output;
    saved.data.impl()->history_at = recorded_writes(t);
  }
  return saved;
}

Tensor SavedTensor::value(const char* op) const {
  if (source) return source->restore(number);
  if (data.defined() && data.impl()->storage->version.load(std::memory_order_relaxed) != version) {
    throw Error(Code::value, op,
                "a tensor that its backward needs was modified in place after it was used");
  }
  return data;
}

Tensor SavedTensor::unpack(const Ref<Node>& owner) const {
  Tensor t = value(owner->op->name);
  if (!t.defined() || (own_output < 0 && !source)) return t;
  Edge history;
  if (own_output >= 0) {
    history.node = owner;
    history.output = static_cast<uint32_t>(own_output);
  } else {
    history = owner->inputs[static_cast<size_t>(this - owner->saved.data())];
  }
  if (history.leaf) return Tensor(history.leaf);
  t = alias_of(t);
  t.impl()->node = history.node;
  t.impl()->output = history.output;
  t.impl()->history_at = recorded_writes(t);
  return t;
}

bool would_record(const OpDef& op, Inputs in) noexcept {
  if (!enabled || !op.differentiable()) return false;
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i].tracked() && op.args.of(i).differentiable) return true;
  }
  return false;
}

bool saves_operand(const OpDef& op, Inputs in, size_t i) {
  if (!in[i].defined() || !is_saved(op.saves_in, i)) return false;
  if (!is_saved(op.saves_for_others, i)) return true;
  for (size_t j = 0; j < in.size(); ++j) {
    const bool has_gradient =
        in[j].defined() && op.args.of(j).differentiable && (in[j].tracked() || !in[j].plain());
    if (j != i && has_gradient) return true;
  }
  return false;
}

void record(const OpDef& op, Inputs in, const Attrs& attrs, Tensors& out) {
  for (size_t i = 0; i < in.size();
       ++i) {  // first, since histories that are renewed are nodes, too
    if (op.args.of(i).differentiable) check_history(in[i], op.name);
  }
  auto node = make_ref<Node>();
  node->op = &op;
  node->attrs = attrs;
  node->sequence = next_sequence.fetch_add(1, std::memory_order_relaxed);
  for (size_t i = 0; i < in.size(); ++i) {
    const Arg& arg = op.args.of(i);
    node->inputs.push_back(arg.differentiable ? edge_to(in[i]) : Edge{});
    node->in_meta.push_back(in[i].defined() ? in[i].meta() : Meta{});
    if (op.saves_in) {
      node->saved.push_back(saves_operand(op, in, i) ? save(in[i]) : SavedTensor{});
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    node->outputs.push_back(out[i].meta());
    if (is_saved(op.saves_out, i)) {
      Tensor kept = alias_of(out[i]);
      node->saved.push_back(save(kept, static_cast<int>(i)));
    }
    if (is_floating(out[i].dtype())) {
      out[i].impl()->node = node;
      out[i].impl()->output = static_cast<uint32_t>(i);
      out[i].impl()->history_at = recorded_writes(out[i]);
    }
  }
}

}  // namespace gyre
