// The program megam-megadapt, which MEGADAPT_PROGRAM names here.

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/random.hpp"
#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

using Table = std::map<std::string, std::vector<double>>;  // feature -> weights

struct Example {
  std::uint32_t label = 0;
  double weight = 1;
  std::map<std::string, double> features;
};

class Megam : public Cli {
 protected:
  // Random examples whose features hint at their label.
  static std::vector<Example> examples(std::uint32_t classes, std::uint64_t seed,
                                       std::size_t rows = 60) {
    Random random(seed);
    std::vector<Example> all(rows);
    for (Example& example : all) {
      const std::uint32_t hint = random.below(classes);
      example.label = random.uniform() < 0.7 ? hint : random.below(classes);
      if (random.uniform() < 0.2) example.weight = 2.5;
      for (std::uint32_t f = 0; f < 8; ++f) {
        if (random.uniform() > (f % classes == hint ? 0.7 : 0.3)) continue;
        example.features["f" + std::to_string(f)] = 0.25 * (1 + random.below(8));
      }
    }
    return all;
  }

  static std::string start_of(const Example& example) {
    std::string line = std::to_string(example.label);
    if (example.weight != 1) line += " $$$WEIGHT " + std::to_string(example.weight);
    return line;
  }
  static std::string implicit(const std::vector<Example>& examples) {
    std::string text;
    for (const Example& example : examples) {
      text += start_of(example);
      for (const auto& [name, value] : example.features) {
        text += " " + name + " " + std::to_string(value);
      }
      text += "\n";
    }
    return text;
  }
  // The same rows; the features of class y are called NAME@y.
  static std::string explicitly(const std::vector<Example>& examples,
                                std::uint32_t classes) {
    std::string text;
    for (const Example& example : examples) {
      text += start_of(example);
      for (std::uint32_t y = 0; y < classes; ++y) {
        text += " #";
        for (const auto& [name, value] : example.features) {
          text += " " + name + "@" + std::to_string(y) + " " + std::to_string(value);
        }
      }
      text += "\n";
    }
    return text;
  }

  static Table table(const std::string& text) {
    Table weights;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      std::string name;
      fields >> name;
      for (double weight = 0; fields >> weight;) weights[name].push_back(weight);
    }
    return weights;
  }

  Table train(std::vector<std::string> options, const std::string& text) const {
    write("rows", text);
    options.insert(options.begin(), {"-quiet", "-maxi", "1000"});
    options.push_back("rows");
    return table(output_of(options));
  }
};

double scores_weight(const Table& weights, const std::string& name, std::size_t y) {
  const auto found = weights.find(name);
  return found == weights.end() ? 0 : found->second.at(y);
}

// The gradient of  sum_n -w_n log p(y_n | x_n) + lambda / 2 |w - mean|^2, summed literally.
// Class 0 of a binary model has no weights, and its score is 0.
Table gradient(const std::vector<Example>& examples, const Table& weights, double lambda,
               std::uint32_t classes, bool bias, double mean = 0) {
  const bool binary = weights.begin()->second.size() == 1;
  Table result;
  for (const auto& [name, row] : weights) {
    for (const double w : row) result[name].push_back(lambda * (w - mean));
  }
  for (const Example& example : examples) {
    auto features = example.features;
    if (bias) features["**BIAS**"] = 1;
    std::vector<double> p(classes);
    double total = 0;
    for (std::uint32_t y = 0; y < classes; ++y) {
      double score = 0;
      for (const auto& [name, x] : features) {
        if (binary && y == 0) continue;
        score += x * scores_weight(weights, name, binary ? 0 : y);
      }
      total += p[y] = std::exp(score);
    }
    for (std::uint32_t y = binary ? 1 : 0; y < classes; ++y) {
      const double residual = example.weight * (p[y] / total - (y == example.label));
      for (const auto& [name, x] : features) {
        result[name].at(binary ? 0 : y) += residual * x;
      }
    }
  }
  return result;
}

void expect_zero(const Table& gradient) {
  for (const auto& [name, row] : gradient) {
    for (const double g : row) EXPECT_NEAR(g, 0, 2e-3) << name;
  }
}

