#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace megadapt {

/// The version of the library and of the program, such as "0.2.0".
std::string_view version();

/// Where something was read: `file:line` and the text of that line.
struct Place {
  std::string file = {};  ///< empty when the error is not about a file
  std::size_t line = 0;   ///< from 1; 0 when the error is about the whole file
  std::string text = {};  ///< the offending line
};

/// Returns how a front end spells the option `name`: "--name" on the command line, "name="
/// in Python.
using OptionSpelling = std::function<std::string(std::string_view name)>;

/// The base of everything the library throws on purpose: where, what is wrong, and what to
/// do about it. The library names an option as `--name`; front ends spell it their own way.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string problem, std::string remedy = {}, Place place = {});
  const Place& place() const { return place_; }
  const std::string& problem() const { return problem_; }  ///< one line, without the place
  const std::string& remedy() const { return remedy_; }    ///< may be empty
  /// Place and problem in one line.
  std::string headline() const;
  /// Up to three lines: the headline, the offending line, the remedy. `spell` spells the
  /// options. what() returns the same text in the words of the command line.
  std::string text(const OptionSpelling& spell) const;

 private:
  Place place_;
  std::string problem_;
  std::string remedy_;
};

/// A file, or a line in it, cannot be used.
class InputError : public Error {
 public:
  InputError(Place place, std::string problem, std::string remedy = {});
};

/// The request makes no sense: an unknown name, options that contradict each other, a
/// domain without rows.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The model file is damaged, foreign or of a newer version.
class ModelFileError : public Error {
 public:
  using Error::Error;
};

/// The disk is full, or memory or time ran out.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// The optimiser stopped before it reached the tolerance, and the caller asked for an error
/// in that case (FitContext::strict).
class NotConverged : public Error {
 public:
  using Error::Error;
};

/// A value in training is not finite. The text names the step and the component.
class NumericError : public Error {
 public:
  using Error::Error;
};

/// The stop flag of `Execution` was set (Ctrl-C).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace megadapt
