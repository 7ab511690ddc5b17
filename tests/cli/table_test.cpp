// Tables fit a terminal of 80 columns, whatever the names in them.

#include <fmt/format.h>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Tables : public Cli {
 protected:
  // Three domains and twelve labels with long names, and features with longer ones.
  Tables() {
    const std::vector<std::string> domains{"a-domain-of-newspapers", "telephone-calls",
                                           "letters-from-readers-of-the-newspapers"};
    for (std::size_t d = 0; d < domains.size(); ++d) {
      std::string rows;
      for (int i = 0; i < 36; ++i) {
        rows += fmt::format("label-number-{}\tword-{}-{} {}\n", i % 12, i % 12, i % 5,
                            "a-feature-with-a-name-that-is-much-too-long-for-a-table-of-" +
                                std::to_string((i + static_cast<int>(d)) % 7));
      }
      const std::string file = fmt::format("{}.txt", d);
      write(file, rows);
      input_.insert(input_.end(), {"--domain", domains[d] + "=" + file});
    }
  }

  // The command with the domains; with `target`, also the domain to serve.
  std::vector<std::string> on_domains(std::vector<std::string> command, bool target) const {
    command.insert(command.begin() + 1, input_.begin(), input_.end());
    if (target) command.insert(command.end(), {"--target", "telephone-calls"});
    return command;
  }

  // Expects that no line is longer than 80 characters. Returns the text.
  std::string fits(const std::vector<std::string>& command) const {
    const CommandResult result = run(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::istringstream text(result.out);
    for (std::string line; std::getline(text, line);) {
      EXPECT_LE(line.size(), 80u) << command[0] << ": " << line;
    }
    return result.out;
  }

 private:
  std::vector<std::string> input_;
};

TEST_F(Tables, OfCompareFitAndListTheBestFirst) {
  const std::string text =
      fits(on_domains({"compare", "--quiet", "--test", "1.txt", "--tune-folds", "2",
                       "--systems", "all", "--set", "max-passes=20"},
                      true));
  std::istringstream lines(text);
  std::vector<double> accuracy;
  std::string line;
  std::getline(lines, line);  // the titles
  while (std::getline(lines, line) && !line.starts_with("error cut")) {
    std::istringstream cells(line);
    std::string name;
    double value = 0;
    cells >> name >> value;
    accuracy.push_back(value);
  }
  EXPECT_EQ(accuracy.size(), 11u);
  EXPECT_TRUE(std::is_sorted(accuracy.rbegin(), accuracy.rend()));
}

TEST_F(Tables, OfCurveFitAndHaveTheDefaultSystem) {
  const std::string text = fits(on_domains({"curve", "--quiet", "--tune", "none", "--sizes",
                                            "12", "--repeats", "2", "--folds", "3"},
                                           true));
  EXPECT_THAT(text, HasSubstr("pool"));
}

TEST_F(Tables, OfRelateFit) { fits(on_domains({"relate", "--quiet"}, false)); }

TEST_F(Tables, OfTuneFit) {
  const std::string text = fits(on_domains(
      {"tune", "--quiet", "--system", "prior", "--folds", "2", "-o", "m.mega"}, true));
  EXPECT_THAT(text, Not(HasSubstr("\n\n   ")));  // one block
}

TEST_F(Tables, OfAModelFit) {
  output_of(on_domains({"train", "--quiet", "--system", "mix", "-o", "m.mega"}, true));
  fits({"eval", "m.mega", "1.txt"});
  write("few.txt", "label-number-0\tword-0-0\nlabel-number-1\tword-1-1\n");
  fits({"eval", "m.mega", "few.txt"});
  fits({"model", "info", "m.mega"});
  fits({"inspect", "m.mega"});
  fits({"explain", "m.mega", "0.txt"});
  fits({"explain", "m.mega", "few.txt", "--as-domain",
        "letters-from-readers-of-the-newspapers"});
}

TEST_F(Tables, OfAMixtureFit) {
  output_of(on_domains({"train", "--quiet", "--system", "megam", "-o", "m.mega"}, true));
  output_of({"eval", "m.mega", "1.txt", "--store"});
  fits({"model", "info", "m.mega"});
  fits({"inspect", "m.mega"});
  fits({"explain", "m.mega", "1.txt"});
}

TEST_F(Tables, OfADiffAndOfAdaptingFit) {
  for (const std::string file : {"0", "1"}) {
    output_of({"train", "-q", "-s", "mix", "-d", "a=" + file + ".txt", "-o", file + ".mega",
               "--variance", file == "0" ? "0.01" : "10"});
  }
  fits({"diff", "0.mega", "1.mega", "2.txt"});
  fits({"adapt", "0.mega", "-d", "b=2.txt", "-o", "n.mega", "--old-test", "1.txt"});
}

TEST_F(Tables, OfCorporaFit) { fits({"data", "list", "--cache", "."}); }

}  // namespace
}  // namespace megadapt
