#include "gyre/text/stages/post_processors.h"

#include <map>
#include <string>

#include "gyre/base/error.h"

namespace gyre {
namespace {

// ["[SEP]", 102]
int32_t mark_id(const Json& pair, const std::string& part) {
  const Json::Array& both = pair.as_array(part);
  if (both.size() != 2)
    throw Error(Code::parse, "tokenizer", part + ": expected a token and its id");
  (void)both[0].as_string(part);
  return static_cast<int32_t>(both[1].as_integer(part));
}

PostProcessor read_offsets_only_post(StageFields& f) {
  for (const char* key : {"add_prefix_space", "trim_offsets", "use_regex"}) f.ignore(key);
  return {};
}

template <bool twice>  // RoBERTa separates two texts by two marks
PostProcessor read_marks_post(StageFields& f) {
  for (const char* key : {"add_prefix_space", "trim_offsets"}) f.ignore(key);
  const int32_t sep = mark_id(f.at("sep"), f.part() + ".sep");
  const int32_t cls = mark_id(f.at("cls"), f.part() + ".cls");
  const std::vector<int32_t> between = twice ? std::vector{sep, sep} : std::vector{sep};
  return {{{.ids = {cls}}, {.text = 0}, {.ids = {sep}}},
          {{.ids = {cls}}, {.text = 0}, {.ids = between}, {.text = 1}, {.ids = {sep}}}};
}

PostProcessor::Template template_of(StageFields& f, const char* key,
                                    const std::map<std::string, std::vector<int32_t>>& marks) {
  PostProcessor::Template items;
  for (StageFields& item : f.list(key)) {
    if (item.has("Sequence")) {
      StageFields text = item.part("Sequence");
      const std::string id = text.text("id");
      if (id != "A" && id != "B") text.unsupported("id", id);
      text.ignore("type_id");
      text.done();
      items.push_back({.text = id == "A" ? 0 : 1});
    } else {
      StageFields mark = item.part("SpecialToken");
      const std::string id = mark.text("id");
      const auto found = marks.find(id);
      if (found == marks.end())
        throw Error(Code::parse, "tokenizer", f.part() + ": no special token \"" + id + "\"");
      mark.ignore("type_id");
      mark.done();
      items.push_back({.ids = found->second});
    }
    item.done();
  }
  return items;
}

PostProcessor read_template_post(StageFields& f) {
  std::map<std::string, std::vector<int32_t>> marks;
  const std::string part = f.part() + ".special_tokens";
  for (const auto& [name, value] : f.at("special_tokens").as_object(part)) {
    StageFields mark(value, part + "." + name);
    std::vector<int32_t>& ids = marks[name];
    for (const Json& id : mark.at("ids").as_array(mark.part()))
      ids.push_back(static_cast<int32_t>(id.as_integer(mark.part())));
    mark.ignore("id");
    mark.ignore("tokens");
    mark.done();
  }
  return {template_of(f, "single", marks), template_of(f, "pair", marks)};
}

PostProcessor read_sequence_post(StageFields& f) {
  PostProcessor adding;
  for (StageFields& one : f.list("processors")) {
    PostProcessor read = read_post_processor(one);
    if (read.adds_nothing()) continue;
    if (!adding.adds_nothing()) f.unsupported("processors", "a second one that adds tokens");
    adding = std::move(read);
  }
  return adding;
}

constexpr StageType<PostProcessor> kPostProcessors[] = {
    {"ByteLevel", read_offsets_only_post},
    {"BertProcessing", read_marks_post<false>},
    {"RobertaProcessing", read_marks_post<true>},
    {"TemplateProcessing", read_template_post},
    {"Sequence", read_sequence_post},
};

}  // namespace

std::vector<int32_t> PostProcessor::fill(const Template& form, std::span<const int32_t> text,
                                         std::span<const int32_t> second) {
  std::vector<int32_t> all;
  for (const Item& item : form) {
    const std::span<const int32_t> ids = item.text < 0    ? std::span<const int32_t>(item.ids)
                                         : item.text == 0 ? text
                                                          : second;
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return all;
}

std::vector<int32_t> PostProcessor::apply(std::vector<int32_t> text) const {
  return single_.empty() ? text : fill(single_, text, {});
}

std::vector<int32_t> PostProcessor::apply(const std::vector<int32_t>& text,
                                          const std::vector<int32_t>& second) const {
  static const Template plain = {{.text = 0}, {.text = 1}};
  return fill(pair_.empty() ? plain : pair_, text, second);
}

PostProcessor read_post_processor(StageFields& fields) {
  return read_stage(kPostProcessors, fields);
}

}  // namespace gyre
