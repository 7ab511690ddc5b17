#include <fstream>

#include "fuzz/support.hpp"
#include "fuzz/targets.hpp"
#include "megadapt/error.hpp"
#include "row_cache/row_cache.hpp"

namespace megadapt::fuzz {
namespace {

void use(const Dataset& data) {
  std::size_t bytes = 0;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    for (const std::uint32_t id : data.rows[n].features) {
      require(id < data.num_features());
      bytes += data.features().name(id).size();
    }
    require(data.domain[n] < data.num_domains());
    data.for_each_label(n, [&](std::uint32_t label, double share) {
      require(share > 0 && (label == kNone || label < data.num_labels()));
    });
    bytes += data.group_name(n).size();
  }
  for (const std::uint32_t slot : data.tag_slots.slot) {
    const std::size_t width = data.num_labels() + std::size_t{1};
    require(slot == kNone || (slot + 1) * width <= data.tag_slots.feature.size());
  }
  require(bytes < 1 << 30);
  if (data.unlabelled) use(*data.unlabelled);
}

// A folder of --row-cache with one good file, which is replaced before each reading.
class StoredRows {
 public:
  explicit StoredRows(bool sentences) : input_(make_input(sentences)) {
    InputRows rows;
    rows.data = read_dataset(input_.files, input_.recipe, {.notes = &rows.notes});
    rows.data.unlabelled =
        std::make_shared<Dataset>(read_unlabelled(input_.unlabelled, rows.data, 0));
    cache_.store(rows);
    good_ = file_bytes(cache_.file());
  }

  const std::string& good() const { return good_; }
  void read(const std::string& bytes) const {
    std::ofstream(cache_.file(), std::ios::binary) << bytes;
    try {
      const auto rows = cache_.load();
      require(rows.has_value());
      use(rows->data);
    } catch (const ModelFileError&) {
    }
  }

 private:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  RowInput make_input(bool sentences) const {
    RowInput input{.target = "a"};
    if (sentences) {
      input.recipe.task = TaskOptions{};
      input.files = {{"a", write("a.conll", "the\tDET\ndog\tNOUN\n\nruns\tVERB\n\n")}};
      input.unlabelled = {write("u.txt", "the dog\n")};
    } else {
      input.files = {
          {"a",
           write("a.jsonl", R"({"label": {"x": 0.25, "y": 0.75}, "features": {"f": 2.5}})"
                            "\n"
                            R"({"label": "x", "features": ["g"], "group": "d"})"
                            "\n")}};
      input.unlabelled = {write("u.txt", "f g\n")};
    }
    return input;
  }

  ScratchFolder folder_;
  RowInput input_;
  RowCache cache_{folder_.path(), input_};
  std::string good_;
};

}  // namespace

// Rows that --row-cache kept, with changed bytes and right checksums.
void fuzz_row_cache(std::string_view bytes) {
  static const StoredRows rows(false);
  static const StoredRows sentences(true);
  const StoredRows& stored = take_choice(bytes, 2) == 1 ? sentences : rows;
  stored.read(with_right_checksums(with_changes(stored.good(), bytes)));
}

}  // namespace megadapt::fuzz
