// Word classes and vectors from the command line.

#include <cstring>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Words : public Cli {
 protected:
  Words() {
    write("classes.tsv",
          "word\tclass2\tclass4\tcount\nmonday\tA0\tB0\t9\nfriday\tA0\tB0\t8\n"
          "sunday\tA0\tB0\t7\nred\tA1\tB1\t6\nblue\tA1\tB1\t5\ngreen\tA1\tB1\t4\n");
    write("in.conll", "monday\tNOUN\n\nred\tADJ\n\nfriday\tNOUN\n\nblue\tADJ\n\n");
    write("templates.txt", "w class2 class4[-1]|class4\n");
  }
  void train(std::vector<std::string> more) const {
    std::vector<std::string> all{"train", "--task",     "pos", "-s",     "mix",
                                 "-d",    "a=in.conll", "-o",  "m.mega", "-q"};
    all.insert(all.end(), more.begin(), more.end());
    output_of(all);
  }
  std::string tagged(const std::string& words) const {
    return output_of({"tag", "m.mega", "-", "--format", "text", "-q"}, words);
  }
};

TEST_F(Words, ATaggerKnowsWordsByTheirClassWithoutTheFile) {
  train({"--word-classes", "classes.tsv", "--features", "templates.txt"});
  std::filesystem::remove(folder() + "/classes.tsv");
  EXPECT_EQ(tagged("Sunday\n"), "Sunday_NOUN\n");
  EXPECT_EQ(tagged("green\n"), "green_ADJ\n");
  output_of({"model", "export", "m.mega", "-o", "m.txt"});
  output_of({"model", "import", "m.txt", "-o", "again.mega"});
  EXPECT_EQ(read("again.mega"), read("m.mega"));
  EXPECT_THAT(output_of({"inspect", "m.mega"}),
              HasSubstr("class2=A0: monday, friday, sunday"));
  EXPECT_THAT(output_of({"explain", "m.mega", "-", "--format", "text", "-u"}, "green\n"),
              HasSubstr("class2=A1: red, blue, green"));
  EXPECT_EQ(output_of({"words", "near", "Sunday", "m.mega", "-n", "2"}),
            "class2=A0: monday, friday\nclass4=B0: monday, friday\n");
}

TEST_F(Words, BuiltInSetsUseTheClasses) {
  EXPECT_THAT(output_of({"features", "--task", "pos", "--word-classes", "classes.tsv",
                         "--format", "text"},
                        "red Monday\n"),
              HasSubstr("class2=A0 class4[-1]=B1 class4=B0"));
  EXPECT_THAT(output_of({"features", "--task", "pos", "--word-classes", "classes.tsv",
                         "--templates"}),
              HasSubstr("class2\nclass4[-1..1] tag[-1]|class4\n"));
  train({"--word-classes", "classes.tsv", "--variance", "10"});
  EXPECT_EQ(tagged("green\n"), "green_ADJ\n");
}

TEST_F(Words, TextHasFeaturesOfClasses) {
  write("in.csv", "label,text\nday,monday\ncolour,red\nday,friday\ncolour,Blue\n");
  output_of({"train", "-s", "mix", "-d", "a=in.csv", "-o", "m.mega", "-q", "--word-classes",
             "classes.tsv"});
  std::filesystem::remove(folder() + "/classes.tsv");
  EXPECT_EQ(output_of({"predict", "m.mega", "-", "--format", "text"}, "Sunday\ngreen\n"),
            "day\ncolour\n");
}

TEST_F(Words, ClassesOfRowsWithFeaturesAreRefused) {
  write("rows.txt", "a f1 f2\nb f2 f3\n");
  const CommandResult result = run({"train", "-s", "mix", "-d", "a=rows.txt", "-o",
                                    "m.mega", "--word-classes", "classes.tsv"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the rows have ready-made features"));
}

TEST_F(Words, VectorsBecomeClasses) {
  std::string bytes = "6 2\n";
  for (const auto& [word, x, y] :
       {std::tuple("monday", 1.f, 0.1f), std::tuple("friday", 1.f, 0.2f),
        std::tuple("sunday", 2.f, 0.f), std::tuple("red", 0.f, 1.f),
        std::tuple("blue", 0.1f, 1.f), std::tuple("green", 0.f, 2.f)}) {
    const float values[] = {x, y};
    bytes += std::string(word) + " ";
    bytes.append(reinterpret_cast<const char*>(values), sizeof values);
    bytes += "\n";
  }
  write("v.bin", bytes);
  train({"--word-vectors", "v.bin", "--vector-classes", "2", "--variance", "10"});
  const std::string one = read("m.mega");
  std::filesystem::remove(folder() + "/v.bin");
  EXPECT_EQ(tagged("Sunday\n"), "Sunday_NOUN\n");
  EXPECT_EQ(tagged("green\n"), "green_ADJ\n");
  write("v.bin", bytes.substr(0, 30));
  const CommandResult result =
      run({"train", "--task", "pos", "-s", "mix", "-d", "a=in.conll", "-o", "n.mega",
           "--word-vectors", "v.bin"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("v.bin: byte "));
  EXPECT_THAT(result.err, HasSubstr("(vectors of 2 numbers)"));
  EXPECT_FALSE(std::filesystem::exists(folder() + "/n.mega"));
}

TEST_F(Words, ClusterWritesATableForAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += "on monday he left .\non friday she slept .\na red car passed .\n";
    text += "on friday he slept .\na blue car left .\n";
  }
  write("text.txt", text);
  const std::string one =
      output_of({"words", "cluster", "text.txt", "-k", "3,5", "--threads", "1", "-q"});
  EXPECT_THAT(one, StartsWith("word\tclass3\tclass5\tcount\n.\tA"));
  EXPECT_EQ(output_of({"words", "cluster", "-", "-k", "3,5", "--threads", "3", "-q"}, text),
            one);
  const auto written = json_of({"words", "cluster", "text.txt", "-k", "3,5", "-o", "c.tsv",
                                "--json", "--rounds", "3"});
  EXPECT_EQ(written["tokens"], 5 * 30 * 5);
  EXPECT_LE(written["log_likelihood"].size(), 3u);
  train({"--word-classes", "c.tsv"});
  const CommandResult few = run({"words", "cluster", "text.txt", "-k", "99"});
  EXPECT_EQ(few.exit_code, 2);
  EXPECT_THAT(few.err, HasSubstr("too few for 99 classes"));
  EXPECT_EQ(run({"words", "cluster", "text.txt", "-k", "one"}).exit_code, 2);
  EXPECT_EQ(run({"words", "cluster", "text.txt", "--json"}).exit_code, 2);
}

TEST_F(Words, NearByVectorsAndUnknownWords) {
  write("v.txt", "monday 1 0\nfriday 9 1\nred 0 1\n");
  EXPECT_EQ(output_of({"words", "near", "monday", "v.txt", "-n", "1"}), "0.994  friday\n");
  const CommandResult unknown = run({"words", "near", "pink", "classes.tsv"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("the table has no word 'pink'"));
}

TEST_F(Words, NearRefusesStandardInput) {
  const CommandResult result = run({"words", "near", "monday", "-"}, read("classes.tsv"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("standard input cannot be read twice"));
}

}  // namespace
}  // namespace megadapt
