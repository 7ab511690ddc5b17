#include <span>

#include "container/container.hpp"
#include "evaluation/part_store.hpp"
#include "fuzz/support.hpp"
#include "fuzz/targets.hpp"
#include "megadapt/error.hpp"
#include "results/settings_file.hpp"
#include "support/planted_domains.hpp"

namespace megadapt::fuzz {
namespace {

// A folder of --resume with one good part, whose file is replaced before each reading.
class StoredPart {
 public:
  StoredPart() {
    part_.tuned.system = system_.name();
    part_.tuned.settings = {{"variance", "0.1"}};
    part_.tuned.rows = {1, 2, 3};
    part_.tuned.probability = {0.5, 0.25, 1};
    part_.predictions.label = {0, 1, 2, 1};
    part_.predictions.probability.assign(12, 1.0 / 3);
    store_.save(0, system_, part_);
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".part") file_ = entry.path();
    }
    good_ = file_bytes(file_);
  }

  const std::string& good() const { return good_; }
  /// The good part with another JSON text in it.
  std::string with_json(std::string_view json) const {
    const Container in(std::as_bytes(std::span(good_)), "part");
    SectionWriter out;
    out.add("origin", std::string(in.text("origin")));
    out.add("part", std::string(json));
    out.add("tuned/rows", in.u64("tuned/rows"));
    out.add("tuned/probability", in.f64("tuned/probability"));
    out.add("labels", in.u32("labels"));
    out.add("probabilities", in.f64("probabilities"));
    std::string bytes;
    write_container(out, [&](std::span<const std::byte> some) {
      bytes.append(reinterpret_cast<const char*>(some.data()), some.size());
    });
    return bytes;
  }
  void read(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary) << bytes;
    try {
      const auto part =
          store_.load(0, system_, {.tested_rows = 4, .labels = 3, .train_rows = 20});
      require(part && part->predictions.label.size() <= 4);
    } catch (const UsageError&) {
    }
  }

 private:
  ScratchFolder folder_;
  Dataset data_ = testing_support::planted_domains(20, 10, 1);
  CompareOptions options_ = [this] {
    CompareOptions options;
    options.resume = folder_.path();
    return options;
  }();
  const System& system_ = find_system("mix");
  PartStore store_{data_, 1, nullptr, options_};
  Part part_;
  std::string file_, good_;
};

}  // namespace

// A part that --resume kept, with changed bytes or another JSON text, and right checksums.
void fuzz_part(std::string_view bytes) {
  static const StoredPart stored;
  const bool replaced = take_choice(bytes, 2) == 1;
  stored.read(replaced ? stored.with_json(bytes)
                       : with_right_checksums(with_changes(stored.good(), bytes)));
}

// The file of --settings, as `compare` and `train` read it.
void fuzz_settings(std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    read_settings(file.path());
  } catch (const Error&) {
  }
  try {
    read_fit(file.path(), "");
  } catch (const Error&) {
  }
}

}  // namespace megadapt::fuzz
