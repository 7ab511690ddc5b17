#pragma once

#include <string>

namespace megadapt {

// Temporary files and folders are called .megadapt-PID-N.tmp and lie beside the place that
// they will be renamed to. Their owner holds a lock (flock), which the system releases
// however the process ends. So a file that nobody has locked was left by a dead process.

/// Returns a name in `folder` that this process has not used. Open it with O_EXCL: a dead
/// process may have left the same one.
std::string temporary_name(const std::string& folder);

/// Locks a new temporary file or folder. Returns false if another process removed it in
/// between; then try another name.
bool lock_temporary(int descriptor);

/// Notes the name of a temporary file for unlink_noted_temporaries() and returns its place in
/// the notes. Returns -1 if the notes are full or the name is too long for them.
int note_temporary(const std::string& name) noexcept;
/// Takes a name out of the notes, after the file was renamed or removed.
void forget_temporary(int place) noexcept;
/// Removes the noted files of this process. Safe in a signal handler and in a terminate
/// handler: the process ends without running destructors.
void unlink_noted_temporaries() noexcept;

/// Removes the temporary files and folders that dead processes of this user left in
/// `folder`. Looks at each folder once in the life of the process.
void sweep_temporaries(const std::string& folder);

}  // namespace megadapt
