#pragma once

namespace megadapt {

/// While an object of this class lives, a failed allocation of its thread ends the program with
/// a message and an exit code instead of throwing: for a library that would crash if it had
/// to clean up after the exception. The program's new-handler sees to that (cli/failures.cpp);
/// where there is none, the exception is thrown as usual.
class EndWithoutMemory {
 public:
  EndWithoutMemory() { ++living; }
  ~EndWithoutMemory() { --living; }
  EndWithoutMemory(const EndWithoutMemory&) = delete;
  EndWithoutMemory& operator=(const EndWithoutMemory&) = delete;

  static bool applies() { return living > 0; }

 private:
  inline static thread_local int living = 0;
};

}  // namespace megadapt
