#include "execution/collectives.hpp"

namespace megadapt {

// Along a binomial tree: in round k, ranks below 2^k hand on to the rank 2^k above them.
std::string broadcast(Communicator& ranks, std::string message) {
  for (int step = 1; step < ranks.size(); step *= 2) {
    if (ranks.rank() < step) {
      if (ranks.rank() + step < ranks.size()) ranks.send(ranks.rank() + step, message);
    } else if (ranks.rank() < 2 * step) {
      message = ranks.receive(ranks.rank() - step);
    }
  }
  return message;
}

std::vector<std::string> gather(Communicator& ranks, std::string_view message) {
  if (ranks.rank() > 0) {
    ranks.send(0, message);
    return {};
  }
  std::vector<std::string> all{std::string(message)};
  for (int from = 1; from < ranks.size(); ++from) all.push_back(ranks.receive(from));
  return all;
}

}  // namespace megadapt
