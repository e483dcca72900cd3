#include "gyre/logic/server/language_server.h"

#include "gyre/base/build_info.h"
#include "gyre/base/text/utf8.h"
#include "gyre/logic/server/protocol_json.h"

namespace gyre::logic {
namespace {

constexpr int kLogError = 1;         // MessageType
constexpr int kIncrementalSync = 2;  // TextDocumentSyncKind

// A request with an unknown method.
struct UnknownMethod {};

Json response(const Json& id, Json result) {
  return object_of(Json::Member{"jsonrpc", "2.0"}, Json::Member{"id", id},
                   Json::Member{"result", std::move(result)});
}

// Whether the client can count columns in bytes.
bool offers_utf8(const Json& params) {
  const Json* at = params.find("capabilities");
  for (const char* key : {"general", "positionEncodings"}) at = at ? at->find(key) : nullptr;
  if (!at) return false;
  for (const Json& encoding : at->as_array("positionEncodings")) {
    if (encoding.as_string("positionEncodings") == "utf-8") return true;
  }
  return false;
}

}  // namespace

Json LanguageServer::error(ErrorCode code, std::string_view message, const Json& id) {
  return object_of(Json::Member{"jsonrpc", "2.0"}, Json::Member{"id", id},
                   Json::Member{"error", object_of(Json::Member{"code", static_cast<int>(code)},
                                                   Json::Member{"message", utf8_lossy(message)})});
}

std::vector<Json> LanguageServer::answer_text(std::string_view content) {
  Json message;
  try {
    message = Json::parse(content);
  } catch (const Error& e) {
    return {error(kParseError, e.what())};
  }
  return answer(message);
}

std::vector<Json> LanguageServer::answer(const Json& message) {
  const Json* given_id = message.find("id");
  const bool is_id = !given_id || given_id->is_integer() || given_id->is_string();
  const Json id = given_id && is_id ? *given_id : Json();
  const Json* version = message.find("jsonrpc");
  if (!version || *version != Json("2.0") || !is_id)
    return {error(kInvalidRequest, "expected a message of JSON-RPC 2.0", id)};
  const Json* method = message.find("method");
  const bool responds = message.find("result") || message.find("error");
  if (!method && responds) return {};  // to a request, of which the server sends none
  if (!method || !method->is_string()) return {error(kInvalidRequest, "expected a method", id)};
  const Json* given = message.find("params");
  const Json params = given ? *given : Json();
  sent_.clear();
  if (!given_id) {
    take(method->as_string(), params);
    return std::move(sent_);
  }
  const bool initializes = *method == Json("initialize");
  if (shut_down_) return {error(kInvalidRequest, "the server was shut down", id)};
  if (initialized_ && initializes)
    return {error(kInvalidRequest, "the server is initialized already", id)};
  if (!initialized_ && !initializes)
    return {error(kServerNotInitialized, "expected the request initialize first", id)};
  try {
    return {response(id, result_of(method->as_string(), params))};
  } catch (const UnknownMethod&) {
    return {error(kMethodNotFound, "unknown method '" + method->as_string() + "'", id)};
  } catch (const Error& e) {
    return {error(e.code == Code::parse ? kInvalidParams : kInternalError, e.what(), id)};
  }
}

Json LanguageServer::result_of(const std::string& method, const Json& params) {
  constexpr struct {
    const char* name;
    Json (LanguageServer::*answer)(const Json& params);
  } kRequests[] = {{"initialize", &LanguageServer::initialize},
                   {"shutdown", &LanguageServer::shutdown},
                   {"textDocument/hover", &LanguageServer::hover},
                   {"textDocument/completion", &LanguageServer::completion},
                   {"textDocument/definition", &LanguageServer::definition},
                   {"textDocument/documentSymbol", &LanguageServer::outline},
                   {"textDocument/formatting", &LanguageServer::formatting}};
  for (const auto& request : kRequests) {
    if (method == request.name) return (this->*request.answer)(params);
  }
  throw UnknownMethod();
}

// Notifications before initialize and unknown ones are ignored, as the protocol requires.
void LanguageServer::take(const std::string& method, const Json& params) {
  constexpr struct {
    const char* name;
    void (LanguageServer::*take)(const Json& params);
  } kNotifications[] = {{"textDocument/didOpen", &LanguageServer::open},
                        {"textDocument/didChange", &LanguageServer::change},
                        {"textDocument/didClose", &LanguageServer::close}};
  if (method == "exit") ended_ = true;
  if (!initialized_ || shut_down_) return;
  for (const auto& notification : kNotifications) {
    if (method != notification.name) continue;
    try {
      (this->*notification.take)(params);
    } catch (const Error& e) {
      send("window/logMessage",
           object_of(Json::Member{"type", kLogError},
                     Json::Member{"message", utf8_lossy(method + ": " + e.what())}));
    }
  }
}

void LanguageServer::send(const char* method, Json params) {
  sent_.push_back(object_of(Json::Member{"jsonrpc", "2.0"}, Json::Member{"method", method},
                            Json::Member{"params", std::move(params)}));
}

Json LanguageServer::initialize(const Json& params) {
  (void)params.as_object("params");
  const bool counts_bytes = offers_utf8(params);
  encoding_ = counts_bytes ? PositionEncoding::utf8 : PositionEncoding::utf16;
  initialized_ = true;
  Json can = Json::object();
  can["positionEncoding"] = counts_bytes ? "utf-8" : "utf-16";
  can["textDocumentSync"] =
      object_of(Json::Member{"openClose", true}, Json::Member{"change", kIncrementalSync});
  can["hoverProvider"] = true;
  can["completionProvider"] = Json::object();
  can["definitionProvider"] = true;
  can["documentSymbolProvider"] = true;
  can["documentFormattingProvider"] = true;
  return object_of(
      Json::Member{"capabilities", std::move(can)},
      Json::Member{"serverInfo", object_of(Json::Member{"name", "gyre"},
                                           Json::Member{"version", build_info().version})});
}

Json LanguageServer::shutdown(const Json&) {
  shut_down_ = true;
  return {};
}

const LanguageServer::Document& LanguageServer::document_of(const Json& params) const {
  const std::string& uri = params.at("textDocument").at("uri").as_string("uri");
  const auto it = documents_.find(uri);
  if (it == documents_.end())
    throw Error(Code::parse, "uri", {"expected an open document, found '", uri, "'"});
  return it->second;
}

void LanguageServer::open(const Json& params) {
  const Json& given = params.at("textDocument");
  Document document{given.at("uri").as_string("uri"), given.at("text").as_string("text")};
  if (const Json* version = given.find("version")) document.version = *version;
  update(std::move(document));
}

void LanguageServer::change(const Json& params) {
  const Document& before = document_of(params);
  Document document{before.uri, before.text};
  const Json& changes = params.at("contentChanges");
  for (const Json& change : changes.as_array("contentChanges")) edit(document.text, change);
  if (const Json* version = params.at("textDocument").find("version")) document.version = *version;
  update(std::move(document));
}

// Replaces a range, or the whole text.
void LanguageServer::edit(std::string& text, const Json& change) const {
  const std::string& inserted = change.at("text").as_string("text");
  const Json* range = change.find("range");
  if (!range) {
    text = inserted;
    return;
  }
  const auto at = [&](const char* side) {
    return position_in(object_of(Json::Member{"position", range->at(side)}));
  };
  const TextPositions positions = positions_in(text);
  const size_t begin = positions.offset(at("start")), end = positions.offset(at("end"));
  if (begin > end) throw Error(Code::parse, "range", "expected start before end");
  text.replace(begin, end - begin, inserted);
}

void LanguageServer::close(const Json& params) {
  Document closed{document_of(params).uri, ""};
  documents_.erase(closed.uri);
  closed.found.sources.add({});
  publish(closed);
}

void LanguageServer::update(Document document) {
  document.found = symbols_of(document.text, path_of_uri(document.uri), ops_, optimizers_);
  publish(documents_[document.uri] = std::move(document));
}

void LanguageServer::publish(const Document& document) {
  Json params = Json::object();
  params["uri"] = document.uri;
  if (document.version.is_integer()) params["version"] = document.version;
  params["diagnostics"] = diagnostics_of(document.found, positions_in(document.text));
  send("textDocument/publishDiagnostics", std::move(params));
}

}  // namespace gyre::logic
