#include "serve/service.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/json.hpp"
#include "base/messages.hpp"
#include "megadapt/warnings.hpp"
#include "serve/authority.hpp"
#include "serve/responses.hpp"
#include "serve/sentence_worker.hpp"

namespace megadapt::serve {
namespace {

// Calls `answer` for a row of a request; an error says which of several rows it is about.
template <class Answer>
void name_row(const RowsRequest& request, std::size_t row, Answer answer) {
  const auto place = request.single ? std::nullopt : std::optional(row);
  try {
    answer();
  } catch (Refusal& refusal) {
    if (refusal.status == 400) refusal.row = place;
    throw;
  } catch (const Error& error) {
    throw Refusal{400, error.headline(), error.remedy(), place};
  }
}

// {...} -> {...,"warnings":[{"kind","problem","remedy"}]}
void add_warning(const std::optional<Warning>& warning, std::string& object) {
  if (!warning) return;
  const nlohmann::ordered_json list{{{"kind", warning->kind},
                                     {"problem", warning->problem},
                                     {"remedy", warning->remedy}}};
  object.pop_back();
  object += ",\"warnings\":" + json_text(list) + "}";
}

bool contains_name(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return same_name(name, known); });
}

}  // namespace

/// The working memory of a request, reused by later requests.
struct Service::Worker {
  Worker(const Classifier& classifier, const std::optional<Tagger>& tagger)
      : rows(classifier.worker()) {
    if (tagger) sentences.emplace(*tagger);
  }

  Classifier::Worker rows;
  std::optional<SentenceWorker> sentences;  // for task models
};

