#include <algorithm>

#include "gyre/logic/run/store.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {

void Store::set_leaf(int entity, const Tensor& value) {
  Tensor own = clone(value.detach());
  own.set_requires_grad();
  cells_[static_cast<size_t>(entity)].leaf = own;
  changed({entity});
}

namespace {

void discrete_in(const Node& node, std::vector<const Node*>& found) {
  if ((node.kind == Node::along && node.builtin->discrete) ||
      (node.kind == Node::call && node.op->is_discrete))
    found.push_back(&node);
  for (const NodePtr& child : node.children) discrete_in(*child, found);
}

void entities_in(const Node& node, std::vector<int>& found) {
  if (node.kind == Node::load) found.push_back(node.entity);
  for (const NodePtr& child : node.children) entities_in(*child, found);
}

}  // namespace

void Store::warn_of_discrete(const std::vector<int>& entities) {
  std::set<int> seen;
  std::vector<int> todo = entities;
  while (!todo.empty()) {
    const int e = todo.back();
    todo.pop_back();
    if (!seen.insert(e).second) continue;
    for (const Ready& r : cells_[static_cast<size_t>(e)].equations) {
      todo.insert(todo.end(), r.lowered.reads.begin(), r.lowered.reads.end());
      std::vector<const Node*> discrete;
      discrete_in(*r.lowered.right, discrete);
      for (const Node* node : discrete) {
        std::vector<int> reads;
        entities_in(*node, reads);
        if (learnable_below(reads).empty()) continue;
        const std::string name = node->kind == Node::along ? node->builtin->name : node->op->name;
        diagnostics_.add({DiagnosticCode::W01, node->place, "'" + name + "' has gradient 0",
                          "learning does not go through it"});
      }
    }
  }
}

std::vector<int> Store::learnable_below(const std::vector<int>& entities) {
  std::set<int> seen;
  std::vector<int> todo = entities, found;
  while (!todo.empty()) {
    const int e = todo.back();
    todo.pop_back();
    if (!seen.insert(e).second) continue;
    const Cell& cell = cells_[static_cast<size_t>(e)];
    if (names_.entities[static_cast<size_t>(e)].learnable) found.push_back(e);
    for (const Ready& r : cell.equations)
      todo.insert(todo.end(), r.lowered.reads.begin(), r.lowered.reads.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace gyre::logic
