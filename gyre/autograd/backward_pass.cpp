#include "gyre/autograd/backward_pass.h"

#include <algorithm>
#include <atomic>

#include "gyre/autograd/accumulate.h"
#include "gyre/autograd/hooks.h"
#include "gyre/autograd/live_passes.h"
#include "gyre/autograd/node_vjp.h"
#include "gyre/autograd/workspace.h"
#include "gyre/base/error.h"

namespace gyre {
namespace {

constinit std::atomic<uint64_t> last_pass{0};
uint64_t new_number() { return last_pass.fetch_add(1, std::memory_order_relaxed) + 1; }

// The mark of a node that has run: meaningless from then on, also to the pass that set it.
constexpr int32_t kHasRun = -2;

class BackwardPass {
 public:
  BackwardPass(Workspace& workspace, bool retain_graph)
      : w_(workspace), selective_(false), retain_graph_(retain_graph) {
    running = this;
  }
  BackwardPass(Workspace& workspace, Inputs wrt, bool retain_graph)
      : w_(workspace),
        wrt_(wrt),
        captured_(wrt.size()),
        selective_(true),
        retain_graph_(retain_graph) {
    running = this;
  }
  BackwardPass(const BackwardPass&) = delete;
  BackwardPass& operator=(const BackwardPass&) = delete;
  ~BackwardPass() {
    for (const Ref<SavedSource>& source : sources_) source->pass_over();
    if (claimed_) pass_is_over(pass_);
    running = outer_;
  }

  static thread_local BackwardPass* running;  // the innermost
  uint64_t number() const { return pass_; }
  SmallVector<Ref<SavedSource>, 2>& sources() { return sources_; }

  void into_leaves(Inputs roots, Inputs seeds) {
    claim([&] { count_consumers(roots); });
    place(roots, seeds);
    run_ready();
  }
  Tensors towards_wrt(Inputs roots, Inputs seeds, bool allow_unused);

 private:
  void claim(FunctionRef<void()> walk);
  bool is_free(const Node& node);
  void ask();
  void count_consumers(Inputs roots);
  BackwardMark& marked(Node& node);
  bool within_reach(const Node& node) const { return node.sequence >= lowest_; }
  bool flows(const Edge& edge);
  void visit(Node& node);
  void count_edges(Node& node);
  bool count_leaf(const Ref<TensorImpl>& leaf, uint32_t uses);
  void mark_wanted();
  void place(Inputs roots, Inputs seeds);
  void run_ready();
  void run(Frame& frame);
  Tensors reverse(const Frame& frame);
  void deliver(const Edge& edge, Tensor cotangent);
  void arrive(const Edge& edge);
  void enqueue(Node& node);
  Frame& frame_of(Node& node);
  void finish(LeafSlot& slot);
  void capture(const Frame& frame);
  bool is_reached(const Edge& edge);

