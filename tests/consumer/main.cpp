// Uses the installed library as a user would: trains for phone reviews with the help of
// book reviews, stores the model, loads it and labels new texts. Exits with 0 if the
// results are as expected.
#include <cstdio>
#include <fstream>
#include <megadapt/classifier.hpp>
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
      megadapt::read_dataset({{"books", "books.csv"}, {"phones", "phones.csv"}});
  return megadapt::train_model(std::move(data), "mixw", "phones", {.variance = 10}, {},
                               {exec});
}

std::vector<std::string> labels_of(const megadapt::Classifier& classifier,
                                   const std::vector<std::string>& texts) {
  std::vector<std::string> labels;
  for (const std::string& text : texts) {
    labels.push_back(classifier.labels()[classifier.predict({.text = text}).label]);
  }
  return labels;
}

}  // namespace

int main() {
  write("books.csv",
        "label,text\ngood,\"A moving story, well told.\"\nbad,Predictable plot and flat "
        "style\n");
  write("phones.csv", "label,text\ngood,Long battery life!\nbad,Short battery life\n");
  try {
    megadapt::save_model(train(), "phones.mega");
    const auto labels = labels_of(megadapt::Classifier::load("phones.mega"),
                                  {"Long story", "short life, flat sound"});
    for (const std::string& label : labels) std::puts(label.c_str());
    return labels == std::vector<std::string>{"good", "bad"} ? 0 : 1;
  } catch (const megadapt::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
