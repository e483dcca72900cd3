#include "gyre/embed/embed_progress.h"

#include <fmt/format.h>

#include <cmath>

#include "gyre/train/progress/text_progress.h"

namespace gyre {

std::string progress_line(const EmbedProgress& p) {
  std::string line = fmt::format("{}/{}  loss {:.4f}", p.epoch, p.total, p.loss);
  if (!std::isnan(p.mean_rank)) line += fmt::format("  MR {:.2f}  MAP {:.3f}", p.mean_rank, p.map);
  line += fmt::format("  {} pairs/s  {}", grouped(std::llround(p.pairs_per_second)),
                      duration_text(p.elapsed));
  return p.remaining < 0.5 ? line : line + "  ETA " + duration_text(p.remaining);
}

void EmbedText::advanced(const EmbedProgress& p) { show(p, p.epoch == p.total); }

void EmbedText::evaluated(int64_t epoch, const Reconstruction& figures, bool best) {
  line_.print(fmt::format("epoch {}  mean rank {:.3f}, MAP {:.4f}{}", epoch, figures.mean_rank,
                          figures.map, best ? "  best" : ""));
}

}  // namespace gyre
