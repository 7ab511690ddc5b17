// The table of options. These tests loop over the table, so a new option is tested at once.
#include "systems/options.hpp"

#include <gmock/gmock.h>

#include <array>
#include <set>

#include "evaluation/part_store.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

/// For every option, a value that is not its default.
const std::map<std::string, std::string>& other_values() {
  static const std::map<std::string, std::string> values = {
      {"variance", "0.30000000000000004"},
      {"tolerance", "1e-05"},
      {"optimizer", "lbfgs"},
      {"max-passes", "77"},
      {"class-weight", "spam=2"},
      {"calibration", "1.5"},
      {"unlabelled-weight", "0.25"},
      {"sharpen", "1.5"},
      {"precision", "double"},
      {"out-weight", "0.1"},
      {"source-variance", "3"},
      {"interpolation", "0"},
      {"source-features", "labels"},
      {"folds", "3"},
      {"rounds", "2"},
      {"refresh", "round"},
      {"beta", "1,2.5"},
      {"gate-features", "7"},
      {"pi", "fixed"},
      {"pi-init", "in=0.95"},
      {"e-step", "crossfit:3"},
      {"centre", "general"},
      {"specific-variance", "0.7"},
      {"prior-exponent", "0.25"},
      {"gate", "logistic"},
      {"gate-variance", "2"},
      {"anneal", "1.5"},
      {"psi-sweeps", "4"},
      {"psi-step", "lbfgs"}};
  return values;
}

TEST(OptionTableTest, EveryValueSurvivesARoundTrip) {
  for (const auto& option : option_table()) {
    SCOPED_TRACE(option.name);
    ASSERT_TRUE(other_values().contains(option.name)) << "give it a value in this test";
    Options options;
    set_option(options, option.name, other_values().at(option.name));
    EXPECT_FALSE(options == Options());
    EXPECT_THAT(option.field.print(options), Contains(other_values().at(option.name)));
    Options again;
    for (const std::string& text : option.field.print(options)) {
      set_option(again, option.name, text);
    }
    EXPECT_EQ(again, options);
    EXPECT_NO_THROW(option_table().check(options));
  }
}

TEST(OptionTableTest, EveryOptionHasHelpAndAReader) {
  std::set<std::string> read;
  for (const System* system : systems()) {
    for (const std::string& name : system->traits().reads) {
      EXPECT_NO_THROW(option_table().find(name)) << system->name();
      read.insert(name);
    }
    for (const auto& [name, value] : system->traits().defaults) {
      EXPECT_THAT(system->traits().reads, Contains(name));
    }
    for (const auto& [name, value] : system->traits().tuned) {
      const HowTuned& how = option_table().find(name).tuned;
      EXPECT_TRUE(how.factor > 0 || !how.choices.empty()) << name;
      Options options;
      if (value.starts_with('=')) {  // follows another number
        EXPECT_GT(option_table().find(value.substr(1)).tuned.factor, 0) << name;
      } else {
        EXPECT_NO_THROW(set_option(options, name, value));
      }
    }
    const std::string& passed = system->traits().passed;
    EXPECT_TRUE(passed.empty() || !option_table().find(passed).tuned.choices.empty());
  }
  for (const auto& option : option_table()) {
    EXPECT_TRUE(read.contains(option.name)) << option.name;
    EXPECT_FALSE(option.help.empty() || option.group.empty()) << option.name;
    EXPECT_NE(option.metavar.empty(), option.field.choices.empty()) << option.name;
  }
}

TEST(OptionTableTest, BadValuesAreRefusedByName) {
  for (const auto& option : option_table()) {
    for (const char* bad : {"", "much", "-1", "nan", "1e999"}) {
      Options options;
      try {
        set_option(options, option.name, bad);
        ADD_FAILURE() << option.name << " takes '" << bad << "'";
      } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("--" + option.name + ": "));
        EXPECT_THAT(error.what(), HasSubstr("\nfix: "));
      }
      EXPECT_EQ(options, Options());
    }
  }
  Options options;
  EXPECT_THROW(set_option(options, "tolerance", "1"), UsageError);
  EXPECT_THROW(set_option(options, "rounds", "1.5"), UsageError);
  EXPECT_THROW(set_option(options, "folds", "1"), UsageError);
  EXPECT_THROW(set_option(options, "interpolation", "1.1"), UsageError);
  EXPECT_THROW(set_option(options, "e-step", "crossfit:1"), UsageError);
  for (const char* name : {"out-weight", "source-variance", "specific-variance"}) {
    EXPECT_THROW(set_option(options, name, "0"), UsageError) << name;
  }
  options.variance = -1;
  EXPECT_THROW(option_table().check(options), UsageError);
}

// An option that a system reads changes its record, the fingerprint of its checkpoint (made
// of the same text) and the digest of its parts. Other options change nothing.
TEST(OptionTableTest, RecordsAndDigestsHoldTheOptionsThatAreRead) {
  for (const System* system : systems()) {
    for (const auto& option : option_table()) {
      SCOPED_TRACE(system->name() + " " + option.name);
      CompareOptions before, after;
      const std::string& value = other_values().at(option.name);
      set_option(after.tuning.base, option.name, value);
      const auto& reads = system->traits().reads;
      const bool is_read =
          std::find(reads.begin(), reads.end(), option.name) != reads.end();
      const Options& options = after.tuning.base;
      EXPECT_EQ(is_read, options_text(*system, options) !=
                             options_text(*system, before.tuning.base));
      EXPECT_EQ(is_read,
                part_options(*system, before, true) != part_options(*system, after, true));
      const auto recorded = Pair(option.name, value);
      if (is_read) {
        EXPECT_THAT(system->record(options), Contains(recorded));
      } else {
        EXPECT_THAT(system->record(options), testing::Not(Contains(recorded)));
      }
    }
    Options seeded;
    seeded.seed = 7;
    EXPECT_NE(options_text(*system, seeded), options_text(*system, {}));
  }
}

TEST(OptionTableTest, DefaultsOfASystemAreRecordedAsUsed) {
  EXPECT_THAT(find_system("pool").record({}), Contains(Pair("specific-variance", "0.3")));
  EXPECT_THAT(find_system("megam").record({}), Contains(Pair("e-step", "training")));
  EXPECT_THAT(find_system("easyadapt").record({}),
              Contains(Pair("specific-variance", "1")));
}

TEST(OptionTableTest, ThereIsOneDefaultNumberOfCrossFitFolds) {
  EXPECT_EQ(EStepChoice().folds, 5);
  EXPECT_EQ(TuneOptions().folds, EStepChoice().folds);
}

TEST(OptionTableTest, OptionsThatNobodyReadsAreRefused) {
  const System* onlyi = &find_system("onlyi");
  const System* megam = &find_system("megam");
  EXPECT_NO_THROW(refuse_unread(std::array{onlyi}, {"variance", "prior-exponent"}));
  EXPECT_NO_THROW(refuse_unread(std::array{onlyi, megam}, {"rounds"}));
  const auto message = [](std::span<const System* const> systems) -> std::string {
    try {
      refuse_unread(systems, {"variance", "rounds"});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(std::array{onlyi}),
            "--rounds: onlyi does not read this option\n"
            "fix: leave it out, or use megam, stack");
  EXPECT_THAT(message(std::array{onlyi, &find_system("mix")}),
              HasSubstr("no chosen system reads this option"));
}

TEST(OptionTableTest, ATypingErrorGetsASuggestion) {
  Options options;
  try {
    set_option(options, "varianz", "1");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'variance'?"));
  }
}

}  // namespace
}  // namespace megadapt