/// Borrows a worker for the duration of a request.
class Service::Lease {
 public:
  explicit Lease(const Service& service) : service_(service) {
    const std::lock_guard lock(service.mutex_);
    if (service.idle_.empty()) return;
    worker_ = std::move(service.idle_.back());
    service.idle_.pop_back();
  }
  ~Lease() {
    if (!worker_) return;
    const std::lock_guard lock(service_.mutex_);
    service_.idle_.push_back(std::move(worker_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Worker& worker() {
    if (!worker_) {
      worker_ = std::make_unique<Worker>(service_.classifier_, service_.tagger_);
    }
    return *worker_;
  }

 private:
  const Service& service_;
  std::unique_ptr<Worker> worker_;
};

struct Service::Route {
  std::string_view path;
  std::string_view method;
  Response (*answer)(const Service&, const Request&);
};

std::span<const Service::Route> Service::routes() {
  static constexpr std::array<Route, 7> kRoutes = {{
      {"/", "GET", [](const Service& s, const Request&) { return s.start_page(); }},
      {"/healthz", "GET",
       [](const Service&, const Request&) {
         return Response{.body = "{\"status\":\"ok\"}\n"};
       }},
      {"/metrics", "GET",
       [](const Service& s, const Request&) {
         return Response{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                         .body = s.metrics().text()};
       }},
      {"/openapi.json", "GET",
       [](const Service& s, const Request&) { return Response{.body = s.openapi_}; }},
      {"/v1/model", "GET",
       [](const Service& s, const Request&) {
         return Response{.body = s.options_.model_json};
       }},
      {"/v1/predict", "POST",
       [](const Service& s, const Request& request) { return s.predict(request); }},
      {"/v1/explain", "POST",
       [](const Service& s, const Request& request) { return s.explain_rows(request); }},
  }};
  return kRoutes;
}

Service::Service(const Model& model, ServiceOptions options)
    : classifier_(Classifier::over(model)),
      options_(std::move(options)),
      prediction_(model.labels),
      openapi_(openapi_json(options_.limits)),
      has_gate_(classifier_.has_gate()) {
  if (!options_.metrics) options_.metrics = std::make_shared<Metrics>();
  if (!classifier_.has_task()) {
    extra_.columns = classifier_.input_columns();
    return;
  }
  tagger_ = Tagger::over(model);
  extra_ = {.sentences = true, .columns = sentence_columns(tagger_->task())};
}

Service::~Service() = default;

Response Service::answer(const Request& request) const {
  const Time start = std::chrono::steady_clock::now();
  Response response = unmetered_answer(request);
  metrics().add_request(route_name(request.path), response.status,
                        std::chrono::steady_clock::now() - start);
  return response;
}

// Returns what requests for `path` are counted under. Paths that do not exist share one
// name, so that clients cannot fill the memory with new ones.
std::string_view Service::route_name(std::string_view path) const {
  const auto known = routes();
  const bool exists = std::ranges::find(known, path, &Route::path) != known.end();
  return exists || find_file(path) != nullptr ? path : "other";
}

Response Service::unmetered_answer(const Request& request) const {
  try {
    check_host(request.host);
    check_origin(request);
    return route(request);
  } catch (const Refusal& refusal) {
    return refused(refusal);
  } catch (const Error& error) {
    return refused({400, error.headline(), error.remedy()});
  } catch (const std::bad_alloc&) {
    return refused({503, "out of memory", "send fewer rows at a time"});
  } catch (const std::exception& error) {
    return refused({500, fmt::format("unexpected: {}", error.what()),
                    "this is a bug in megadapt; please report it"});
  }
}

Response Service::route(const Request& request) const {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (const StaticFile* file = reads ? find_file(request.path) : nullptr) {
    return {.content_type = std::string(file->content_type),
            .body = std::string(file->bytes)};
  }
  for (const Route& route : routes()) {
    if (route.path != request.path) continue;
    const bool head = request.method == "HEAD" && route.method == "GET";
    if (head || request.method == route.method) return route.answer(*this, request);
    Response response = refused({405,
                                 fmt::format("{} takes {}, not {}", route.path,
                                             route.method, excerpt(request.method)),
                                 "GET /openapi.json describes the routes"});
    response.fields.emplace_back("Allow", route.method == "GET" ? "GET, HEAD" : "POST");
    return response;
  }
  throw Refusal{404, fmt::format("there is nothing at {}", excerpt(request.path)),
                "GET /openapi.json describes the routes"};
}

// With a task, every row is a sentence unless it gives features.
bool Service::is_sentence(const RequestRow& row) const {
  return tagger_ && (row.text || !row.tokens.empty() || row.features.empty());
}

void Service::read_sentence(const RequestRow& row, Worker& worker,
                            std::size_t& read) const {
  read += worker.sentences->read(row);
  if (read <= options_.limits.rows) return;
  throw Refusal{413, fmt::format("more than {} tokens", options_.limits.rows),
                "send fewer at a time, or start the server with a larger --max-rows"};
}

// Answers with one object or a list of them. `sentence` answers a row that was read as a
// sentence, `single` any other row; both append to the body.
template <class Sentence, class Single>
Response Service::answer_rows(const RowsRequest& rows, Time start, Sentence sentence,
                              Single single) const {
  Lease lease(*this);
  Worker& worker = lease.worker();
  Response response;
  std::size_t tokens = 0;
  if (!rows.single) response.body = "{\"rows\":[";
  UnknownDomains unknown;
  for (std::size_t n = 0; n < rows.rows.size(); ++n) {
    const RequestRow& row = rows.rows[n];
    check_time(start);
    if (n > 0) response.body += ',';
    if (!row.domain.empty() && !classifier_.knows_domain(row.domain)) {
      unknown.add(row.domain);
    }
    name_row(rows, n, [&] {
      if (is_sentence(row)) {
        read_sentence(row, worker, tokens);
        sentence(*worker.sentences, response.body);
      } else {
        single(worker.rows.read(row), worker.rows, response.body);
      }
    });
  }
  if (!rows.single) response.body += "]}";
  add_warning(unknown_domains_warning(unknown, classifier_), response.body);
  response.body += '\n';
  metrics().add_rows(rows.rows.size());
  return response;
}

Response Service::predict(const Request& request) const {
  const Time start = std::chrono::steady_clock::now();
  const RowsRequest rows = parse_rows_request(request.body, options_.limits, false, extra_);
  return answer_rows(
      rows, start,
      [&](SentenceWorker& sentences, std::string& body) {
        sentences.predict(prediction_, body);
      },
      [&](const Row& row, Classifier::Worker& worker, std::string& body) {
        const auto p = worker.predict(row);
        prediction_.append(most_probable(p), p,
                           has_gate_ ? worker.general() : std::optional<double>(), row.id,
                           body);
      });
}

Response Service::explain_rows(const Request& request) const {
  const Time start = std::chrono::steady_clock::now();
  const RowsRequest rows = parse_rows_request(request.body, options_.limits, true, extra_);
  const ExplainOptions pair{.label = label_id(rows.label),
                            .against = label_id(rows.against)};
  return answer_rows(
      rows, start,
      [&](SentenceWorker& sentences, std::string& body) {
        sentences.explain(pair, rows.top, body);
      },
      [&](const Row& row, Classifier::Worker& worker, std::string& body) {
        Explanation shown = worker.explain(row, pair);
        if (rows.top > 0) keep_strongest(shown, rows.top);
        body += with_field("id", row.id, to_json(shown));
      });
}

const StaticFile* Service::find_file(std::string_view path) const {
  const auto found = std::ranges::find(options_.files, path, &StaticFile::path);
  return found == options_.files.end() ? nullptr : &*found;
}

Response Service::start_page() const {
  return {.content_type = "text/plain; charset=utf-8",
          .body = fmt::format("megadapt serves a '{}' model here.\n\n"
                              "POST /v1/predict   {{\"features\": [\"a\", \"b\"]}} or "
                              "{{\"text\": \"...\"}}\n"
                              "POST /v1/explain   the same\n"
                              "GET  /v1/model     what the model is\n"
                              "GET  /healthz      whether the server is up\n"
                              "GET  /metrics      counts and times, for Prometheus\n"
                              "GET  /openapi.json the description of all these\n",
                              classifier_.info().system)};
}

void Service::check_host(std::string_view host) const {
  if (options_.hosts.empty()) return;
  const auto name = name_in_authority(host);
  if (name && contains_name(options_.hosts, *name)) return;
  throw Refusal{421, fmt::format("this server is not called '{}'", excerpt(host)),
                "use its address, or start it with --allow-host NAME"};
}

// Browsers send an Origin with every request that a page makes, except when the user follows
// a link. Only this server's own pages and those of --allow-host names may use it.
void Service::check_origin(const Request& request) const {
  if (request.origin.empty()) return;
  if (const auto authority = authority_of_origin(request.origin)) {
    if (same_name(*authority, request.host)) return;
    const auto name = name_in_authority(*authority);
    if (name && contains_name(options_.page_hosts, *name)) return;
  }
  throw Refusal{
      403, fmt::format("pages of '{}' may not use this server", excerpt(request.origin)),
      "open the page that this server serves, or start it with --allow-host NAME"};
}

void Service::check_time(Time start) const {
  if (std::chrono::steady_clock::now() - start <= options_.limits.work) return;
  throw Refusal{503, "the answer takes longer than the server allows",
                "send fewer rows at a time"};
}

std::optional<std::uint32_t> Service::label_id(
    const std::optional<std::string>& name) const {
  if (!name) return std::nullopt;
  const std::vector<std::string>& labels = classifier_.labels();
  const auto found = std::ranges::find(labels, *name);
  if (found != labels.end()) return static_cast<std::uint32_t>(found - labels.begin());
  throw Refusal{400, fmt::format("the model has no label '{}'", excerpt(*name)),
                fmt::format("the labels are {}", fmt::join(labels, ", "))};
}

}  // namespace megadapt::serve
