#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/text/reports.hpp"

namespace megadapt::cli {
namespace {

using Row = std::vector<std::string>;

// The number of code points.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::size_t> widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> width(rows[0].size());
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      width[c] = std::max(width[c], width_of(row[c]));
    }
  }
  return width;
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

/// Columns [first, last) of a table, and its column 0.
struct Block {
  std::size_t first, last;
};

std::vector<Block> blocks_of(const std::vector<std::size_t>& width, std::size_t gap) {
  std::vector<Block> blocks{{1, 1}};
  std::size_t used = width[0];
  for (std::size_t c = 1; c < width.size(); ++c) {
    if (used + gap + width[c] > kTableWidth && blocks.back().last > blocks.back().first) {
      blocks.push_back({c, c});
      used = width[0];
    }
    used += gap + width[c];
    blocks.back().last = c + 1;
  }
  return blocks;
}

std::string line_of(const Row& row, const Block& block,
                    const std::vector<std::size_t>& width, std::size_t gap) {
  std::string line = row[0] + spaces(width[0] - width_of(row[0]));
  for (std::size_t c = block.first; c < std::min(block.last, row.size()); ++c) {
    line += spaces(gap + width[c] - width_of(row[c])) + row[c];
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string text_table(std::vector<Row> rows, std::size_t gap) {
  std::vector<std::size_t> width = widths(rows);
  if (blocks_of(width, gap).size() > 1) {
    for (Row& row : rows) {
      for (std::string& cell : row) cell = cut(cell, kLongestName);
    }
    width = widths(rows);
  }
  std::string out;
  for (const Block& block : blocks_of(width, gap)) {
    if (!out.empty()) out += "\n";
    for (const Row& row : rows) {
      // A triangular table has no cells in the last columns of its first rows.
      if (&row != &rows[0] && block.first > 1 && row.size() <= block.first) continue;
      out += line_of(row, block, width, gap);
    }
  }
  return out;
}

std::string cut(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  std::size_t end = 0, kept = 0;
  for (; end < text.size(); ++end) {
    if ((text[end] & 0xC0) != 0x80 && ++kept > width - 3) break;
  }
  return std::string(text.substr(0, end)) + "...";
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out = text.substr(0, text.find_first_not_of(' '));
  std::size_t column = out.size();
  std::istringstream words(text);
  bool first = true;
  for (std::string word; words >> word; first = false) {
    const std::size_t width = width_of(word);
    if (!first && column + 1 + width > kTableWidth) {
      out += "\n" + spaces(indent);
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
  }
  return out + "\n";
}

std::string beside(const std::string& head, const std::string& text) {
  const std::size_t indent = width_of(head);
  return head + wrapped(spaces(indent) + text, indent).substr(indent);
}

std::string percent(double share) { return fmt::format("{:.2f}", 100 * share); }

}  // namespace megadapt::cli