TEST_F(Megam, HelpIsAsReviewed) {
  expect_golden("cli/help_megam.txt", output_of({"-help"}));
  EXPECT_EQ(output_of({"--help"}), output_of({"-h"}));
  EXPECT_THAT(output_of({"-version"}),
              testing::MatchesRegex("megam-megadapt [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Megam, ManPageHasEveryOptionOfTheHelp) {
  const std::string page = output_of({"-generate-man"});
  write("page.1", page);
  std::istringstream help(output_of({"-help"}));
  std::size_t options = 0;
  for (std::string word; help >> word;) {
    if (!word.starts_with('-')) continue;
    EXPECT_THAT(page, HasSubstr(".It Sy \"\\" + word + "\"")) << word;
    ++options;
  }
  EXPECT_GE(options, 15U);
  EXPECT_THAT(page, Not(HasSubstr("generate")));
  const CommandResult lint = testing_support::run_command(
      {"mandoc", "-T", "lint", "-W", "error", "page.1"}, folder());
  EXPECT_EQ(lint.exit_code, 0) << lint.out << lint.err;
}

TEST_F(Megam, BinaryWeightsAreTheOptimum) {
  const auto rows = examples(2, 1);
  const Table weights = train({"-fvals", "-lambda", "0.7", "binary"}, implicit(rows));
  EXPECT_EQ(weights.size(), 9);  // eight features and **BIAS**
  EXPECT_EQ(weights.at("**BIAS**").size(), 1);
  expect_zero(gradient(rows, weights, 0.7, 2, true));
}

TEST_F(Megam, MulticlassWeightsAreTheOptimum) {
  const auto rows = examples(3, 2);
  const Table weights = train({"-fvals", "-nobias", "multiclass"}, implicit(rows));
  EXPECT_EQ(weights.size(), 8);
  EXPECT_EQ(weights.at("f1").size(), 3);
  expect_zero(gradient(rows, weights, 1, 3, false));
}

TEST_F(Megam, ExplicitFeaturesOfEachClassGiveTheSameWeights) {
  const auto rows = examples(3, 3);
  const Table shared =
      train({"-fvals", "-nobias", "-lambda", "0.3", "multiclass"}, implicit(rows));
  const Table own =
      train({"-fvals", "-nobias", "-lambda", "0.3", "-explicit", "multiclass"},
            explicitly(rows, 3));
  EXPECT_EQ(own.size(), 3 * shared.size());
  for (const auto& [name, weights] : shared) {
    for (std::size_t y = 0; y < 3; ++y) {
      EXPECT_NEAR(own.at(name + "@" + std::to_string(y)).at(0), weights[y], 1e-3) << name;
    }
  }
}

TEST_F(Megam, WithoutAPriorTheModelExpectsWhatTheRowsHave) {
  const auto rows = examples(2, 4, 200);
  expect_zero(gradient(rows, train({"-fvals", "-lambda", "0", "binary"}, implicit(rows)), 0,
                       2, true));
}

TEST_F(Megam, FeaturesWithoutValuesHaveTheValueOne) {
  EXPECT_EQ(train({"binary"}, "1 a b\n0 b c\n1 a\n"),
            train({"-fvals", "binary"}, "1 a 1 b 1\n0 b 1 c 1\n1 a 1\n"));
  EXPECT_EQ(train({"binary"}, "1 a a b\n0 b\n"),
            train({"-fvals", "binary"}, "1 a 2 b 1\n0 b 1\n"))
      << "a repeated feature counts twice";
}

TEST_F(Megam, PredictsWhatTheWeightsSay) {
  write("rows", "1 a b\n0 b c\n1 a\n");
  write("weights", "**BIAS** 0.5\na 1\nc -2\n");
  const auto p = [](double score) { return 1 / (1 + std::exp(-score)); };
  EXPECT_EQ(output_of({"-quiet", "-predict", "weights", "binary", "rows"}),
            fmt::format("1\t{:.10f}\n0\t{:.10f}\n1\t{:.10f}\n", p(1.5), p(-1.5), p(1.5)));
  write("three", "a 1 0 -1\n");
  const double total = std::exp(1.0) + 1 + std::exp(-1.0);
  EXPECT_EQ(output_of({"-quiet", "-nobias", "-predict", "three", "multiclass", "rows"}),
            fmt::format("0\t{0:.10f} {1:.10f} {2:.10f}\n0\t{3:.10f} {3:.10f} {3:.10f}\n"
                        "0\t{0:.10f} {1:.10f} {2:.10f}\n",
                        std::exp(1.0) / total, 1 / total, std::exp(-1.0) / total, 1.0 / 3));
}

TEST_F(Megam, PredictsExplicitCandidatesOfAnyNumber) {
  write("rows", "1 # a # b\n0 # b # a # c\n");
  write("weights", "a 0\nb 1\n");
  const double two = 1 + std::exp(1.0), three = 2 + std::exp(1.0);
  EXPECT_EQ(output_of({"-quiet", "-explicit", "-predict", "weights", "multiclass", "rows"}),
            fmt::format("1\t{:.10f} {:.10f}\n0\t{:.10f} {:.10f} {:.10f}\n", 1 / two,
                        std::exp(1.0) / two, std::exp(1.0) / three, 1 / three, 1 / three));
}

TEST_F(Megam, PredictsAlikeFromAFileAndAPipe) {
  write("rows", implicit(examples(3, 5)));
  write("weights", output_of({"-quiet", "-fvals", "multiclass", "rows"}));
  const std::vector<std::string> predict{"-quiet", "-fvals", "-predict", "weights",
                                         "multiclass"};
  auto from_file = predict, from_pipe = predict;
  from_file.push_back("rows");
  from_pipe.push_back("-");
  EXPECT_EQ(run(from_pipe, read("rows")).out, output_of(from_file));
}

TEST_F(Megam, NamesOfClassesAreKept) {
  write("rows", "spam buy now\nham see you\nspam buy\neggs now you\n");
  const std::string weights = output_of({"-quiet", "-nc", "multiclass", "rows"});
  EXPECT_THAT(weights, StartsWith("***NAMEDLABELSIDS***\tspam\tham\teggs\n**BIAS** "));
  write("weights", weights);
  const CommandResult result = run({"-nc", "-predict", "weights", "multiclass", "rows"});
  EXPECT_THAT(result.out, StartsWith("spam\t"));
  EXPECT_EQ(result.err, "error rate 0 / 4 = 0.0000\n");
}

TEST_F(Megam, TheMeanOfThePriorHoldsWhereThereIsNoData) {
  write("mean", "a 2\nunseen -3\n");
  write("rows", "1 a\n0 a\n");
  const Table weights = table(output_of(
      {"-quiet", "-nobias", "-lambda", "1e6", "-mean", "mean", "binary", "rows"}));
  EXPECT_NEAR(weights.at("a").at(0), 2, 1e-4);
  EXPECT_EQ(weights.at("unseen").at(0), -3);
}

TEST_F(Megam, WeightsToStartFromDoNotChangeTheOptimum) {
  const auto rows = examples(3, 6);
  write("start", "f1 5 -5 5\n");
  const Table from_zero = train({"-fvals", "multiclass"}, implicit(rows));
  const Table from_start =
      train({"-fvals", "-init", "start", "multiclass"}, implicit(rows));
  for (const auto& [name, weights] : from_zero) {
    for (std::size_t y = 0; y < 3; ++y) {
      EXPECT_NEAR(from_start.at(name).at(y), weights[y], 1e-3) << name;
    }
  }
  write("rows", implicit(rows));
  const Table one_step = table(output_of(
      {"-quiet", "-fvals", "-maxi", "1", "-init", "start", "multiclass", "rows"}));
  EXPECT_GT(one_step.at("f1").at(0), 1) << "one iteration is still near the start";
}

// Rows after DEV and TEST are not trained on. One row says that b outweighs a. Only a small
// lambda allows that, and -tune chooses it because the DEV rows agree.
TEST_F(Megam, TuningChoosesLambdaByTheDevRows) {
  const std::string train_rows = "1 a\n1 a\n1 a\n0 a b\n";
  write("rows", train_rows + "DEV\n0 a b\n1 a\nTEST\n0 a b\n1 a\n");
  const std::vector<std::string> start{"-nobias", "-lambda", "8"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), start.begin(), start.end());
    more.insert(more.end(), {"binary", "rows"});
    return run(more);
  };
  const CommandResult fixed = with({});
  EXPECT_THAT(fixed.err, HasSubstr("dev error rate 1 / 2"));
  const CommandResult tuned = with({"-tune"});
  EXPECT_THAT(tuned.err, HasSubstr("test error rate 0 / 2"));
  write("rows", train_rows);
  EXPECT_EQ(with({}).out, fixed.out) << "DEV and TEST are not trained on";
  EXPECT_EQ(with({"-tune"}).out, fixed.out) << "without DEV there is nothing to choose by";
}

