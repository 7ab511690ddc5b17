#pragma once

#include <string>
#include <string_view>

namespace megadapt::cli {

/// Reopens each standard stream that is closed, so that every use of it fails. Otherwise a
/// file that is opened later could become standard error and receive notes.
void occupy_standard_streams();

/// Writes `text` to standard error. What cannot be written is lost: a full disk or a reader
/// that went away changes neither the result nor the exit code.
void tell(std::string_view text) noexcept;

/// Returns the text with control characters except line feed and tab shown as \xNN. Names
/// come from data and models of strangers and must not be able to steer the terminal.
std::string printable(std::string_view text);

}  // namespace megadapt::cli
