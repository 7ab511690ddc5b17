#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace megadapt {

/// Weights of source models, for fits whose source rows are the same: the folds of the
/// target's rows, and systems that begin with a source model. Several fits may share one
/// if each runs on one thread: a fit that waits for another must not be what the other's
/// threads have taken up meanwhile.
class SourceFits {
 public:
  using Weights = std::shared_ptr<const std::vector<double>>;  // [F][Y]

  /// The weights known under `key`, else what `make` returns.
  template <class Make>
  Weights get(const std::string& key, Make&& make) {
    Entry* entry = nullptr;
    {
      const std::lock_guard lock(mutex_);
      entry = &entries_[key];
    }
    const std::lock_guard lock(entry->mutex);
    if (!entry->weights) entry->weights = std::make_shared<std::vector<double>>(make());
    return entry->weights;
  }

 private:
  struct Entry {
    std::mutex mutex;
    Weights weights;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// Where the last fit of a system on certain rows ended: the next, with another variance,
/// starts there. For one sequence of fits at a time.
class WarmStarts {
 public:
  std::vector<double> weights;
};

}  // namespace megadapt
