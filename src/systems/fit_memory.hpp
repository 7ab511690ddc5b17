#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mega/fit_memo.hpp"
#include "megadapt/training.hpp"

namespace megadapt {

/// A cache of source models' fits. It serves fits on the same source rows: the folds of
/// the target's rows, and all systems that start from a source model. Concurrent fits may
/// share one cache only if each fit runs on one thread: a waiting task must not run on a
/// thread that holds the lock it waits for.
class SourceFits {
 public:
  using Fit = std::shared_ptr<const MaxentFit>;

  SourceFits() = default;
  /// A cache of one search, on top of the cache of all searches.
  explicit SourceFits(std::shared_ptr<SourceFits> of_all) : of_all_(std::move(of_all)) {}

  /// Returns the fit cached under `key`; if there is none, caches what `make` returns.
  /// Calls `on_new` with a fit that was not in this cache, even if it was in the cache of
  /// all searches: the work of a search must not depend on which search came first.
  Fit get(const std::string& key, const std::function<MaxentFit()>& make,
          const std::function<void(const MaxentFit&)>& on_new) {
    Entry* entry = nullptr;
    {
      const std::lock_guard lock(mutex_);
      entry = &entries_[key];
    }
    const std::lock_guard lock(entry->mutex);
    if (!entry->fit) {
      entry->fit =
          of_all_ ? of_all_->get(key, make, {}) : std::make_shared<const MaxentFit>(make());
      if (on_new) on_new(*entry->fit);
    }
    return entry->fit;
  }

 private:
  struct Entry {
    std::mutex mutex;
    Fit fit;
  };
  std::shared_ptr<SourceFits> of_all_;
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

/// The weights at which a system's last fit ended. The next fit, with another variance or
/// with unlabelled rows added, starts there. Must not be used by concurrent fits.
class WarmStarts {
 public:
  std::vector<double> weights;
  FitMemo first_rounds;  // of megam
};

}  // namespace megadapt
