// Packages that hold one JSON object with a "text" for each document.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/folder.hpp"
#include "base/json.hpp"
#include "base/mapped_file.hpp"
#include "downloads/corpus_conversion.hpp"
#include "megadapt/error.hpp"

namespace megadapt::downloads {
namespace {

namespace fs = std::filesystem;

// Returns them sorted by name.
std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const std::string& name : names_in(folder.string())) {
    const fs::path path = folder / name;
    // Skip lists of files, which are not documents.
    if (path.extension() == ".json" && path.stem() != "file_list" &&
        path.stem() != "contents") {
      files.push_back(path);
    }
  }
  if (files.empty()) {
    throw InputError({folder.string()}, "the package has no documents here",
                     "fetch the version that 'megadapt data list' names");
  }
  return files;
}

std::string text_of(const fs::path& path) {
  const MappedFile file(path.string());
  try {
    return parse_json(file.text()).at("text");
  } catch (const nlohmann::json::exception&) {
    throw InputError({path.string()}, "this is not an object with a text",
                     "fetch the version that 'megadapt data list' names");
  }
}

void write_prose(const std::string& name, std::string_view text, AtomicFile& out) {
  std::string lines;
  for (const std::vector<std::string>& sentence : split_prose(text)) {
    // Skip headings, addresses and signatures: too short to say anything about case.
    if (sentence.size() < 4) continue;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      lines += (i ? " " : "") + sentence[i];
    }
    lines += '\n';
  }
  if (!lines.empty()) out.write(fmt::format("# doc = {}\n\n{}\n", name, lines));
}

void write_documents(const fs::path& folder, const fs::path& file) {
  AtomicFile out(file.string());
  for (const fs::path& path : json_files(folder)) {
    write_prose(path.stem().string(), text_of(path), out);
  }
  out.commit();
}

// Other headers say where a mail was collected and would give the label away.
std::string subject_and_body(const std::string& mail) {
  std::string text;
  const std::size_t body = std::min(mail.find("\n\n"), mail.size());
  for (std::size_t at = 0; at < body;) {
    const std::size_t end = std::min(mail.find('\n', at), mail.size());
    const std::string_view line = std::string_view(mail).substr(at, end - at);
    if (line.starts_with("Subject:")) text += std::string(line.substr(8)) + "\n";
    at = end + 1;
  }
  return text + mail.substr(body);
}

void write_mails(const fs::path& data, const std::vector<std::string>& groups,
                 const fs::path& file) {
  AtomicFile out(file.string());
  for (const std::string& group : groups) {
    const std::string label = group.starts_with("spam") ? "spam" : "ham";
    for (const fs::path& path : json_files(data / group)) {
      const nlohmann::ordered_json row = {{"label", label},
                                          {"text", subject_and_body(text_of(path))},
                                          {"id", group + "/" + path.stem().string()}};
      out.write(json_text(row) + "\n");
    }
  }
  out.commit();
}

}  // namespace

void convert_mail(const fs::path& package, const fs::path& out) {
  const fs::path data = package / "data";
  // Each set has one kind of ham; spam-1 was collected before spam-2.
  write_mails(data, {"easy-ham-1", "easy-ham-2", "spam-1"}, out / "easy.jsonl");
  write_mails(data, {"hard-ham-1", "spam-2"}, out / "hard.jsonl");
  AtomicFile prose((out / "mail.txt").string());
  for (const std::string group : {"easy-ham-1", "easy-ham-2"}) {
    for (const fs::path& path : json_files(data / group)) {
      write_prose(group + "/" + path.stem().string(), prose_of_mail(text_of(path)), prose);
    }
  }
  prose.commit();
}

void convert_speeches(const fs::path& package, const fs::path& out) {
  write_documents(package / "data", out / "speeches.txt");
}

void convert_novel(const fs::path& package, const fs::path& out) {
  write_documents(package / "data", out / "novel.txt");
}

}  // namespace megadapt::downloads
