#include "gyre/train/keeper.h"

namespace gyre {

void Keeper::restore(const TrainState& state, Step& step) {
  step.optimizer().load_state_dict(store_.read_optimizer(state.step));
  if (Ema* ema = step.ema()) ema->load_state_dict(store_.read_average(state.step));
  if (!state.loss_scale.is_null()) step.load_loss_scale(state.loss_scale);
  newest_ = state.step;
}

void Keeper::save(TrainState& state, Step& step) {
  state.loss_scale = step.loss_scale();
  store_.write(
      state, [this](const std::string& folder) { task_.save(folder); },
      step.optimizer().state_dict(),
      step.ema() ? step.ema()->state_dict() : std::vector<NamedTensor>());
  newest_ = state.step;
  save_model(step);
  log_->draw();
  sink_.saved(checkpoint());
}

void Keeper::save_model(Step& step) {
  std::optional<EmaScope> averaged;
  if (step.ema()) averaged.emplace(*step.ema());
  task_.save(folder_);
}

void Keeper::save_best(int64_t best, Step& step) {
  load_model(best);
  if (step.ema()) step.ema()->load_state_dict(store_.read_average(best));
  save_model(step);
}

}  // namespace gyre
