// megadapt serve: serves a model over HTTP.

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <thread>

#include "base/json.hpp"
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
    print(json_text(nlohmann::ordered_json{{"url", url}, {"port", port}}) + "\n");
}

/// A model with the service that answers from it.
struct ServedModel {
  ServedModel(const ServeCommand& options, std::shared_ptr<serve::Metrics> metrics)
      : model(load_model(options.model, !options.no_verify)),
        service(model, {.limits = options.limits,
                        .model_json = json_text(model_info_json(model), 2) + "\n",
                        .hosts = names_of(options),
                        .page_hosts = options.allowed_hosts,
                        .metrics = std::move(metrics),
                        .files = explorer_files()}) {}
  Model model;
  serve::Service service;
};

std::shared_ptr<const serve::Service> load_service(
    const ServeCommand& options, std::shared_ptr<serve::Metrics> metrics) {
  const auto served = std::make_shared<const ServedModel>(options, std::move(metrics));
  return {served, &served->service};
}

// A model that cannot be loaded leaves the old one in place.
void reload(const ServeCommand& options, const CommonOptions& common,
            serve::CurrentService& current,
            const std::shared_ptr<serve::Metrics>& metrics) {
  try {
    current.set(load_service(options, metrics));
    metrics->add_model_load(true);
    common.note("loaded {} again", options.model);
  } catch (const std::exception& error) {
    metrics->add_model_load(false);
    tell(printable(fmt::format("warning: the old model stays: {}\n", error.what())));
  }
}

// Other commands keep freed memory for their next step (main.cpp). A server gives back what
// a large request took; the values are glibc's defaults.
void give_back_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 128 << 10);
#endif
}

serve::ServerOptions server_options(const ServeCommand& options,
                                    const CommonOptions& common) {
  serve::ServerOptions server{.address = options.address, .threads = common.threads};
  if (common.threads == 0) {
    server.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  if (common.verbose) {
    server.log = [](std::string_view method, std::string_view path, int status) {
      tell(printable(fmt::format("{} {} {}\n", excerpt(method), excerpt(path), status)));
    };
  }
  return server;
}

int run_serve(ServeCommand& options, const CommonOptions& common) {
  give_back_freed_memory();
  options.limits.request = milliseconds_of(options.request_seconds);
  options.limits.work = options.limits.request;
  options.limits.idle = milliseconds_of(options.idle_seconds);
  options.limits.grace = milliseconds_of(options.grace_seconds);
  const auto metrics = std::make_shared<serve::Metrics>();
  serve::CurrentService current(load_service(options, metrics));
  const GracefulStop graceful;
  serve::Server server(current, server_options(options, common));
  handle_hangups();
  const std::string& host = options.address.host;
  const std::string shown = host.find(':') == host.npos ? host : '[' + host + ']';
  announce(fmt::format("http://{}:{}/", shown, server.port()), server.port(), common);
  const bool all_answered = server.run(*stop_flag(), [&] {
    if (take_hangup()) reload(options, common, current, metrics);
  });
  if (!all_answered) {
    common.note("stopped; some requests took longer than --grace and were cut off");
  }
  return kSuccess;
}

void add_serve_limits(CLI::App& command, ServeCommand& options) {
  Section section(command, "Limits");
  serve::Limits& limits = options.limits;
  section.value("--max-body", limits.body_bytes, "Largest request, in bytes", "N",
                number_from(1));
  section.value("--max-rows", limits.rows, "Most rows of a request", "N", number_from(1));
  section.value("--max-connections", limits.connections,
                "Most connections at a time; others get status 503", "N", number_from(1));
  section.value(
      "--timeout", options.request_seconds,
      "Time limit for reading a request, for answering it, and for sending the answer",
      "SECONDS", number_from(0, true));
  section.value("--idle-timeout", options.idle_seconds,
                "Close a connection that sends no request for this long", "SECONDS",
                number_from(0, true));
  section.value("--grace", options.grace_seconds,
                "Time that running requests get when the server is stopped", "SECONDS",
                number_from(0));
}

}  // namespace

void add_serve(CLI::App& app, Context& context) {
  auto options = std::make_shared<ServeCommand>();
  CLI::App* command =
      new_command(app, "serve", "Serve predictions and explanations over HTTP",
                  "megadapt serve m.mega --port 8080", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  Section address(*command, "Address");
  address.value("--port", options->address.port, "Port to listen on; 0 means any free port",
                "N");
  address.value("--host", options->address.host,
                "Address to listen on; 0.0.0.0 accepts other machines", "ADDRESS");
  address.value("--allow-host", options->allowed_hosts,
                "Another host name that requests may use for this server", "NAME");
  add_serve_limits(*command, *options);
  set_action(*command, context, options, run_serve);
}

}  // namespace megadapt::cli
