#pragma once

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Removes domains that have no rows on any rank. Such a domain is the NAME of a `--domain
/// NAME=FILE` whose rows all name another domain. The other domains keep their order.
void drop_empty_domains(Dataset& data, Communicator& ranks = serial_communicator());

}  // namespace megadapt
