#include "megadapt/comparison.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing_support::planted_domains;

class ComparisonTest : public testing::Test {
 protected:
  ComparisonTest() {
    options_.systems = {"onlyo", "onlyi", "mix", "prior"};
    options_.tuning.folds = 3;
    std::string pattern = testing::TempDir() + "/megadapt-compare-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~ComparisonTest() override { std::filesystem::remove_all(folder_); }

  Comparison run(int threads = 2) const {
    return compare(train_, 1, &test_, options_, Execution(threads));
  }
  // Makes the target the only domain.
  void be_alone() {
    train_ = planted_domains(0, 40, 1);
    for (Dataset* data : {&train_, &test_}) {
      data->own_schema().domains = {};
      data->own_schema().domains.add("in");
      data->domain.assign(data->num_examples(), 0);
    }
  }
  std::vector<std::string> parts(const std::string& directory = {}) const {
    std::vector<std::string> found;
    const std::string place = directory.empty() ? folder_ + "/kept" : directory;
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
      if (entry.path().extension() == ".part") found.push_back(entry.path());
    }
    return found;
  }
  // Returns the part whose file name begins like this.
  std::string part_of(const std::string& begin) const {
    for (const std::string& path : parts()) {
      if (std::filesystem::path(path).filename().string().starts_with(begin)) return path;
    }
    ADD_FAILURE() << begin;
    return {};
  }
  static void expect_same(const Comparison& a, const Comparison& b) {
    ASSERT_EQ(a.systems.size(), b.systems.size());
    for (std::size_t s = 0; s < a.systems.size(); ++s) {
      EXPECT_EQ(a.systems[s].name, b.systems[s].name);
      EXPECT_EQ(a.systems[s].tuned, b.systems[s].tuned);
      EXPECT_EQ(a.systems[s].evaluation.log_loss, b.systems[s].evaluation.log_loss);
      EXPECT_EQ(a.systems[s].evaluation.interval, b.systems[s].evaluation.interval);
      EXPECT_EQ(a.systems[s].predictions.probability, b.systems[s].predictions.probability);
    }
    ASSERT_EQ(a.pairs.size(), b.pairs.size());
    for (std::size_t i = 0; i < a.pairs.size(); ++i) {
      EXPECT_EQ(a.pairs[i].p_holm, b.pairs[i].p_holm);
      EXPECT_EQ(a.pairs[i].interval, b.pairs[i].interval);
    }
    EXPECT_EQ(a.best, b.best);
    EXPECT_EQ(a.verdict, b.verdict);
  }

  Dataset train_ = planted_domains(120, 40, 1);
  Dataset test_ = planted_domains(0, 150, 2);
  CompareOptions options_;
  std::string folder_;
};

// If ranks share the systems, each rank gets the same results as a single rank.
TEST_F(ComparisonTest, RanksShareTheSystemsOut) {
  options_.systems = {"onlyo", "mix", "prior", "stack"};
  options_.tuning.folds = 2;
  const Comparison alone = run(1);
  for (const int count : {2, 3}) {
    run_ranks(count, [&](Communicator& ranks) {
      CompareOptions options = options_;
      options.ranks = &ranks;
      expect_same(compare(train_, 1, &test_, options, Execution(1)), alone);
    });
  }
}

TEST_F(ComparisonTest, HasEverySystemEveryPairAndAVerdict) {
  const Comparison result = run();
  ASSERT_EQ(result.systems.size(), 4u);
  EXPECT_EQ(result.pairs.size(), 6u);
  EXPECT_EQ(result.examples, 150u);
  EXPECT_TRUE(result.complete);
  const SystemResult* best = nullptr;
  for (const SystemResult& system : result.systems) {
    EXPECT_EQ(system.predictions.label.size(), 150u);
    EXPECT_EQ(system.predictions.probability.size(), 450u);
    EXPECT_EQ(system.evaluation.examples, 150u);
    EXPECT_FALSE(system.tuned.empty());
    EXPECT_FALSE(system.tried.empty());
    EXPECT_GT(system.seconds, 0);
    if (system.name == result.best) best = &system;
  }
  ASSERT_TRUE(best);
  EXPECT_EQ(best->error_reduction, 0);
  for (const SystemResult& system : result.systems) {
    EXPECT_LE(system.evaluation.accuracy, best->evaluation.accuracy);
    EXPECT_GE(system.error_reduction, 0);
  }
  for (const PairResult& pair : result.pairs) {
    EXPECT_GE(pair.p_holm, pair.test.p);
    EXPECT_LE(pair.interval[0], pair.difference);
    EXPECT_GE(pair.interval[1], pair.difference);
    const double counted =
        (static_cast<double>(pair.test.only_a) - static_cast<double>(pair.test.only_b)) /
        150;
    EXPECT_NEAR(pair.difference, counted, 1e-12);
  }
  EXPECT_THAT(result.verdict, HasSubstr("Ship " + result.best));
}

