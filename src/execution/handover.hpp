#pragma once

// Tells ThreadSanitizer how oneTBB orders the chunks of a loop.
//
// Debian's oneTBB is not instrumented, so without these calls everything that a chunk
// writes looks like a race with the code that reads it next. The calls order the caller
// before its chunks and the chunks before the caller's return, as oneTBB does, and nothing
// else: two chunks of one loop that touch the same memory are still reported.
// cmake/tsan.supp covers oneTBB's own headers.
#ifdef MEGADAPT_SANITIZED_THREADS
#include <sanitizer/tsan_interface.h>
#endif

namespace megadapt {

enum class Handover { to_chunks, to_caller };

#ifdef MEGADAPT_SANITIZED_THREADS
inline char handover_address[2];
inline void give(Handover side) {
  __tsan_release(&handover_address[static_cast<int>(side)]);
}
inline void take(Handover side) {
  __tsan_acquire(&handover_address[static_cast<int>(side)]);
}
#else
inline void give(Handover) {}
inline void take(Handover) {}
#endif

}  // namespace megadapt
