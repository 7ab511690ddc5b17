// Rows of strangers, used in several ways that must agree.

#include <fcntl.h>

#include <algorithm>

#include "fuzz/support.hpp"
#include "fuzz/targets.hpp"
#include "inference/prediction_lines.hpp"
#include "inference/stream.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/error.hpp"
#include "serve/served_model.hpp"

namespace megadapt::fuzz {
namespace {

/// A pipe that holds some bytes and whose writing end is closed.
class Pipe {
 public:
  explicit Pipe(std::string_view bytes) {
    int ends[2];
    require(pipe(ends) == 0);
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    require(write(ends[1], bytes.data(), bytes.size()) ==
            static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
    end_ = ends[0];
  }
  ~Pipe() { close(end_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(end_); }

 private:
  int end_;
};

// A model of text, of a column of numbers and of one of categories.
const Model& table_model() {
  static const Model model = [] {
    std::string table = "label,text,price,kind\n";
    for (int i = 0; i < 12; ++i) {
      table += i % 2 == 0 ? "a,a good one," : "b,\"bad, bad\",";
      table += std::to_string(i) + (i % 3 == 0 ? ",new\n" : ",old\n");
    }
    const MemoryFile file(table);
    const Execution exec(1);
    const Recipe recipe{.columns = {.numbers = {"price"}, .categories = {"kind"}}};
    return train_model(read_dataset({{"in", file.path()}}, recipe), "onlyi", "in", {}, {},
                       {exec});
  }();
  return model;
}

// Returns the lines that `predict` prints, and "refused" after them if an error ended them.
std::string predictions(const Classifier& classifier, const std::string& path,
                        const OpenOptions& options, const Execution& exec) {
  std::string all;
  try {
    RowStream stream(classifier, path, options, exec);
    const PredictionLines lines(classifier.labels(), {.json = true});
    std::vector<std::string> text(stream.slots());
    stream.run(
        [&](auto rows, std::size_t slot) {
          text[slot].clear();
          for (const Row& row : rows) {
            const auto probability = stream.worker(slot).predict(row);
            lines.append(most_probable(probability), probability, {}, row.id, text[slot]);
          }
        },
        [&](auto, std::size_t slot) { all += text[slot]; });
  } catch (const Error&) {
    all += "refused";
  }
  return all;
}

// Returns the names of features, labels and domains, on which all ranks must agree, and the
// number of all rows; or "refused".
std::string dataset_as_text(const std::string& path, const Recipe& recipe, int count) {
  std::string all;
  try {
    run_ranks(count, [&](Communicator& ranks) {
      const Dataset data = read_dataset({{"in", path}}, recipe, {}, ranks);
      if (ranks.rank() != 0) return;
      for (const auto* names : {&data.features(), &data.labels(), &data.domains()}) {
        for (std::uint32_t id = 0; id < names->size(); ++id) {
          all.append(names->name(id)).append("\n");
        }
      }
      all += std::to_string(data.sources[0].rows);
    });
  } catch (const Error&) {
    return "refused";
  }
  return all;
}

}  // namespace

// One thread, three threads and a pipe, from which rows are used one by one, give the same
// lines. The input is repeated so that there are several batches.
void fuzz_predict(std::string_view bytes) {
  static const Execution one(1), three(3);
  static const Classifier classifiers[] = {
      Classifier::over(testing_support::served_model()), Classifier::over(table_model())};
  const Classifier& classifier = classifiers[take_choice(bytes, 2)];
  OpenOptions options{.labelled = take_choice(bytes, 2) == 1};
  static const std::vector<std::string> formats = {"megam", "jsonl", "csv", "tsv", "text"};
  options.format = formats[take_choice(bytes, formats.size())];
  std::string input;
  for (int copy = 0; copy < 40 && input.size() < (1 << 15); ++copy) input += bytes;
  const MemoryFile file(input);
  const std::string alone = predictions(classifier, file.path(), options, one);
  require_same(predictions(classifier, file.path(), options, three), alone);
  require_same(predictions(classifier, Pipe(input).path(), options, one), alone);
}

// One rank and two read the same data, or refuse it.
void fuzz_ranks(std::string_view bytes) {
  Recipe recipe{.format = static_cast<Format>(1 + take_choice(bytes, 7))};
  if (take_choice(bytes, 2) == 1) recipe.min_count = 2;
  const MemoryFile file(bytes);
  require_same(dataset_as_text(file.path(), recipe, 1),
               dataset_as_text(file.path(), recipe, 2));
}

}  // namespace megadapt::fuzz