TEST_F(ComparisonTest, IsTheSameForAnyNumberOfThreads) {
  options_.systems = {};  // all systems, with the stack
  train_ = planted_domains(60, 24, 1);
  expect_same(run(1), run(4));
}

// For every system, the kept model is the tested one, to the last bit.
TEST_F(ComparisonTest, KeptModelsPredictWhatWasTested) {
  options_.systems = parse_systems("all");
  options_.tuning.folds = 2;
  const KeptModels kept{folder_ + "/best.mega", folder_ + "/models", {{"how", "so"}}};
  prepare_to_keep(kept);
  const Comparison comparison = run();
  keep_models(train_, 1, comparison, options_, kept, Execution(1));
  for (const SystemResult& system : comparison.systems) {
    SCOPED_TRACE(system.name);
    const Model model = load_model(kept.folder + "/" + system.name + ".mega");
    EXPECT_EQ(model.info.system, system.name);
    std::vector<std::size_t> rows(test_.num_examples());
    std::iota(rows.begin(), rows.end(), 0);
    const Predictions found = predict_rows(*model.predictor, test_, rows, 1, Execution(1));
    EXPECT_EQ(found.probability, system.predictions.probability);
    EXPECT_EQ(model.info.options[0].second, "so");
    EXPECT_EQ(model.info.options[1].second, "by log-loss on 2-fold cross-validation");
  }
  const auto bytes = [](const std::string& path) { return model_bytes(load_model(path)); };
  EXPECT_EQ(bytes(kept.best), bytes(kept.folder + "/" + comparison.best + ".mega"));
}

TEST_F(ComparisonTest, PlacesThatCannotKeepAModelAreRefused) {
  std::ofstream(folder_ + "/file") << "text";
  EXPECT_THROW(prepare_to_keep({.folder = folder_ + "/file"}), UsageError);
  EXPECT_THROW(prepare_to_keep({.best = folder_}), UsageError);
  EXPECT_THROW(prepare_to_keep({.best = folder_ + "/no/such.mega"}), UsageError);
}

TEST_F(ComparisonTest, FoldsTestEveryTargetRowOnce) {
  options_.folds = 5;
  const Comparison result = compare(train_, 1, nullptr, options_, Execution(2));
  EXPECT_EQ(result.examples, 40u);
  for (const SystemResult& system : result.systems) {
    EXPECT_EQ(system.predictions.label.size(), 40u);
  }
}

TEST_F(ComparisonTest, SystemsThatCannotRunAreLeftOutWithTheReason) {
  be_alone();
  options_.systems = {};
  const Comparison result = compare(train_, 0, &test_, options_, Execution(2));
  std::vector<std::string> ran;
  for (const SystemResult& system : result.systems) {
    if (system.left_out.empty()) {
      ran.push_back(system.name);
    } else {
      EXPECT_THAT(system.left_out,
                  HasSubstr("needs rows of a domain other than the target"));
      EXPECT_TRUE(system.predictions.label.empty());
    }
  }
  EXPECT_THAT(ran, ElementsAre("onlyi", "mix", "megam"));
  EXPECT_EQ(result.pairs.size(), 3u);
}

