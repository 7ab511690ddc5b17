// megadapt serve: serves a model over HTTP.

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/messages.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/text/reports.hpp"
#include "serve/server.hpp"
#include "web/assets.hpp"

namespace megadapt::cli {
namespace {

// Returns the page at "/" and the files it loads.
std::vector<serve::StaticFile> explorer_files() {
  std::vector<serve::StaticFile> files;
  for (const Asset& asset : assets()) {
    if (asset.path.starts_with('/')) {
      files.push_back({asset.path, asset.content_type, asset.bytes});
    }
  }
  return files;
}

struct ServeCommand {
  std::string model;
  bool no_verify = false;
  serve::Address address;
  std::vector<std::string> allowed_hosts;
  serve::Limits limits;
  double request_seconds = 10;
  double idle_seconds = 60;
  double grace_seconds = 10;
};

std::chrono::milliseconds milliseconds_of(double seconds) {
  constexpr double kYear = 365.0 * 24 * 3600;
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(1000 * std::min(seconds, kYear)));
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

// Returns the accepted host names. A server on the loopback address is called by the usual
// names of this machine; on other addresses the user decides.
std::vector<std::string> names_of(const ServeCommand& options) {
  std::vector<std::string> names = options.allowed_hosts;
  if (!is_loopback(options.address.host) && names.empty()) return {};
  for (const char* name : {"localhost", "127.0.0.1", "::1"}) names.emplace_back(name);
  names.push_back(options.address.host);
  return names;
}

void announce(const std::string& url, std::uint16_t port, const CommonOptions& common) {
  common.note("listening on {}", url);
  if (common.json)
    print(nlohmann::ordered_json{{"url", url}, {"port", port}}.dump() + "\n");
}

int run_serve(ServeCommand& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  options.limits.request = milliseconds_of(options.request_seconds);
  options.limits.work = options.limits.request;
  options.limits.idle = milliseconds_of(options.idle_seconds);
  options.limits.grace = milliseconds_of(options.grace_seconds);
  const serve::Service service(model, {.limits = options.limits,
                                       .model_json = model_info_json(model).dump(2) + "\n",
                                       .hosts = names_of(options),
                                       .files = explorer_files()});

  serve::ServerOptions server_options{.address = options.address,
                                      .threads = common.threads};
  if (common.threads == 0) {
    server_options.threads =
        static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  if (common.verbose) {
    server_options.log = [](std::string_view method, std::string_view path, int status) {
      fmt::print(stderr, "{} {} {}\n", excerpt(method), excerpt(path), status);
    };
  }
  const GracefulStop graceful;
  serve::Server server(service, server_options);
  const std::string& host = options.address.host;
  const std::string shown = host.find(':') == host.npos ? host : '[' + host + ']';
  announce(fmt::format("http://{}:{}/", shown, server.port()), server.port(), common);
  if (!server.run(*stop_flag())) {
    common.note("stopped; some requests took longer than --grace and were cut off");
  }
  return kSuccess;
}

void add_serve_limits(CLI::App& command, ServeCommand& options) {
  Section section(command, "Limits");
  serve::Limits& limits = options.limits;
  section.value("--max-body", limits.body_bytes, "Bytes a request may have", "N",
                number_from(1));
  section.value("--max-rows", limits.rows, "Rows a request may have", "N", number_from(1));
  section.value("--max-connections", limits.connections,
                "Connections at a time; more are answered with 503", "N", number_from(1));
  section.value("--timeout", options.request_seconds,
                "For a request to arrive, to be worked on and the answer to be taken, each",
                "SECONDS", number_from(0, true));
  section.value("--idle-timeout", options.idle_seconds,
                "How long a connection may stay open without a request", "SECONDS",
                number_from(0, true));
  section.value("--grace", options.grace_seconds,
                "For requests under way when the server is told to stop", "SECONDS",
                number_from(0));
}

}  // namespace

void add_serve(CLI::App& app, Context& context) {
  auto options = std::make_shared<ServeCommand>();
  CLI::App* command =
      new_command(app, "serve", "Answer predictions and explanations over HTTP",
                  "megadapt serve m.mega --port 8080", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  Section address(*command, "Address");
  address.value("--port", options->address.port, "Where to listen; 0: any free port", "N");
  address.value("--host", options->address.host,
                "The address to listen on; 0.0.0.0 lets other machines in", "ADDRESS");
  address.value("--allow-host", options->allowed_hosts,
                "A name that requests may call the server by, besides its address", "NAME");
  add_serve_limits(*command, *options);
  set_action(*command, context, options, run_serve);
}

}  // namespace megadapt::cli
