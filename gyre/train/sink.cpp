#include "gyre/train/sink.h"

namespace gyre {

void TrainSink::preparing(std::string_view, int64_t, int64_t) {}
void TrainSink::started(std::string_view) {}
void TrainSink::stepped(const StepProgress&) {}
void TrainSink::validated(const Validation&) {}
void TrainSink::saved(const std::string&) {}
void TrainSink::sampled(int64_t, std::string_view) {}
void TrainSink::noted(std::string_view) {}
void TrainSink::warned(std::string_view) {}
bool TrainSink::stop_wanted() { return false; }

}  // namespace gyre
