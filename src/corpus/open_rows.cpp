#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/messages.hpp"
#include "corpus/columns.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"

namespace megadapt {
namespace corpus {
namespace {

constexpr std::size_t kHead = 64;

// Refuses a chosen column where rows have no columns.
void check_columns(const LineReader& lines, Format format, const ReadOptions& options) {
  const bool named =
      format == Format::jsonl || format == Format::csv || format == Format::tsv;
  if (named) return;
  for (const auto& [option, name] : named_columns(options.columns)) {
    if (!options.needs_column(option)) continue;
    throw InputError(
        {lines.file()},
        fmt::format("rows of the format {} have no column '{}'", format_name(format), name),
        fmt::format("leave out --{}, or give CSV, TSV or JSON Lines", option));
  }
}

std::unique_ptr<RowReader> read_lines(LineReader lines, Format format,
                                      const ReadOptions& options) {
  check_columns(lines, format, options);
  switch (format) {
    case Format::libsvm:
      return read_libsvm(std::move(lines), options);
    case Format::jsonl:
      return read_jsonl(std::move(lines), options);
    case Format::csv:
    case Format::tsv:
      return read_table(std::move(lines), format, options);
    case Format::text:
      return read_text(std::move(lines), options);
    default:
      return read_megam(std::move(lines), format, options);
  }
}

}  // namespace

std::unique_ptr<RowReader> open_rows(std::unique_ptr<ByteSource> source,
                                     const std::string& name, const ReadOptions& options,
                                     std::size_t buffer_size) {
  LineReader lines(decompressed(std::move(source), name), name, buffer_size);
  const bool guess = options.format == Format::guess;
  const std::string_view sample = lines.peek(guess ? kSampleSize : kHead);
  if (sample.empty()) throw InputError({name}, "is empty", "give a file with rows");
  refuse_foreign(sample, name);
  const GuessOptions guessing{options.labelled, options.columns, options.expects_text};
  const Format format =
      guess ? guess_format(sample, lines.peeked_all(), guessing, name) : options.format;
  return read_lines(std::move(lines), format, options);
}

std::unique_ptr<RowReader> open_row_range(const std::string& path,
                                          const ReadOptions& options) {
  return read_lines(LineReader(open_range(path, *options.range), display_name(path)),
                    options.format, options);
}

}  // namespace corpus

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 8> kFormats = {
    "guess", "megam", "megam-fvals", "libsvm", "jsonl", "csv", "tsv", "text"};

}  // namespace

Format parse_format(std::string_view name) {
  return static_cast<Format>(
      1 + index_of_name(name, std::span(kFormats).subspan(1), "no format is called '{}'"));
}

std::string_view format_name(Format format) {
  return kFormats[static_cast<std::size_t>(format)];
}

std::unique_ptr<RowReader> open_rows(const std::string& path, const ReadOptions& options) {
  auto reader = options.range ? corpus::open_row_range(path, options)
                              : corpus::open_rows(
                                    corpus::open_stored(path, options.stop, options.digest),
                                    corpus::display_name(path), options);
  if (!options.label_map || !options.labelled) return reader;
  return corpus::map_labels(std::move(reader), *options.label_map, options.domain);
}

}  // namespace megadapt
