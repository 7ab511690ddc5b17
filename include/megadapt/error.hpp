#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace megadapt {

/// Where something was read: `file:line` and the text of that line.
struct Place {
  std::string file = {};  ///< empty when the error is not about a file
  std::size_t line = 0;   ///< from 1; 0 when the whole file is meant
  std::string text = {};  ///< the offending line
};

/// How a front end spells the option `name`: "--name" on the command line, "name=" in
/// Python.
using OptionSpelling = std::function<std::string(std::string_view name)>;

/// The base of everything the library throws on purpose: where, what is wrong, and what to
/// do about it. The library names an option as `--name`; front ends spell it their own way.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string problem, std::string remedy = {}, Place place = {});
  const Place& place() const { return place_; }
  const std::string& problem() const { return problem_; }  ///< one line, without the place
  const std::string& remedy() const { return remedy_; }    ///< may be empty
  /// Where and what, in one line.
  std::string headline() const;
  /// Up to three lines: the headline, the offending line, the remedy. Options are spelled
  /// by `spell`. what() is the same in the words of the command line.
  std::string text(const OptionSpelling& spell) const;

 private:
  Place place_;
  std::string problem_;
  std::string remedy_;
};

/// A file or a line of it cannot be used as it is.
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

/// The disk is full, memory or time ran out.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// The optimiser stopped before it reached the tolerance and the caller asked to be told.
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

/// The text of a line for a message: tabs shown as <TAB>, other control bytes as \xNN, cut
/// to a length that fits a terminal.
std::string excerpt(std::string_view line);

std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `word`, or "" when none is near: for "did you mean".
template <class Names>
std::string closest(std::string_view word, const Names& names) {
  std::string best;
  std::size_t best_distance = word.size() / 2 + 1;
  for (const auto& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

/// The remedy for a name that is not one of `names`: the closest, else `otherwise`.
template <class Names>
std::string suggest(std::string_view word, const Names& names, std::string otherwise) {
  const std::string near = closest(word, names);
  return near.empty() ? otherwise : "did you mean '" + near + "'?";
}

}  // namespace megadapt
