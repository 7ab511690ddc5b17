// A classifier needs only a model. It makes bins, hashes and text features as training did.
#include "megadapt/classifier.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "dataset/row_encoder.hpp"
#include "megadapt/error.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;

std::string file_with(const std::string& name, const std::string& text) {
  const std::string path =
      testing::TempDir() + "/classifier-" + std::to_string(getpid()) + "-" + name;
  std::ofstream(path) << text;
  return path;
}

const char* const kBooks = "good long 2.5 plot 1\nbad long 9 plot 1\ngood long 1 plot 3\n";
const char* const kPhones = "good long 3 life 1\nbad long 8 life 2\nbad long 7 life 1\n";

Model trained_on(const Recipe& options) {
  const std::string books = file_with("books.txt", kBooks);
  const std::string phones = file_with("phones.txt", kPhones);
  return train_model(read_dataset({{"books", books}, {"phones", phones}}, options),
                     "easyadapt", "phones", {}, {}, {Execution(1)});
}

// Returns the prediction of the parts that the classifier uses, combined by hand.
std::vector<double> by_hand(const Model& model, const Row& row, std::string_view domain) {
  RowEncoder encoder(model.features, &model.binning);
  std::vector<double> p(model.labels.size());
  model.predictor->predict(encoder.encode(row), model.domain(domain), p);
  return p;
}

TEST(Classifier, MakesRowsAsTrainingDid) {
  const Recipe binned{.format = Format::megam_fvals, .bins = 3};
  const Recipe hashed{.format = Format::megam_fvals, .text = {.hash_bits = 4}};
  for (const Recipe& options : {binned, hashed}) {
    const Classifier classifier(trained_on(options));
    const auto reader =
        open_rows(file_with("new.txt", "long 8.5 life 1\n"),
                  {.format = Format::megam_fvals, .labelled = false, .text = options.text});
    Row row;
    ASSERT_TRUE(reader->next(row));
    const Example example{.features = {{"long", 8.5F}, {"life", 1}}, .has_values = true};
    EXPECT_EQ(classifier.predict(example).probabilities,
              by_hand(classifier.model(), row, "phones"));
    EXPECT_NE(classifier.predict(example).probabilities,
              classifier.predict({}).probabilities);
  }
}

TEST(Classifier, AFileGivesWhatExamplesGive) {
  const Classifier classifier(trained_on({.format = Format::megam_fvals, .bins = 2}));
  const auto reader = classifier.open(file_with("rows.txt", "long 8.5 life 1\nplot 2\n"),
                                      {.format = "megam-fvals"});
  Classifier::Worker worker = classifier.worker();
  const std::vector<Example> examples{
      {.features = {{"long", 8.5F}, {"life", 1}}, .has_values = true},
      {.features = {{"plot", 2}}, .has_values = true}};
  const auto expected = classifier.predict(examples, Execution(2));
  for (const Prediction& prediction : expected) {
    Row row;
    ASSERT_TRUE(reader->next(row));
    const auto p = worker.predict(row);
    EXPECT_EQ(std::vector<double>(p.begin(), p.end()), prediction.probabilities);
  }
}

TEST(Classifier, TheRowsOwnDomainGoesFirst) {
  const Classifier classifier(trained_on({.format = Format::megam_fvals}));
  const Example example{.features = {{"long", 5}}, .has_values = true, .domain = "books"};
  Row row;
  row.features = {{"long", 5}};
  row.has_values = true;
  EXPECT_EQ(classifier.predict(example).probabilities,
            by_hand(classifier.model(), row, "books"));
  Classifier::Worker as_books = classifier.worker("books");
  const auto p = as_books.predict(row);
  EXPECT_EQ(std::vector<double>(p.begin(), p.end()),
            by_hand(classifier.model(), row, "books"));
  EXPECT_THROW(classifier.worker("movies"), UsageError);
}

TEST(Classifier, RowsOfADomainThatTheModelDoesNotKnowCountAsTheTarget) {
  const Classifier classifier(trained_on({.format = Format::megam_fvals}));
  EXPECT_EQ(classifier.predict({.domain = "book"}).probabilities,
            classifier.predict(Example{}).probabilities);
  EXPECT_EQ(classifier.explain({.domain = "book"}).domain, "phones");
  UnknownDomains unknown;
  const auto reader =
      classifier.open(file_with("d.jsonl",
                                "{\"features\":[\"long\"],\"domain\":\"books\"}\n"
                                "{\"features\":[\"long\"],\"domain\":\"book\"}\n"
                                "{\"features\":[\"long\"],\"domain\":\"film\"}\n"),
                      {.unknown_domains = &unknown});
  Row row;
  EXPECT_TRUE(reader->next(row));
  EXPECT_EQ(row.domain, "books");
  EXPECT_TRUE(reader->next(row));
  EXPECT_EQ(row.domain, "");
  EXPECT_TRUE(reader->next(row));
  EXPECT_EQ(unknown.rows, 2u);
  EXPECT_EQ(unknown.first, "book");
}

TEST(Classifier, SaysWhatItIs) {
  const Classifier classifier(trained_on({.format = Format::megam_fvals}));
  EXPECT_EQ(classifier.labels(), (std::vector<std::string>{"good", "bad"}));
  EXPECT_EQ(classifier.domains(), (std::vector<std::string>{"books", "phones"}));
  EXPECT_EQ(classifier.target(), "phones");
  EXPECT_FALSE(classifier.has_gate());
  EXPECT_THAT(classifier.explain({.features = {{"new", 1}}}).unseen,
              testing::ElementsAre("new"));
}

}  // namespace
}  // namespace megadapt