TEST_F(Megam, StopsEarlyWhenTheLossHardlyChanges) {
  write("rows", implicit(examples(3, 7)));
  const auto steps = [&](const std::string& change) {
    const std::string err =
        run({"-fvals", "-maxi", "500", "-dpp", change, "multiclass", "rows"}).err;
    return std::count(err.begin(), err.end(), '\n');
  };
  EXPECT_LT(steps("0.01"), steps("0"));
  EXPECT_EQ(steps("-99999"), steps("0")) << "MEGAM's default stops nothing";
}

struct BadFile {
  std::vector<std::string> options;
  std::string text;
  std::string error;
};

class BadMegamFiles : public Megam, public testing::WithParamInterface<BadFile> {};

TEST_P(BadMegamFiles, AreRefusedWithTheirLine) {
  write("rows", GetParam().text);
  auto options = GetParam().options;
  options.push_back("rows");
  const CommandResult result = run(options);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: " + GetParam().error));
  EXPECT_THAT(result.err, HasSubstr("\nfix: "));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadMegamFiles,
    testing::Values(
        BadFile{{"binary"}, "1 a\nspam b\n", "rows:2: the label 'spam' is not a number"},
        BadFile{{"multiclass"}, "0 a\n-1 b\n", "rows:2: the label '-1' is not a class"},
        BadFile{{"multiclass"}, "0 a\n1.5 b\n", "rows:2: the label '1.5' is not a class"},
        BadFile{{"multiclass"}, "0:1:1 a\n", "rows:1: '0:1:1' has costs"},
        BadFile{{"-fvals", "binary"}, "1 a 1 b\n", "rows:1: feature 'b' has no value"},
        BadFile{{"-fvals", "binary"}, "1 a x\n", "rows:1: the value 'x' of feature 'a'"},
        BadFile{{"binary"}, "1 $$$WEIGHT -1 a\n", "rows:1: the weight '-1'"},
        BadFile{{"-explicit", "multiclass"}, "0 a b\n", "rows:1: no # after the label"},
        BadFile{{"-explicit", "multiclass"},
                "0 # a # b\n2 # a # b\n",
                "rows:2: the class is 2, but there are features of 2 classes"},
        BadFile{{"binary"}, "DEV\n1 a\n", "rows: there are no rows to train on"},
        BadFile{
            {"-predict", "rows", "binary"}, "a 1 2\n", "rows:1: a feature has 2 weights"},
        BadFile{{"-predict", "rows", "multiclass"},
                "a 1 2\nb 1\n",
                "rows:2: 1 weights, but 2 in the lines before"},
        BadFile{{"-predict", "rows", "binary"}, "a 1\na 2\n", "rows:2: feature 'a'"},
        BadFile{{"-predict", "rows", "binary"}, "a x\n", "rows:1: the weight 'x'"},
        BadFile{{"-predict", "rows", "-nc", "multiclass"},
                "a 1 2\n",
                "rows: there are no names of classes"}));

