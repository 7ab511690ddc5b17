#pragma once

#include <span>
#include <string_view>

namespace megadapt {

/// A file of the front end, built from web/ and embedded in the program.
struct Asset {
  std::string_view path;
  std::string_view content_type;
  std::string_view bytes;
};

/// All files; none if megadapt was built with -DMEGADAPT_WEB=OFF.
std::span<const Asset> assets();

/// "/" is the live explorer's page, which loads "/app.js" and "/app.css"; "report.html" is
/// the report with @DATA@ in place of its data. Returns nullptr for any other path.
const Asset* find_asset(std::string_view path);

}  // namespace megadapt