  Workspace& w_;
  Inputs wrt_;
  Tensors captured_;
  bool selective_, retain_graph_;
  uint64_t lowest_ = 0;  // nodes recorded before this cannot lead to wrt and are skipped
  uint64_t pass_ = new_number();
  uint64_t obstacle_ = 0;             // another running pass that has claimed some of the nodes
  const LivePasses* live_ = nullptr;  // while the nodes are claimed
  bool claimed_ = false;
  BackwardPass* outer_ = running;
  SmallVector<Ref<SavedSource>, 2> sources_;  // to notify at the end
};

constinit thread_local BackwardPass* BackwardPass::running = nullptr;

// Claims the nodes that `walk` visits for this pass. If another thread's pass holds some of them,
// none is claimed until that pass ends, so two passes cannot deadlock; a nested pass, which would
// claim more nodes, does not wait.
void BackwardPass::claim(FunctionRef<void()> walk) {
  LivePasses live;
  live_ = &live;
  for (;;) {
    obstacle_ = 0;
    walk();
    if (!obstacle_) break;
    if (outer_) {
      throw Error(
          Code::value, "backward",
          "a nested pass cannot visit nodes of the graph that the outer pass is traversing");
    }
    live.leave_until_over(obstacle_);
    w_.clear();
    pass_ = new_number();
    live.enter();
  }
  live.add(pass_);
  claimed_ = true;
  live_ = nullptr;
}

// Called once per node, while it is claimed.
bool BackwardPass::is_free(const Node& node) {
  const BackwardMark& mark = node.mark;
  if (mark.pass == 0 || mark.pass == pass_ || !live_->has(mark.pass)) return true;
  for (const BackwardPass* p = outer_; p; p = p->outer_) {
    if (p->pass_ == mark.pass && mark.frame == kHasRun) return true;
  }
  obstacle_ = mark.pass;
  return false;
}

BackwardMark& BackwardPass::marked(Node& node) {
  if (node.mark.pass != pass_) {
    node.mark = {};
    node.mark.pass = pass_;
    node.mark.wanted = !selective_;
  }
  return node.mark;
}

void BackwardPass::ask() {
  if (selective_) lowest_ = UINT64_MAX;
  for (const Tensor& t : wrt_) {
    Edge edge = edge_to(t);
    if (edge.node) {
      if (!is_free(*edge.node)) return;
      marked(*edge.node).captured = true;
      lowest_ = std::min(lowest_, edge.node->sequence);
    } else if (edge.leaf) {
      w_.leaves.at(edge.leaf);
      lowest_ = 0;
    }
  }
}

// True when the cotangent along this edge is needed. Called after the nodes are marked.
bool BackwardPass::flows(const Edge& edge) {
  if (edge.node) {
    return within_reach(*edge.node) && (edge.node->mark.wanted || edge.node->mark.captured);
  }
  return edge.leaf && (!selective_ || w_.leaves.find(edge.leaf.get()));
}

void BackwardPass::visit(Node& node) {
  if (!is_free(node)) return;
  BackwardMark& mark = marked(node);
  if (mark.visited) return;
  mark.visited = true;
  if (node.freed && !mark.captured) {
    throw Error(Code::value, node.op->name,
                "the graph of this op was freed by an earlier backward(); set retain_graph in the "
                "earlier call");
  }
  w_.open.push_back(&node);
  if (selective_) w_.found.push_back(&node);
}

void BackwardPass::count_edges(Node& node) {
  for (const Edge& edge : node.inputs) {
    if (edge.node) {
      if (!within_reach(*edge.node)) continue;
      visit(*edge.node);
      if (obstacle_) return;
      ++edge.node->mark.pending;
    } else if (edge.leaf) {
      node.mark.wanted |= count_leaf(edge.leaf, 1);
    }
  }
}

// False for a leaf whose gradient is not requested.
bool BackwardPass::count_leaf(const Ref<TensorImpl>& leaf, uint32_t uses) {
  LeafSlot* slot = selective_ ? w_.leaves.find(leaf.get()) : &w_.leaves.at(leaf);
  if (!slot) return false;
  slot->pending += uses;
  slot->reached = true;
  return true;
}

void BackwardPass::count_consumers(Inputs roots) {
  for (const Tensor& root : roots) {
    Node* node = node_of(root);
    if (node && within_reach(*node)) visit(*node);
    if (!node) count_leaf(root.ref(), 0);
  }
  while (!w_.open.empty() && !obstacle_) {
    Node* node = w_.open.back();
    w_.open.pop_back();
    count_edges(*node);
  }
}

// A node is recorded after the nodes it depends on, so one sweep in order of recording suffices.
void BackwardPass::mark_wanted() {
  std::sort(w_.found.begin(), w_.found.end(),
            [](const Node* a, const Node* b) { return a->sequence < b->sequence; });
  for (Node* node : w_.found) {
    for (const Edge& edge : node->inputs) {
      if (edge.node) node->mark.wanted |= flows(edge);
    }
  }
}

void BackwardPass::place(Inputs roots, Inputs seeds) {
  for (size_t i = 0; i < roots.size(); ++i) {
    Edge edge = edge_to(roots[i]);
    deliver(edge, seeds[i]);
  }
  for (const Tensor& root : roots) {
    Edge edge = edge_to(root);
    if (edge.node && flows(edge) && edge.node->mark.pending == 0) enqueue(*edge.node);
    LeafSlot* slot = edge.leaf ? w_.leaves.find(edge.leaf.get()) : nullptr;
    if (slot && slot->pending == 0) finish(*slot);
  }
}

void BackwardPass::run_ready() {
  while (!w_.ready.empty()) {
    std::pop_heap(w_.ready.begin(), w_.ready.end());
    int32_t index = w_.ready.back().frame;
    w_.ready.pop_back();
    Frame& slot = w_.frames[static_cast<size_t>(index)];
    Frame frame = std::move(slot);
    w_.free_frames.push_back(index);
    run(frame);
  }
}

void BackwardPass::run(Frame& frame) {
  Node& node = *frame.node;
  if (node.hooks) {
    for (size_t i = 0; i < frame.cotangents.size(); ++i) {
      if (frame.cotangents[i].defined()) {
        run_gradient_hooks(node.hooks, static_cast<uint32_t>(i), frame.cotangents[i]);
      }
    }
  }
  if (node.mark.captured) capture(frame);
  Tensors cotangents = node.mark.wanted ? reverse(frame) : Tensors();
  const bool wanted = node.mark.wanted;
  node.mark.frame = kHasRun;
  if (!wanted) return;
  SmallVector<Edge, 3> edges;
  if (retain_graph_) {
    edges = node.inputs;
  } else {
    node.freed = true;
    node.saved.clear();
    edges = std::move(node.inputs);
  }
  frame.cotangents.clear();
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!edges[i]) continue;
    if (i < cotangents.size() && cotangents[i].defined()) {
      deliver(edges[i], conform(std::move(cotangents[i]), node.in_meta[i]));
    }
    arrive(edges[i]);
  }
}

