#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Parts of manual pages in mdoc, which docs/site/mdoc.py turns into Markdown.
namespace megadapt::cli::mdoc {

/// Returns text in which roff sees no commands and hyphens stay hyphens.
std::string escaped(std::string_view text);

/// Returns lines that are shown unchanged.
std::string literal(const std::string& text);

/// Returns an entry of list(): an option or word, its value ("" for none), what it means.
std::string item(const std::string& names, const std::string& value,
                 const std::string& text);

std::string list(const std::string& items);

/// Returns the start of a page, up to the end of the section NAME.
std::string heading(const std::string& page, const std::string& purpose);

/// Returns the section about those exit codes that a program has.
std::string exit_status(const std::vector<int>& codes);

}  // namespace megadapt::cli::mdoc
