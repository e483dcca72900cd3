#include "gyre/text/bpe/read_merges.h"

#include <utility>

#include "gyre/base/error.h"

namespace gyre {
namespace {

std::pair<std::string, std::string> read_pair(const Json& merge) {
  if (merge.is_array()) {
    if (merge.as_array().size() == 2) {
      return {merge.as_array()[0].as_string("model.merges"),
              merge.as_array()[1].as_string("model.merges")};
    }
  } else {
    const std::string& text = merge.as_string("model.merges");
    const size_t space = text.find(' ');
    if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos) {
      return {text.substr(0, space), text.substr(space + 1)};
    }
  }
  throw Error(Code::parse, "tokenizer",
              "model.merges: " + merge.dump().substr(0, 80) + " is not a pair of tokens");
}

}  // namespace

std::vector<Merge> read_merges(const Json& list, const Vocabulary& vocabulary,
                               const std::string& prefix) {
  std::vector<Merge> merges;
  for (const Json& item : list.as_array("model.merges")) {
    const auto [left, right] = read_pair(item);
    const size_t skipped = right.starts_with(prefix) ? prefix.size() : 0;
    const Merge merge = {vocabulary.id(left), vocabulary.id(right),
                         vocabulary.id(left + right.substr(skipped))};
    if (merge.left < 0 || merge.right < 0 || merge.product < 0) {
      throw Error(Code::parse, "tokenizer",
                  "model.merges: \"" + left + "\", \"" + right +
                      "\" or their merge is not in the vocabulary");
    }
    merges.push_back(merge);
  }
  return merges;
}

}  // namespace gyre
