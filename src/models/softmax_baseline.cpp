#include "models/softmax.hpp"

namespace megadapt::baseline {
#include "models/softmax_impl.hpp"
}  // namespace megadapt::baseline
