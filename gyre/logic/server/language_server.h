#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/logic/server/text_positions.h"
#include "gyre/logic/symbols.h"

namespace gyre::logic {

/// A language server for programs: the Language Server Protocol 3.17 without its streams.
/// Diagnostics, hover, completion, definitions, outline and formatting of the open documents, which
/// it compiles and does not run.
class LanguageServer {
 public:
  /// Error codes of JSON-RPC and of the protocol.
  enum ErrorCode : int {
    kParseError = -32700,
    kInvalidRequest = -32600,
    kMethodNotFound = -32601,
    kInvalidParams = -32602,
    kInternalError = -32603,
    kServerNotInitialized = -32002
  };

  LanguageServer(const OpTable& ops, const OptimizerTable& optimizers)
      : ops_(ops), optimizers_(optimizers) {}

  /// Takes a message of the client and returns those to send, in order. Never throws for what the
  /// message holds: a request gets an error response, a wrong notification a window/logMessage.
  [[nodiscard]] std::vector<Json> answer(const Json& message);
  /// The same of a message as text; kParseError where it is not JSON.
  [[nodiscard]] std::vector<Json> answer_text(std::string_view content);
  /// The response to a message that is refused; `id` is null where it has none.
  [[nodiscard]] static Json error(ErrorCode code, std::string_view message, const Json& id = {});

  /// Whether `exit` was received.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Whether `shutdown` was received, so that an end is no failure.
  [[nodiscard]] bool shut_down() const { return shut_down_; }

 private:
  struct Document {
    std::string uri, text;
    Json version{};
    ProgramSymbols found{};
  };

  // Throw Error{parse} for wrong parameters.
  Json initialize(const Json& params);
  Json shutdown(const Json& params);
  Json hover(const Json& params);
  Json completion(const Json& params);
  Json definition(const Json& params);
  Json outline(const Json& params);
  Json formatting(const Json& params);
  void open(const Json& params);
  void change(const Json& params);
  void close(const Json& params);

  Json result_of(const std::string& method, const Json& params);
  void take(const std::string& method, const Json& params);
  void edit(std::string& text, const Json& change) const;
  void update(Document document);
  void publish(const Document& document);
  void send(const char* method, Json params);
  [[nodiscard]] const Document& document_of(const Json& params) const;
  [[nodiscard]] std::string hover_text(const std::string& name, const ProgramSymbols& found) const;
  [[nodiscard]] TextPositions positions_in(std::string_view text) const {
    return {text, encoding_};
  }

  const OpTable& ops_;
  const OptimizerTable& optimizers_;
  bool initialized_ = false, shut_down_ = false, ended_ = false;
  PositionEncoding encoding_ = PositionEncoding::utf16;
  std::map<std::string, Document> documents_{};  // by URI
  std::vector<Json> sent_{};
};

}  // namespace gyre::logic