// Cotangents of the inputs; all empty when no output has one.
Tensors BackwardPass::reverse(const Frame& frame) {
  bool any = false;
  for (const Tensor& g : frame.cotangents) any |= g.defined();
  if (!any) return {};
  SmallVector<bool, 8> wanted;
  for (const Edge& edge : frame.node->inputs) wanted.push_back(flows(edge));
  return node_vjp(frame.node, frame.cotangents, wanted);
}

Frame& BackwardPass::frame_of(Node& node) {
  if (node.mark.frame < 0) {
    node.mark.frame = w_.take_frame();
    Frame& frame = w_.frames[static_cast<size_t>(node.mark.frame)];
    frame.node = Ref<Node>(&node);
    frame.cotangents.resize(node.outputs.size());
  }
  return w_.frames[static_cast<size_t>(node.mark.frame)];
}

void BackwardPass::deliver(const Edge& edge, Tensor cotangent) {
  if (edge.node) {
    if (!flows(edge)) return;
    add_cotangent(frame_of(*edge.node).cotangents[edge.output], std::move(cotangent));
  } else if (LeafSlot* slot = edge.leaf ? w_.leaves.find(edge.leaf.get()) : nullptr) {
    add_cotangent(slot->sum, std::move(cotangent));
  }
}

void BackwardPass::arrive(const Edge& edge) {
  if (edge.node) {
    if (flows(edge) && --edge.node->mark.pending == 0) enqueue(*edge.node);
  } else if (LeafSlot* slot = w_.leaves.find(edge.leaf.get())) {
    if (--slot->pending == 0) finish(*slot);
  }
}

void BackwardPass::enqueue(Node& node) {
  BackwardMark& mark = node.mark;
  if (mark.queued) return;
  mark.queued = true;
  frame_of(node);
  w_.ready.push_back({node.sequence, mark.frame});
  std::push_heap(w_.ready.begin(), w_.ready.end());
}

// The gradient of the leaf is complete. Hooks may start passes of their own, in another workspace.
void BackwardPass::finish(LeafSlot& slot) {
  if (slot.finished) return;
  slot.finished = true;
  if (slot.sum.defined() && slot.leaf->hooks) run_gradient_hooks(slot.leaf->hooks, 0, slot.sum);
  if (selective_) return;
  TensorImpl& leaf = *slot.leaf;
  Tensor ready;
  alone_with_leaf(leaf, [&] {
    if (slot.sum.defined()) add_to_leaf(leaf, std::move(slot.sum));
    if (leaf.hooks && leaf.grad) ready = Tensor(leaf.grad);
  });
  slot.sum = {};
  if (leaf.hooks) run_ready_hooks(leaf.hooks, ready);
}

void BackwardPass::capture(const Frame& frame) {
  for (size_t i = 0; i < wrt_.size(); ++i) {
    if (wrt_[i].defined() && node_of(wrt_[i]) == frame.node.get()) {
      captured_[i] = frame.cotangents[wrt_[i].impl()->output];
    }
  }
}

bool BackwardPass::is_reached(const Edge& edge) {
  if (edge.node) return edge.node->mark.visited;
  return edge.leaf && w_.leaves.find(edge.leaf.get())->reached;
}

Tensors BackwardPass::towards_wrt(Inputs roots, Inputs seeds, bool allow_unused) {
  claim([&] {
    ask();
    if (!obstacle_) count_consumers(roots);
  });
  for (size_t i = 0; i < wrt_.size() && !allow_unused; ++i) {
    if (is_reached(edge_to(wrt_[i]))) continue;
    throw Error(Code::value, "grad",
                {"no output depends on input ", i, "; pass allow_unused to get an empty gradient"});
  }
  mark_wanted();
  place(roots, seeds);
  run_ready();
  for (size_t i = 0; i < wrt_.size(); ++i) {
    Edge edge = edge_to(wrt_[i]);
    if (edge.leaf) captured_[i] = w_.leaves.find(edge.leaf.get())->sum;
    if (!captured_[i].defined() && is_reached(edge)) captured_[i] = filled(wrt_[i].meta(), 0);
  }
  return std::move(captured_);
}

}  // namespace

void pass_into_leaves(Inputs roots, Inputs seeds, bool retain_graph) {
  WorkspaceLease lease;
  BackwardPass(*lease, retain_graph).into_leaves(roots, seeds);
}

Tensors pass_towards(Inputs wrt, Inputs roots, Inputs seeds, bool retain_graph, bool allow_unused) {
  WorkspaceLease lease;
  return BackwardPass(*lease, wrt, retain_graph).towards_wrt(roots, seeds, allow_unused);
}

uint64_t running_pass() noexcept {
  return BackwardPass::running ? BackwardPass::running->number() : 0;
}

void at_end_of_pass(SavedSource& source) {
  BackwardPass::running->sources().push_back(Ref<SavedSource>(&source));
}

void not_at_end_of_pass(const SavedSource& source) noexcept {
  if (!BackwardPass::running) return;
  auto& sources = BackwardPass::running->sources();
  for (size_t i = sources.size(); i-- > 0;) {
    if (sources[i].get() != &source) continue;
    std::swap(sources[i], sources.back());
    sources.pop_back();
    return;
  }
}

}  // namespace gyre
