#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mega/fit_memo.hpp"

namespace megadapt {

/// A cache of source models' weights. It serves fits on the same source rows: the folds of
/// the target's rows, and all systems that start from a source model. Concurrent fits may
/// share one cache only if each fit runs on one thread: a waiting task must not run on a
/// thread that holds the lock it waits for.
class SourceFits {
 public:
  using Weights = std::shared_ptr<const std::vector<double>>;  // [F][Y]

  /// Returns the weights cached under `key`; if there are none, caches what `make` returns.
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

/// The weights of a combination's members, by the combination's name, as the first of
/// several fits found them. Later fits must reuse them instead of finding their own: their
/// rows may have labels from the first fit, and predictions for such rows say nothing about
/// the members.
class MixingWeights {
 public:
  /// Returns the weights of `system`; if there are none, stores what `find` returns.
  template <class Find>
  static std::vector<double> get(const std::shared_ptr<MixingWeights>& memory,
                                 const std::string& system, Find&& find) {
    if (!memory) return find();
    auto& known = memory->weights_[system];
    if (known.empty()) known = find();
    return known;
  }

 private:
  std::map<std::string, std::vector<double>> weights_;
};

/// The weights at which a system's last fit on some rows ended. The next fit on these rows,
/// with another variance, starts there. Must not be used by concurrent fits.
class WarmStarts {
 public:
  std::vector<double> weights;
  FitMemo first_rounds;  // of megam
};

}  // namespace megadapt