TEST_F(Megam, WhatItDoesNotDoIsRefusedByName) {
  write("rows", "1 a\n0 b\n");
  std::ifstream file(MEGADAPT_GOLDEN_FOLDER "/../../docs/megam.md");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  for (const std::string name :
       {"-multilabel", "-bitvec", "-filespec", "-sprog", "-sfile", "-sargs", "-sspec",
        "-sforcef", "-pa", "-norm1", "-norm2", "-minfc", "-bnsfs", "-abffs", "-curve",
        "-kernel", "-memory", "-lastweight"}) {
    const CommandResult result = run({name, "multiclass", "rows"});
    EXPECT_THAT(page, HasSubstr("`" + name + "`"));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err,
                StartsWith("error: MEGAM's option " + name + " is not supported\nfix: "));
  }
  for (const std::string name : {"density", "binomial", "perceptron", "multitron"}) {
    const CommandResult result = run({name, "rows"});
    EXPECT_THAT(page, HasSubstr("`" + name + "`"));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("'" + name + "' are not supported\nfix: use "));
  }
}

TEST_F(Megam, MistakesOnTheCommandLineAreExplained) {
  const auto error = [&](const std::vector<std::string>& words) {
    const CommandResult result = run(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(error({}), HasSubstr("a type is needed: binary or multiclass"));
  EXPECT_THAT(error({"binary"}), HasSubstr("a file is needed"));
  EXPECT_THAT(error({"binary", "a", "b"}), HasSubstr("unexpected argument 'b'"));
  EXPECT_THAT(error({"ternary", "rows"}), HasSubstr("'ternary' is not binary or"));
  EXPECT_THAT(error({"-lamda", "1", "binary", "rows"}),
              HasSubstr("did you mean '-lambda'?"));
  EXPECT_THAT(error({"-lambda", "-1", "binary", "rows"}),
              HasSubstr("-lambda: '-1' is not"));
  EXPECT_THAT(error({"-maxi", "1.5", "binary", "rows"}), HasSubstr("-maxi: '1.5' is not"));
  EXPECT_THAT(error({"-dpp", "little", "binary", "rows"}),
              HasSubstr("-dpp: 'little' is not a number"));
  EXPECT_THAT(error({"binary", "rows", "-maxi"}), HasSubstr("-maxi needs a value"));
  EXPECT_THAT(error({"-explicit", "binary", "rows"}), HasSubstr("-explicit is for"));
  EXPECT_THAT(error({"binary", "absent"}), HasSubstr("absent"));
}

}  // namespace
}  // namespace megadapt
