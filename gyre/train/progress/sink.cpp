#include "gyre/train/progress/sink.h"

namespace gyre {

void RunSink::started(std::string_view) {}
void RunSink::noted(std::string_view) {}
void RunSink::warned(std::string_view) {}
bool RunSink::stop_wanted() { return false; }

void TrainSink::preparing(std::string_view, int64_t, int64_t) {}
void TrainSink::stepped(const StepProgress&) {}
void TrainSink::validated(const Validation&) {}
void TrainSink::saved(const std::string&) {}
void TrainSink::sampled(int64_t, std::string_view) {}

}  // namespace gyre