TEST_F(ComparisonTest, ThreeDomainsAreComparedLikeTwo) {
  train_.own_schema().domains.add("third");
  for (std::size_t n = 0; n < 120; n += 3) train_.domain[n] = 2;
  options_.systems = {};
  for (const SystemResult& system : run().systems) {
    EXPECT_EQ(system.left_out, "") << system.name;
    EXPECT_GT(system.evaluation.accuracy, 0.4) << system.name;
  }
}

// Most rows are predicted correctly by one system and wrongly by the other.
TEST_F(ComparisonTest, AClearWinnerIsCalledBetter) {
  for (std::size_t n = 0; n < 120; ++n) train_.label[n] = (train_.label[n] + 1) % 3;
  options_.systems = {"onlyo", "onlyi"};
  const Comparison result = run();
  EXPECT_EQ(result.best, "onlyi");
  EXPECT_THAT(result.verdict, MatchesRegex("Ship onlyi: [0-9.]+% right, [0-9.]+ points "
                                           "more than the next, onlyo\\."));
  EXPECT_THAT(result.evidence,
              Contains(HasSubstr("Better than onlyo (p < 0.0001, corrected for 1 ")));
  EXPECT_LT(result.pairs[0].p_holm, 1e-6);
  EXPECT_LT(result.pairs[0].interval[1], 0);
}

TEST_F(ComparisonTest, SimilarSystemsAreNotToldApart) {
  options_.systems = {"onlyi", "mix"};
  train_ = planted_domains(3, 40, 1);
  test_ = planted_domains(0, 12, 2);
  const Comparison result = run();
  EXPECT_THAT(result.verdict, AnyOf(HasSubstr("may be chance"), HasSubstr("the same as")));
  EXPECT_THAT(result.verdict, Not(HasSubstr("-0.0")));
  EXPECT_THAT(result.evidence, Contains(HasSubstr("Not told apart from")));
}

TEST_F(ComparisonTest, SaysWhenNoSystemCanRun) {
  be_alone();
  options_.systems = {"onlyo"};
  const Comparison result = compare(train_, 0, &test_, options_, Execution(2));
  EXPECT_EQ(result.best, "");
  EXPECT_EQ(result.verdict, "No system could run.");
}

TEST_F(ComparisonTest, FewTargetRowsAreEnough) {
  options_.systems = {};
  for (const std::size_t rows : {1, 2, 5}) {
    train_ = planted_domains(40, rows, 5);
    const Comparison result = run();
    for (const SystemResult& system : result.systems) {
      EXPECT_EQ(system.left_out, "") << system.name << rows;
    }
  }
  train_ = planted_domains(40, 1, 5);
  EXPECT_THROW(compare(train_, 1, nullptr, options_, Execution(1)), UsageError);
}

TEST_F(ComparisonTest, UnseenTestLabelsCountAsWrong) {
  test_.own_schema().labels.add("d");
  for (std::size_t n = 0; n < 150; ++n) test_.label[n] = 3;
  const Comparison result = run();
  for (const SystemResult& system : result.systems) {
    EXPECT_EQ(system.evaluation.accuracy, 0);
    EXPECT_EQ(system.evaluation.unseen_labels.at("d"), 150u);
    EXPECT_NEAR(system.evaluation.log_loss, -std::log(kUnseenProbability), 1e-9);
  }
}

TEST_F(ComparisonTest, DuplicatesOfTrainingRowsAreCounted) {
  test_ = train_;
  test_.domain.assign(test_.num_examples(), 1);
  EXPECT_GE(run().duplicates, 40u);
}

TEST_F(ComparisonTest, ResumesFromStoredParts) {
  options_.systems = {"onlyi", "mix", "prior", "stack"};
  const Comparison whole = run();
  options_.resume = folder_ + "/kept";
  options_.systems = {"onlyi", "mix"};
  run();
  const std::string mix = part_of("1-mix-");
  const auto kept = std::filesystem::last_write_time(mix);
  options_.systems = {"onlyi", "mix", "prior", "stack"};
  expect_same(run(), whole);
  EXPECT_EQ(std::filesystem::last_write_time(mix), kept);
  expect_same(run(), whole);  // now only from stored parts
}

