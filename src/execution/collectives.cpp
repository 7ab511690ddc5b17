#include "execution/collectives.hpp"

namespace megadapt {

// A binomial tree: in round k, each rank r below 2^k sends the message to rank r + 2^k.
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
