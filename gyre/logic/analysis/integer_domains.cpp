#include "gyre/logic/analysis/integer_domains.h"

#include <algorithm>

namespace gyre::logic {
namespace {

// The integers of a domain by number of the symbol; empty where it keeps its symbols.
std::vector<uint32_t> values_of(const Domain& domain) {
  constexpr int64_t kSmall = 1024;
  std::vector<uint32_t> values;
  if (!domain.open || domain.numbered >= 0) return values;
  const int64_t count = domain.size(), most = std::max(kSmall, 4 * count);
  for (int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<uint32_t>(i);
    const std::optional<int64_t> value = domain.integer(number);
    const bool keeps = !value || *value < 0 || *value >= most || !domain.is_integer[number] ||
                       domain.symbols[number] != std::to_string(*value);  // 007
    if (keeps) return {};
    values.push_back(static_cast<uint32_t>(*value));
  }
  return values;
}

}  // namespace

void number_integer_domains(Names& names) {
  std::vector<std::vector<uint32_t>> values;
  for (Domain& domain : names.domains) {
    const std::vector<uint32_t>& of = values.emplace_back(values_of(domain));
    if (of.empty()) continue;
    domain.symbols = {};
    domain.is_integer.clear();
    domain.numbered = int64_t{*std::max_element(of.begin(), of.end())} + 1;
  }
  for (Entity& e : names.entities) {
    for (size_t i = 0; i < e.tuples.size(); ++i) {
      const int domain = names.axis_of(e, i % e.rank()).domain;
      const std::vector<uint32_t>& of = values[static_cast<size_t>(domain)];
      if (!of.empty()) e.tuples[i] = of[e.tuples[i]];
    }
  }
}

}  // namespace gyre::logic
