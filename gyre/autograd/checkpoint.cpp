#include "gyre/autograd/checkpoint.h"

#include <chrono>

#include "gyre/autograd/backward_pass.h"
#include "gyre/base/error.h"
#include "gyre/base/philox.h"
#include "gyre/base/scoped_value.h"
#include "gyre/op/node.h"

namespace gyre {
namespace {

using AllSurroundings = SmallVector<Ref<const CheckpointSurroundings>, 1>;
thread_local AllSurroundings surroundings;  // outermost first

// Runs `call` within these, from number `i` on.
void within_all(const AllSurroundings& all, size_t i, FunctionRef<void()> call) {
  if (i == all.size()) return call();
  all[i]->within([&] { within_all(all, i + 1, call); });
}

// The index of the tensor among the inputs, or -1.
int position_in(Inputs in, const Tensor& t) {
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i].defined() && in[i].impl() == t.impl()) return static_cast<int>(i);
  }
  return -1;
}

// Leaves that require grad stay alive anyway.
bool is_wanting_leaf(const Tensor& t) { return t.requires_grad() && !t.impl()->node; }

}  // namespace

// One checkpointed run of a body. Saved tensors are numbered in the order in which they were saved;
// a number refers to an input or to an intermediate value.
class CheckpointRegion final : public SavedSource {
 public:
  CheckpointRegion(Ref<const CheckpointBody> body, Inputs in, Ref<CheckpointBudget> budget)
      : body_(std::move(body)), budget_(std::move(budget)) {
    for (const Tensor& t : in) {
      inputs_.push_back(t.defined() ? save(t.detach()) : SavedTensor());
      tracked_.push_back(t.tracked());
    }
  }

  ~CheckpointRegion() override { drop(); }

  Tensors first_run(Inputs in);
  /// Drops the intermediates of the first run; they are recomputed when needed.
  void drop() noexcept;
  int64_t kept_bytes() const { return kept_bytes_; }
  double seconds_per_byte() const {
    return seconds_ / static_cast<double>(kept_bytes_ ? kept_bytes_ : 1);
  }
  const Ref<const CheckpointBody>& body() const { return body_; }
  Tensor restore(uint32_t number) override;
  void pass_over() noexcept override;

 private:
  class First;
  class Second;

  void keep(const SavedTensor& saved);
  Tensor input(size_t i);
  void check_surroundings() const;
  void run_again();

  Ref<const CheckpointBody> body_;
  Ref<CheckpointBudget> budget_;
  bool keeps_ = false;  // values_ are those of the first run
  int64_t kept_bytes_ = 0;
  double seconds_ = 0;  // duration of the first run
  Generator generator_ = default_generator();
  AllSurroundings surroundings_ = surroundings;
  SmallVector<SavedTensor, 4> inputs_;
  SmallVector<bool, 8> tracked_;
  struct Intermediate {
    Meta meta;
    uint32_t version;  // of its storage when it was saved, which tells writes to captured tensors
  };
  SmallVector<Intermediate, 2> intermediates_;
  SmallVector<uint32_t, 8> meant_;  // by number: index of an input, then of an intermediate

  // in memory during backward
  SmallVector<SavedTensor, 4> restored_inputs_, values_;
  uint64_t pass_ = 0;  // the pass they are restored for; 0: none
  size_t given_ = 0;   // numbers that it has requested
};

// First run: moves saved tensors from the nodes to the region.
class CheckpointRegion::First final : public SavingObserver {
 public:
  First(CheckpointRegion& region, Inputs in) : region_(region), in_(in) {}
  void saving(SavedTensor& saved) override {
    int position = position_in(in_, saved.data);
    if (position < 0 && is_wanting_leaf(saved.data)) return;
    size_t meant = static_cast<size_t>(position);
    if (position < 0) {
      meant = in_.size() + region_.intermediates_.size();
      region_.intermediates_.push_back({saved.data.meta(), saved.version});
      if (region_.budget_) region_.keep(saved);
    }
    saved.number = static_cast<uint32_t>(region_.meant_.size());
    region_.meant_.push_back(static_cast<uint32_t>(meant));
    saved.source = Ref<SavedSource>(&region_);
    saved.data = {};
  }

 private:
  CheckpointRegion& region_;
  Inputs in_;
};

// Recomputation: collects them again.
class CheckpointRegion::Second final : public SavingObserver {
 public:
  Second(CheckpointRegion& region, Inputs in) : region_(region), in_(in) {}
  SmallVector<SavedTensor, 4> values;
  void saving(SavedTensor& saved) override {
    const Tensor& t = saved.data;
    if (position_in(in_, t) >= 0 || is_wanting_leaf(t)) return;
    size_t i = values.size();
    const Intermediate* first =
        i < region_.intermediates_.size() ? &region_.intermediates_[i] : nullptr;
    if (!first || !(first->meta.shape == t.shape()) || first->meta.dtype != t.dtype()) {
      throw Error(Code::value, "checkpoint",
                  {"the second run of the body differs from the first: saved value ", i, " is ",
                   t.shape(), " ", t.dtype()});
    }
    if (saved.version != first->version) {
      throw Error(Code::value, "checkpoint",
                  "a captured tensor that the body uses was modified in place after its first run");
    }
    values.push_back(saved);
    values.back().data = t.detach();
  }

 private:
  CheckpointRegion& region_;
  Inputs in_;
};

CheckpointSurroundingsScope::CheckpointSurroundingsScope(Ref<const CheckpointSurroundings> more) {
  surroundings.push_back(std::move(more));
}

