#pragma once

#include <span>
#include <string_view>

namespace megadapt {

/// One file of the front end, built from web/ and kept in the program.
struct Asset {
  std::string_view path;
  std::string_view content_type;
  std::string_view bytes;
};

/// All of them; none when megadapt was built with -DMEGADAPT_WEB=OFF.
std::span<const Asset> assets();

/// "/" is the live explorer's page, which asks for "/app.js" and "/app.css"; "report.html"
/// is the report with @DATA@ in place of its data. nullptr for any other path.
const Asset* find_asset(std::string_view path);

}  // namespace megadapt
