#include "dataset/reading/share_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "corpus/bytes/bytes.hpp"
#include "execution/collectives.hpp"

namespace megadapt {
namespace {

constexpr double kMostAboveFairShare = 0.1;

std::uint64_t size_of(const std::string& path) {
  if (path == "-") {
    throw UsageError("standard input cannot be shared among ranks", "give a file");
  }
  corpus::open_stored(path);  // only to throw when something is wrong with the path
  if (!std::filesystem::is_regular_file(path)) {
    throw UsageError(
        fmt::format("{} is not a regular file, so ranks cannot share it", path),
        "give a file");
  }
  return std::filesystem::file_size(path);
}

// Returns FileShare::format for a file that all ranks read together.
std::int32_t format_to_cut_by(const DomainFile& file, ReadOptions options) {
  if (corpus::is_compressed(file.file)) return FileShare::kByStripes;
  options.domain = file.domain;
  const Format format = open_rows(file.file, options)->format();
  if (format == Format::csv || format == Format::tsv) return FileShare::kByStripes;
  return static_cast<std::int32_t>(format);
}

/// Deals the files of one domain to the ranks, largest first.
class Deal {
 public:
  Deal(std::vector<FileShare>& shares, std::vector<std::size_t> files, int ranks)
      : shares_(shares), files_(std::move(files)), load_(static_cast<std::size_t>(ranks)) {
    std::stable_sort(files_.begin(), files_.end(), [&](std::size_t a, std::size_t b) {
      return shares_[a].size > shares_[b].size;
    });
    for (const std::size_t f : files_) total_ += size(f);
  }

  /// Cuts as few files as possible.
  void run() {
    for (std::size_t cut = 0; cut <= files_.size(); ++cut) {
      if (is_fair_with(cut)) return;
    }
  }

 private:
  // Cuts the first `cut` files and deals the others. Returns whether the shares are fair.
  bool is_fair_with(std::size_t cut) {
    const double ranks = static_cast<double>(load_.size());
    double common = 0;
    for (std::size_t i = 0; i < cut; ++i) {
      shares_[files_[i]].owner = FileShare::kEverybody;
      common += size(files_[i]) / ranks;
    }
    std::fill(load_.begin(), load_.end(), common);
    for (std::size_t i = cut; i < files_.size(); ++i) {
      const auto least = std::min_element(load_.begin(), load_.end());
      shares_[files_[i]].owner = static_cast<std::int32_t>(least - load_.begin());
      *least += size(files_[i]);
    }
    const double most = *std::max_element(load_.begin(), load_.end());
    return cut == files_.size() || most <= (1 + kMostAboveFairShare) * total_ / ranks;
  }

  double size(std::size_t file) const { return static_cast<double>(shares_[file].size); }

  std::vector<FileShare>& shares_;
  std::vector<std::size_t> files_;
  std::vector<double> load_;  // [ranks]; bytes
  double total_ = 0;
};

std::vector<FileShare> plan(const std::vector<DomainFile>& files,
                            const ReadOptions& options, int ranks) {
  std::vector<FileShare> shares(files.size());
  std::map<std::string, std::vector<std::size_t>> of_domain;
  for (std::size_t f = 0; f < files.size(); ++f) {
    shares[f].size = size_of(files[f].file);
    of_domain[files[f].domain].push_back(f);
  }
  for (auto& [domain, indices] : of_domain) Deal(shares, std::move(indices), ranks).run();
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (shares[f].owner == FileShare::kEverybody) {
      shares[f].format = format_to_cut_by(files[f], options);
    }
  }
  return shares;
}

}  // namespace

std::vector<FileShare> share_files(const std::vector<DomainFile>& files,
                                   const ReadOptions& options, Communicator& ranks) {
  if (ranks.size() == 1) return std::vector<FileShare>(files.size());
  std::string message;
  if (ranks.rank() == 0) message = to_message(plan(files, options, ranks.size()));
  return from_message<FileShare>(broadcast(ranks, std::move(message)));
}

ByteRange range_of(const FileShare& share, int rank, int size) {
  const auto cut = [&](int part) {
    return share.size / static_cast<std::uint64_t>(size) *
               static_cast<std::uint64_t>(part) +
           share.size % static_cast<std::uint64_t>(size) *
               static_cast<std::uint64_t>(part) / static_cast<std::uint64_t>(size);
  };
  return {cut(rank), cut(rank + 1)};
}

}  // namespace megadapt
