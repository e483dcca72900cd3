#include "gyre/text/stages/decoders.h"

#include <cctype>
#include <utility>

#include "gyre/text/bpe/byte_letters.h"
#include "gyre/text/space_mark.h"
#include "gyre/text/splitters/splitter.h"
#include "gyre/text/stages/characters.h"

namespace gyre {
namespace {

using Parts = std::vector<std::string>;

template <class Decode>
TokenDecoderPtr decoder_by(Decode decode) {
  struct By final : TokenDecoder {
    explicit By(Decode decode) : decode(std::move(decode)) {}
    [[nodiscard]] Parts apply(Parts tokens) const override { return decode(std::move(tokens)); }
    Decode decode;
  };
  return std::make_unique<By>(std::move(decode));
}

// Changes each token by itself.
template <class Change>
TokenDecoderPtr decoder_of_each(Change change) {
  return decoder_by([change = std::move(change)](Parts tokens) {
    for (size_t i = 0; i < tokens.size(); ++i)
      tokens[i] = change(std::move(tokens[i]), i, tokens.size());
    return tokens;
  });
}

std::string joined(const Parts& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

TokenDecoderPtr read_byte_level_decoder(StageFields& f) {
  for (const char* key : {"add_prefix_space", "trim_offsets", "use_regex"}) f.ignore(key);
  return decoder_by([](const Parts& tokens) {
    std::string bytes;
    for (const std::string& token : tokens) bytes += bytes_of_letters(token);
    return Parts{utf8_lossy(bytes)};
  });
}

// One U+FFFD for each byte of a run that is not UTF-8 as a whole.
TokenDecoderPtr read_byte_fallback(StageFields&) {
  return decoder_by([](const Parts& tokens) {
    Parts out;
    std::string bytes;
    const auto end_run = [&] {
      if (is_utf8(bytes)) {
        if (!bytes.empty()) out.push_back(bytes);
      } else {
        for (size_t i = 0; i < bytes.size(); ++i) append_utf8(out.emplace_back(), kReplacement);
      }
      bytes.clear();
    };
    for (const std::string& token : tokens) {
      if (const int byte = byte_of_token(token); byte >= 0) {
        bytes += static_cast<char>(byte);
      } else {
        end_run();
        out.push_back(token);
      }
    }
    end_run();
    return out;
  });
}

TokenDecoderPtr read_fuse(StageFields&) {
  return decoder_by([](const Parts& tokens) { return Parts{joined(tokens)}; });
}

TokenDecoderPtr read_strip_decoder(StageFields& f) {
  std::string content;
  append_utf8(content, f.character("content"));
  const int64_t start = f.count("start", 0), stop = f.count("stop", 0);
  return decoder_of_each([=](std::string token, size_t, size_t) {
    for (int64_t i = 0; i < start && token.starts_with(content); ++i)
      token.erase(0, content.size());
    for (int64_t i = 0; i < stop && token.ends_with(content); ++i)
      token.resize(token.size() - content.size());
    return token;
  });
}

TokenDecoderPtr read_replace_decoder(StageFields& f) {
  StageFields pattern = f.part("pattern");
  const std::string content = f.text("content");
  if (!pattern.has("Regex")) {
    const std::string from = pattern.text("String");
    pattern.done();
    if (from.empty()) pattern.unsupported("String", "\"\"");
    return decoder_of_each([=](const std::string& token, size_t, size_t) {
      return with_replaced(token, from, content);
    });
  }
  const auto splitter = Splitter::from_pattern(pattern.text("Regex"), pattern.part() + ".Regex");
  pattern.done();
  return decoder_of_each([=](const std::string& token, size_t, size_t) {
    std::string out;
    size_t at = 0;
    splitter.for_each_match(token, [&](size_t begin, size_t end) {
      out.append(token, at, begin - at);
      out += content;
      at = end;
    });
    return out.append(token, at);
  });
}

TokenDecoderPtr read_metaspace_decoder(StageFields& f) {
  std::string mark;
  append_utf8(mark, f.character("replacement", kSpaceMark));
  const bool older = f.flag("add_prefix_space", true);
  const bool strips = f.text("prepend_scheme", older ? "always" : "never") != "never";
  for (const char* key : {"split", "str_rep"}) f.ignore(key);
  return decoder_of_each([=](const std::string& token, size_t at, size_t) {
    return with_replaced(token, mark, at == 0 && strips ? "" : " ");
  });
}

TokenDecoderPtr read_bpe_decoder(StageFields& f) {
  const std::string suffix = f.text("suffix", "</w>");
  return decoder_of_each([=](const std::string& token, size_t at, size_t count) {
    return suffix.empty() ? token : with_replaced(token, suffix, at + 1 == count ? "" : " ");
  });
}

// English as people write it, from separate words.
std::string cleaned_up(std::string text) {
  constexpr std::pair<const char*, const char*> kReplaced[] = {
      {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
      {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
      {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kReplaced) text = with_replaced(text, from, to);
  return text;
}

TokenDecoderPtr read_word_piece_decoder(StageFields& f) {
  const std::string prefix = f.text("prefix", "##");
  const bool cleanup = f.flag("cleanup", true);
  return decoder_of_each([=](std::string token, size_t at, size_t) {
    if (at != 0 && token.starts_with(prefix)) {
      token.erase(0, prefix.size());
    } else if (at != 0) {
      token.insert(0, " ");
    }
    return cleanup ? cleaned_up(std::move(token)) : token;
  });
}

// Graves et al., "Connectionist Temporal Classification", 2006: repeats are one token.
TokenDecoderPtr read_ctc(StageFields& f) {
  const std::string pad = f.text("pad_token", "<pad>");
  const std::string space = f.text("word_delimiter_token", "|");
  const bool cleanup = f.flag("cleanup", true);
  return decoder_by([=](const Parts& tokens) {
    Parts out;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0 && tokens[i] == tokens[i - 1]) continue;
      std::string token = pad.empty() ? tokens[i] : with_replaced(tokens[i], pad, "");
      if (cleanup && !space.empty()) token = with_replaced(cleaned_up(token), space, " ");
      if (!token.empty()) out.push_back(std::move(token));
    }
    return out;
  });
}

TokenDecoderPtr read_decoder_sequence(StageFields& f) {
  const auto all = std::make_shared<std::vector<TokenDecoderPtr>>();
  for (StageFields& one : f.list("decoders")) all->push_back(read_token_decoder(one));
  return decoder_by([all](Parts tokens) {
    for (const TokenDecoderPtr& one : *all) tokens = one->apply(std::move(tokens));
    return tokens;
  });
}

constexpr StageType<TokenDecoderPtr> kDecoders[] = {
    {"ByteLevel", read_byte_level_decoder},
    {"ByteFallback", read_byte_fallback},
    {"Fuse", read_fuse},
    {"Strip", read_strip_decoder},
    {"Replace", read_replace_decoder},
    {"Metaspace", read_metaspace_decoder},
    {"BPEDecoder", read_bpe_decoder},
    {"WordPiece", read_word_piece_decoder},
    {"CTC", read_ctc},
    {"Sequence", read_decoder_sequence},
};

}  // namespace

int byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return -1;
  int byte = 0;
  for (const char c : token.substr(3, 2)) {
    if (!std::isxdigit(static_cast<unsigned char>(c))) return -1;
    byte = byte * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return byte;
}

TokenDecoderPtr read_token_decoder(StageFields& fields) { return read_stage(kDecoders, fields); }

}  // namespace gyre