CheckpointSurroundingsScope::~CheckpointSurroundingsScope() { surroundings.pop_back(); }

CheckpointBudget::CheckpointBudget(int64_t bytes) : bytes_(bytes) {
  if (bytes >= 0) return;
  throw Error(Code::value, "checkpoint",
              {"expected a budget of at least 0 bytes, got ", bytes, " bytes"}, "0 or more", bytes);
}

Tensors CheckpointRegion::first_run(Inputs in) {
  First observer(*this, in);
  auto begin = std::chrono::steady_clock::now();
  Tensors out;
  {
    ScopedValue scope(saving_observer(), &observer);
    out = (*body_)(in);
  }
  if (!budget_) return out;
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  keeps_ = true;
  budget_->take(*this);
  return out;
}

// Keeps a value that nodes of the first run saved. Shared memory counts once.
void CheckpointRegion::keep(const SavedTensor& saved) {
  const Ref<Storage>& storage = saved.data.impl()->storage;
  bool counted = false;
  for (const SavedTensor& v : values_) counted |= v.data.impl()->storage == storage;
  for (const SavedTensor& v : inputs_) {
    counted |= v.data.defined() && v.data.impl()->storage == storage;
  }
  if (!counted) kept_bytes_ += static_cast<int64_t>(storage->bytes);
  values_.push_back(saved);
  values_.back().data = saved.data.detach();
}

void CheckpointRegion::drop() noexcept {
  if (!keeps_) return;
  keeps_ = false;
  values_.clear();
  budget_->forget(*this);
}

// Unpacks each input once, and checks at each use that it was not modified since.
Tensor CheckpointRegion::input(size_t i) {
  if (restored_inputs_.empty()) {
    decltype(restored_inputs_) restored;
    for (const SavedTensor& saved : inputs_) {
      SavedTensor kept;
      kept.data = saved.value("checkpoint");
      if (kept.data.defined()) kept.version = kept.data.impl()->storage->version.load();
      restored.push_back(std::move(kept));
    }
    restored_inputs_ = std::move(restored);
  }
  return restored_inputs_[i].value("checkpoint");
}

// Contexts in force now must have been in force in the first run.
void CheckpointRegion::check_surroundings() const {
  bool known = surroundings.size() <= surroundings_.size();
  for (size_t i = 0; known && i < surroundings.size(); ++i) {
    known = surroundings[i].get() == surroundings_[i].get();
  }
  if (known) return;
  throw Error(
      Code::value, "checkpoint",
      "the second run of the body would run in a context that the first did not have, such as a "
      "call with substituted parameters; run backward outside of it");
}

void CheckpointRegion::run_again() {
  check_surroundings();
  Tensors in;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    Tensor x = input(i);
    in.push_back(x.defined() ? x.detach() : Tensor());
    if (tracked_[i]) in.back().impl()->requires_grad = true;
  }
  Second observer(*this, in);
  ScopedValue scope(saving_observer(), &observer);
  GeneratorScope random(generator_);
  GradMode recording(true);
  within_all(surroundings_, surroundings.size(), [&] { (*body_)(in); });
  if (observer.values.size() != intermediates_.size()) {
    throw Error(Code::value, "checkpoint",
                {"the second run of the body differs from the first: it saves ",
                 observer.values.size(), " values, the first saved ", intermediates_.size()});
  }
  values_ = std::move(observer.values);
}

void CheckpointRegion::pass_over() noexcept {
  drop();
  values_.clear();
  restored_inputs_.clear();
  pass_ = 0;
  given_ = 0;
}

// A pass requests each number at most once, so the memory is freed when all were requested, or at
// the end of a pass that needs only some.
Tensor CheckpointRegion::restore(uint32_t number) {
  if (pass_ != running_pass()) {
    if (pass_) pass_over();
    at_end_of_pass(*this);
    pass_ = running_pass();
  }
  Tensor value;
  size_t meant = meant_[number];
  if (meant < inputs_.size()) {
    value = input(meant);
  } else {
    size_t i = meant - inputs_.size();
    if (values_.empty()) run_again();
    value = values_[i].value("checkpoint");
    values_[i] = {};
  }
  if (++given_ == meant_.size()) {
    not_at_end_of_pass(*this);
    pass_over();
  }
  return value;
}

void CheckpointBudget::take(CheckpointRegion& region) {
  regions_.push_back(&region);
  kept_ += region.kept_bytes();
  while (kept_ > bytes_ && !regions_.empty()) {
    CheckpointRegion* cheapest = regions_[0];
    for (CheckpointRegion* r : regions_) {
      if (r->seconds_per_byte() < cheapest->seconds_per_byte()) cheapest = r;
    }
    ++dropped_;
    cheapest->drop();
  }
}

void CheckpointBudget::forget(CheckpointRegion& region) noexcept {
  for (size_t i = 0; i < regions_.size(); ++i) {
    if (regions_[i] != &region) continue;
    regions_[i] = regions_.back();
    regions_.resize(regions_.size() - 1);
    kept_ -= region.kept_bytes();
    return;
  }
}

const Ref<const CheckpointBody>& checkpointed_body(const SavedSource& source) {
  static const Ref<const CheckpointBody> none;
  const auto* region = dynamic_cast<const CheckpointRegion*>(&source);
  return region ? region->body() : none;
}

Tensors checkpoint(Ref<const CheckpointBody> body, Inputs in, Ref<CheckpointBudget> budget) {
  if (!grad_enabled()) return (*body)(in);
  return make_ref<CheckpointRegion>(std::move(body), in, std::move(budget))->first_run(in);
}

}  // namespace gyre
