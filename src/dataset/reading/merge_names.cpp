#include "dataset/unite.hpp"
#include "execution/collectives.hpp"

namespace megadapt {
namespace {

struct SeenNames {
  std::vector<NameRun> runs;
  NameIndex names;

  std::uint32_t end_of(std::size_t run) const {
    return run + 1 < runs.size() ? runs[run + 1].first : names.size();
  }
  /// Appends a run of names from another index, except those already here.
  void append(const SeenNames& from, std::size_t run) {
    const std::uint32_t before = names.size();
    for (std::uint32_t id = from.runs[run].first; id < from.end_of(run); ++id) {
      names.add(from.names.name(id));
    }
    if (names.size() > before) runs.push_back({from.runs[run].place, before});
  }
};

// Both have their runs in order of place, and so has the result. A name stays in the first
// run that has it, whichever rank read that.
SeenNames merge(const SeenNames& a, const SeenNames& b) {
  SeenNames merged;
  for (std::size_t i = 0, j = 0; i < a.runs.size() || j < b.runs.size();) {
    const bool take_a =
        j == b.runs.size() || (i < a.runs.size() && a.runs[i].place <= b.runs[j].place);
    merged.append(take_a ? a : b, take_a ? i++ : j++);
  }
  return merged;
}

// Sends three messages: the runs, the ends of the names, and their bytes.
void send_names(const SeenNames& seen, int to, Communicator& ranks) {
  const NameIndexView view = seen.names.view();
  ranks.send(to, to_message(seen.runs));
  ranks.send(to, to_message(std::vector(view.ends.begin(), view.ends.end())));
  ranks.send(to, {view.bytes.data(), view.bytes.size()});
}

NameIndex index_of(const std::vector<std::uint64_t>& ends, std::string_view bytes) {
  NameIndex names;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    names.add(bytes.substr(begin, end - begin));
    begin = end;
  }
  return names;
}

SeenNames receive_names(int from, Communicator& ranks) {
  const auto runs = from_message<NameRun>(ranks.receive(from));
  const auto ends = from_message<std::uint64_t>(ranks.receive(from));
  return {runs, index_of(ends, ranks.receive(from))};
}

}  // namespace

// Merges along a binary tree up to rank 0, so that no rank merges more than log2(ranks)
// times, then broadcasts the result.
NameIndex merge_names(const NameIndex& own, const std::vector<NameRun>& runs,
                      Communicator& ranks) {
  SeenNames seen{runs, own};
  for (int step = 1; step < ranks.size(); step *= 2) {
    if (ranks.rank() % (2 * step) != 0) {
      send_names(seen, ranks.rank() - step, ranks);
      break;
    }
    const int other = ranks.rank() + step;
    if (other < ranks.size()) seen = merge(seen, receive_names(other, ranks));
  }
  const NameIndexView view = seen.names.view();
  const auto ends = from_message<std::uint64_t>(
      broadcast(ranks, to_message(std::vector(view.ends.begin(), view.ends.end()))));
  const std::string bytes =
      broadcast(ranks, std::string(view.bytes.data(), view.bytes.size()));
  return ranks.rank() == 0 ? std::move(seen.names) : index_of(ends, bytes);
}

}  // namespace megadapt