TEST_F(ComparisonTest, RefusesPartsOfAnotherComparison) {
  options_.resume = folder_ + "/kept";
  run();
  train_.label[0] = (train_.label[0] + 1) % 3;
  EXPECT_THROW(run(), UsageError);
  train_.label[0] = (train_.label[0] + 2) % 3;
  EXPECT_NO_THROW(run());
  const std::string mix = part_of("1-mix-");
  std::ofstream(mix) << "{";
  EXPECT_THROW(run(), UsageError);
  options_.resume = mix;
  EXPECT_THROW(run(), UsageError);
}

// A part depends only on the options that its system reads.
TEST_F(ComparisonTest, AnOptionInvalidatesPartsOfSystemsThatReadIt) {
  options_.resume = folder_ + "/kept";
  options_.systems = {"onlyi", "mixw"};
  run();
  EXPECT_EQ(parts().size(), 2u);
  options_.tuning.base.rounds = 2;  // neither reads it
  run();
  EXPECT_EQ(parts().size(), 2u);
  options_.tuning.base.out_weight = 0.5;
  options_.tuning.fixed = {"out-weight"};
  const Comparison other = run();
  EXPECT_EQ(parts().size(), 3u);
  options_.resume.clear();
  expect_same(run(), other);
}

// Predictions that do not fit the rows cannot come from this comparison.
TEST_F(ComparisonTest, APartOfAnotherSizeIsRefused) {
  options_.resume = folder_ + "/kept";
  options_.systems = {"onlyi"};
  options_.tune = false;
  run();
  const std::string part = part_of("1-onlyi-");
  test_ = train_;
  test_.domain.assign(test_.num_examples(), 1);
  options_.resume = folder_ + "/small";
  run();
  for (const std::string& other : parts(folder_ + "/small")) {
    std::filesystem::copy_file(part, other,
                               std::filesystem::copy_options::overwrite_existing);
  }
  EXPECT_THROW(run(), UsageError);
}

// The file name of a part says the system and the split; its content must agree.
TEST_F(ComparisonTest, APartUnderAnotherNameIsRefused) {
  options_.resume = folder_ + "/kept";
  options_.systems = {"onlyi", "mix"};
  options_.tune = false;
  run();
  std::filesystem::copy_file(part_of("1-onlyi-"), part_of("1-mix-"),
                             std::filesystem::copy_options::overwrite_existing);
  try {
    run();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("is a part of another comparison"));
  }
}

TEST_F(ComparisonTest, EveryFlippedByteOfAPartIsNoticedOrHarmless) {
  options_.systems = {"onlyi"};
  options_.tune = false;
  const Comparison whole = run();
  options_.resume = folder_ + "/kept";
  run();
  const std::string part = part_of("1-onlyi-");
  std::ifstream in(part, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 31) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    std::ofstream(part, std::ios::binary) << flipped;
    try {
      expect_same(run(), whole);  // the byte lies between sections
    } catch (const UsageError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, bytes.size() / 31 * 8 / 10);
}

TEST_F(ComparisonTest, AStopReturnsWhatIsFinished) {
  std::atomic<bool> stop = false;
  Execution exec(1);
  exec.set_stop_flag(&stop);
  options_.on_system = [&](const SystemResult& system) { stop = system.name == "onlyi"; };
  const Comparison result = compare(train_, 1, &test_, options_, exec);
  EXPECT_FALSE(result.complete);
  ASSERT_EQ(result.systems.size(), 2u);
  EXPECT_EQ(result.pairs.size(), 1u);
}

TEST_F(ComparisonTest, ProgressNeverFalls) {
  std::vector<double> fractions;
  options_.on_progress = [&](const Progress& progress) {
    fractions.push_back(progress.fraction);
  };
  run();
  ASSERT_FALSE(fractions.empty());
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_NEAR(fractions.back(), 1, 1e-9);
}

TEST_F(ComparisonTest, SystemsAreNamedWithASuggestion) {
  EXPECT_THAT(parse_systems("megam,mix,mix"), ElementsAre("mix", "megam"));
  EXPECT_EQ(parse_systems("all").size(), systems().size());
  try {
    parse_systems("mix,megan");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'megam'?"));
  }
  EXPECT_THROW(parse_systems(""), UsageError);
}

}  // namespace
}  // namespace megadapt
