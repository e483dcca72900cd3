#include "bench/peers.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/io/json.h"

namespace gyre::bench {
namespace {

// Searches the working directory, then the source tree of this program.
std::string find_script() {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const std::filesystem::path& folder :
       {std::filesystem::path("."), program / "../../../.."}) {
    std::string path = (folder / "bench/peers.py").lexically_normal().string();
    if (file_exists(path)) return path;
  }
  return {};
}

}  // namespace

Peers::Peers(const Settings& settings) {
  const char* python = std::getenv("GYRE_PEER_PYTHON");
  std::string script = find_script();
  if (script.empty()) {
    missing_ = "bench/peers.py not found; run gyre bench in the project's folder";
    return;
  }
  std::vector<std::string> words{
      python && *python ? python : "python3", script,    "--threads",
      std::to_string(num_threads()),          "--steps", std::to_string(settings.steps)};
  try {
    process_ = std::make_unique<ChildProcess>(words);
  } catch (const Error& error) {
    missing_ = error.what();
  }
}

PeerTime Peers::sample(const char* work, const std::string& against) {
  if (!process_) return {.reason = missing_};
  std::string line;
  try {
    process_->write(std::string(work) + " " + against + "\n");
    if (!process_->read_line(line)) throw Error(Code::io, "bench/peers.py", "ended");
    Json answer = Json::parse(line);
    if (const Json* reason = answer.find("reason")) return {.reason = reason->as_string()};
    PeerTime time{answer.at("seconds").as_real(), answer.at("peer").as_string()};
    if (const Json* error = answer.find("error")) time.error = error->as_real();
    return time;
  } catch (const Error& error) {
    process_.reset();
    missing_ = error.what();
    return {.reason = missing_};
  }
}

}  // namespace gyre::bench
