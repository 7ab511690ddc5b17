#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "serve/service.hpp"

namespace megadapt::serve {

/// Holds the service that answers new requests. A request keeps the service that it began
/// with, so no request is lost when the model changes.
class CurrentService {
 public:
  explicit CurrentService(std::shared_ptr<const Service> service)
      : service_(std::move(service)) {}

  std::shared_ptr<const Service> get() const {
    const std::lock_guard lock(mutex_);
    return service_;
  }
  /// The old service is destroyed after the last request that uses it.
  void set(std::shared_ptr<const Service> service) {
    const std::lock_guard lock(mutex_);
    service_.swap(service);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Service> service_;
};

}  // namespace megadapt::serve
