// Trains for phone reviews with the help of book reviews, stores the model, loads it and
// labels new rows: the installed library as a stranger would use it. Exits 0 when the model
// does as expected.
#include <cstdio>
#include <fstream>
#include <megadapt/evaluation.hpp>
#include <megadapt/systems.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

megadapt::Model train() {
  const megadapt::Execution exec;  // a thread per core
  megadapt::Dataset data =
      megadapt::read_dataset({{"books", "books.txt"}, {"phones", "phones.txt"}});
  return megadapt::train_model(std::move(data), "mixw", "phones", {.variance = 10}, {},
                               exec);
}

std::vector<std::string> labels_of(const megadapt::Model& model, const std::string& path) {
  std::vector<std::string> labels;
  std::vector<double> probability(model.labels.size());
  megadapt::RowEncoder encoder(model.features);
  const auto reader = megadapt::open_rows(path, {.labelled = false});
  for (megadapt::Row row; reader->next(row);) {
    model.predictor->predict(encoder.encode(row), model.target(), probability);
    labels.push_back(model.labels[megadapt::Evaluator::predicted(probability)]);
  }
  return labels;
}

}  // namespace

int main() {
  write("books.txt", "good moving story well told\nbad predictable plot flat style\n");
  write("phones.txt", "good long battery life\nbad short battery life\n");
  write("new.txt", "long story\nshort life flat sound\n");
  try {
    megadapt::save_model(train(), "phones.mega");
    const auto labels = labels_of(megadapt::load_model("phones.mega"), "new.txt");
    for (const std::string& label : labels) std::puts(label.c_str());
    return labels == std::vector<std::string>{"good", "bad"} ? 0 : 1;
  } catch (const megadapt::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
