#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inference/prediction_lines.hpp"
#include "megadapt/classifier.hpp"
#include "serve/http.hpp"
#include "serve/json_request.hpp"
#include "serve/limits.hpp"
#include "serve/metrics.hpp"

namespace megadapt::serve {

/// A file of the front end. The views must outlive the service.
struct StaticFile {
  std::string_view path;  ///< "/app.js"
  std::string_view content_type;
  std::string_view bytes;
};

struct ServiceOptions {
  Limits limits = {};
  std::string model_json = "{}\n";  ///< the answer of /v1/model
  /// Host names that requests may use, without the port; empty: any. Guards against web
  /// pages that point a name of their own at this machine (DNS rebinding).
  std::vector<std::string> hosts = {};
  /// Host names whose pages may use the server, besides the server's own pages.
  std::vector<std::string> page_hosts = {};
  std::shared_ptr<Metrics> metrics = {};  ///< where to count; null: new ones
  std::vector<StaticFile> files = {};     ///< a file "/" replaces the plain start page
};

/// Computes the server's answers, without sockets. Safe to call from many threads.
class Service {
 public:
  /// `model` must outlive the service.
  Service(const Model& model, ServiceOptions options);
  ~Service();

  /// Never throws: errors become answers.
  Response answer(const Request& request) const;
  const Limits& limits() const { return options_.limits; }
  Metrics& metrics() const { return *options_.metrics; }

 private:
  struct Worker;
  class Lease;
  struct Route;
  using Time = std::chrono::steady_clock::time_point;

  Response unmetered_answer(const Request& request) const;
  Response route(const Request& request) const;
  std::string_view route_name(std::string_view path) const;
  template <class Sentence, class Single>
  Response answer_rows(const RowsRequest& rows, Time start, Sentence sentence,
                       Single single) const;
  Response predict(const Request& request) const;
  Response explain_rows(const Request& request) const;
  const StaticFile* find_file(std::string_view path) const;
  Response start_page() const;
  void check_host(std::string_view host) const;
  void check_origin(const Request& request) const;
  void check_time(Time start) const;
  bool is_sentence(const RequestRow& row) const;
  void read_sentence(const RequestRow& row, Worker& worker, std::size_t& read) const;
  std::optional<std::uint32_t> label_id(const std::optional<std::string>& name) const;
  static std::span<const Route> routes();

  Classifier classifier_;
  ServiceOptions options_;
  std::optional<Tagger> tagger_;  // for task models
  ExtraFields extra_;
  PredictionJson prediction_;
  std::string openapi_;
  bool has_gate_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_;  // guarded by mutex_
};

}  // namespace megadapt::serve
