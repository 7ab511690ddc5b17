#include "dataset/unite.hpp"

#include "execution/collectives.hpp"

namespace megadapt {
namespace {

// Replaces `names` by the merged names of all ranks. Returns the new id of every old one.
std::vector<std::uint32_t> renumber(NameIndex& names, std::span<const ReadPart> parts,
                                    std::uint32_t ReadPart::*first, Communicator& ranks) {
  std::vector<NameRun> runs{{0, 0}};
  for (const ReadPart& part : parts) {
    runs.push_back({(std::uint64_t{part.file} + 1) << 32 | part.part, part.*first});
  }
  NameIndex merged = merge_names(names, runs, ranks);
  std::vector<std::uint32_t> new_id;
  for (std::uint32_t id = 0; id < names.size(); ++id) {
    new_id.push_back(merged.find(names.name(id)));
  }
  names = std::move(merged);
  return new_id;
}

void use_new_ids(const std::vector<std::uint32_t>& new_id,
                 std::vector<std::uint32_t>& ids) {
  for (std::uint32_t& id : ids) {
    if (id != kNone) id = new_id[id];
  }
}

// Returns the number of rows of every file by rank: [files][ranks].
std::vector<double> count_rows(std::span<const ReadPart> parts, std::size_t files,
                               Communicator& ranks) {
  const auto P = static_cast<std::size_t>(ranks.size());
  std::vector<double> rows(files * P);
  for (const ReadPart& part : parts) {
    rows[part.file * P + static_cast<std::size_t>(ranks.rank())] +=
        static_cast<double>(part.rows);
  }
  ranks.sum(rows);
  return rows;
}

// Gives all ranks the checksums of the files. A file that is read whole has its checksum on
// its owner, a striped file on every rank; a cut file has none.
void complete_sources(std::vector<SourceFile>& sources, std::span<const FileShare> shares,
                      Communicator& ranks) {
  std::string known;
  for (std::size_t f = 0; f < sources.size(); ++f) {
    const int teller = shares[f].owner == FileShare::kEverybody ? 0 : shares[f].owner;
    if (teller == ranks.rank()) known += sources[f].sha256 + '\n';
  }
  std::vector<std::string> told = gather(ranks, known);
  std::string all;
  if (ranks.rank() == 0) {
    std::vector<std::size_t> at(told.size());
    for (const FileShare& share : shares) {
      const auto teller =
          static_cast<std::size_t>(share.owner == FileShare::kEverybody ? 0 : share.owner);
      const std::size_t end = told[teller].find('\n', at[teller]) + 1;
      all += told[teller].substr(at[teller], end - at[teller]);
      at[teller] = end;
    }
  }
  all = broadcast(ranks, std::move(all));
  std::size_t at = 0;
  for (SourceFile& source : sources) {
    const std::size_t end = all.find('\n', at);
    source.sha256 = all.substr(at, end - at);
    at = end + 1;
  }
}

}  // namespace

void unite(Dataset& data, std::span<const ReadPart> parts,
           std::span<const FileShare> shares, Communicator& ranks) {
  Schema& schema = data.own_schema();
  use_new_ids(renumber(schema.features, parts, &ReadPart::features, ranks),
              data.rows.feature);
  const auto new_label = renumber(schema.labels, parts, &ReadPart::labels, ranks);
  use_new_ids(new_label, data.label);
  for (LabelShare& share : data.soft.shares) share.label = new_label[share.label];
  use_new_ids(renumber(schema.domains, parts, &ReadPart::domains, ranks), data.domain);

  const auto P = static_cast<std::size_t>(ranks.size());
  const std::vector<double> rows = count_rows(parts, shares.size(), ranks);
  std::vector<std::uint64_t> first(shares.size() * P + 1);  // first row of [file][rank]
  for (std::size_t i = 0; i < rows.size(); ++i) {
    first[i + 1] = first[i] + static_cast<std::uint64_t>(rows[i]);
  }
  for (const ReadPart& part : parts) {
    const bool striped = shares[part.file].is_striped();
    const std::size_t rank = striped ? 0 : static_cast<std::size_t>(ranks.rank());
    data.runs.push_back(
        {first[part.file * P + rank] + (striped ? part.part * kRowsPerStripe : 0),
         part.rows});
  }
  if (data.runs.empty()) data.runs.push_back({});  // no runs would mean all rows
  for (std::size_t f = 0; f < shares.size(); ++f) {
    data.sources[f].rows = first[(f + 1) * P] - first[f * P];
  }
  complete_sources(data.sources, shares, ranks);
}

}  // namespace megadapt
