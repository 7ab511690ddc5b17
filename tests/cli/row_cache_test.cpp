// --row-cache: a run that takes its rows from the cache gives what a run without it gives.
#include <fmt/format.h>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class RowCacheCli : public Cli {
 protected:
  RowCacheCli() {
    write("calls.txt", calls() + calls());
    write("news.txt", news());
    write("more.txt", "warm dry\nsun\twet cold\n");
    write("rows.csv",
          "stars,review,who,w,from,pages,kind\n"
          "good,a fine book,ann,2,a,120,novel\nbad,\"dull, long\",bob,1,b,640,novel\n"
          "good,fine plot,ann,0.5,b,200,crime\nbad,long and dull,eve,1,a,900,crime\n");
    write("soft.jsonl",
          R"({"label": {"good": 0.25, "bad": 0.75}, "text": "a dull book", "group": "g"})"
          "\n"
          R"({"label": "good", "text": "a fine book", "weight": 3, "domain": "b"})"
          "\n"
          R"({"label": "bad", "features": {"length": 2.5}})"
          "\n");
    write("a.conll", "the\tDET\ndog\tNOUN\nruns\tVERB\n\na\tDET\ncat\tNOUN\n\n");
    write("b.conll", "runs\tVERB\n\nthe\tDET\ncat\tNOUN\n\n");
    write("plain.txt", "the cat runs\n");
    write("map.tsv", "good\tnice\nnone\tnice\n");
  }

  static std::vector<std::string> domains() {
    return {"-d", "news=news.txt", "-d", "calls=calls.txt", "-t", "calls"};
  }
  CommandResult train(std::vector<std::string> more, const std::string& model) const {
    more.insert(more.begin(), {"train", "-s", "mix", "-o", model});
    return run(more);
  }
  CommandResult train_cached(std::vector<std::string> more,
                             const std::string& model) const {
    more.insert(more.end(), {"--row-cache", "cache", "--verbose"});
    return train(more, model);
  }
  /// The files of the cache.
  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder() + "/cache")) {
      names.push_back("cache/" + entry.path().filename().string());
    }
    return names;
  }
  // Trains without a cache, with an empty one and with a full one: all models are equal.
  void expect_same_model(const std::vector<std::string>& input) const {
    const CommandResult plain = train(input, "plain.mega");
    ASSERT_EQ(plain.exit_code, 0) << plain.err;
    const CommandResult first = train_cached(input, "first.mega");
    EXPECT_THAT(first.err, HasSubstr("the rows are kept in cache/"));
    const CommandResult second = train_cached(input, "second.mega");
    EXPECT_THAT(second.err, HasSubstr("the rows come from cache/"));
    EXPECT_EQ(read("first.mega"), read("plain.mega"));
    EXPECT_EQ(read("second.mega"), read("plain.mega"));
  }
};

TEST_F(RowCacheCli, LinesOfFeatures) {
  expect_same_model(domains());
  std::vector<std::string> hashed = domains();
  hashed.insert(hashed.end(), {"--hash-bits", "4", "--min-count", "2"});
  expect_same_model(hashed);
  std::vector<std::string> without_bias = domains();
  without_bias.push_back("--no-bias");
  expect_same_model(without_bias);
}

TEST_F(RowCacheCli, UnlabelledRows) {
  std::vector<std::string> input = domains();
  input.insert(input.end(), {"--unlabelled", "more.txt"});
  expect_same_model(input);
  EXPECT_THAT(train_cached(input, "m.mega").err,
              HasSubstr("note: the labels of 1 row in more.txt are ignored"));
}

std::vector<std::string> table_and(const std::vector<std::string>& more) {
  std::vector<std::string> input{
      "-d",     "x=rows.csv",      "-t",  "a", "--label-column", "stars", "--text-column",
      "review", "--domain-column", "from"};
  input.insert(input.end(), more.begin(), more.end());
  return input;
}

TEST_F(RowCacheCli, TablesWithColumns) {
  std::vector<std::string> input =
      table_and({"--group-column", "who", "--weight-column", "w", "--number-columns",
                 "pages", "--category-columns", "kind"});
  expect_same_model(input);
  input.insert(input.end(), {"--text-weights", "tfidf", "--word-ngrams", "2"});
  expect_same_model(input);
}

TEST_F(RowCacheCli, LabelsWithProbabilities) {
  expect_same_model({"-d", "a=soft.jsonl", "-t", "a", "--bin", "2"});
}

TEST_F(RowCacheCli, Sentences) {
  expect_same_model({"--task", "pos", "-d", "a=a.conll", "-d", "b=b.conll", "-t", "b"});
  expect_same_model({"--task", "pos", "-d", "a=a.conll", "-d", "b=b.conll", "-t", "b",
                     "--unlabelled", "plain.txt"});
}

// What reading noticed is said again.
TEST_F(RowCacheCli, NotesAndWarningsAreRepeated) {
  const std::vector<std::string> input = table_and({"--map-labels", "map.tsv"});
  expect_same_model(input);
  const std::string said = train_cached(input, "m.mega").err;
  EXPECT_THAT(said, HasSubstr("the rows come from cache/"));
  EXPECT_THAT(said, HasSubstr("map.tsv"));
  EXPECT_THAT(said, HasSubstr("none"));
  EXPECT_THAT(said, HasSubstr("the label map dropped 0 rows"));
}

// One file serves all commands.
TEST_F(RowCacheCli, CommandsShareTheRows) {
  train_cached(domains(), "m.mega");
  ASSERT_EQ(kept().size(), 1u);
  const auto result = [&](std::vector<std::string> command, bool cached) {
    const std::vector<std::string> all = domains();
    command.insert(command.end(), all.begin(), all.end());
    if (cached) command.insert(command.end(), {"--row-cache", "cache"});
    command.push_back("-q");
    return output_of(command);
  };
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"compare", "--systems", "mix,onlyi", "--folds", "2"},
           {"tune", "-s", "mix"},
           {"curve", "--systems", "mix", "--sizes", "4", "--repeats", "1", "--tune", "none",
            "--folds", "2"}}) {
    EXPECT_EQ(result(command, true), result(command, false)) << command[0];
  }
  EXPECT_EQ(kept().size(), 1u);
  std::vector<std::string> relate{"relate",        "-q", "-d",
                                  "news=news.txt", "-d", "calls=calls.txt"};
  const std::string without = output_of(relate);
  relate.insert(relate.end(), {"--row-cache", "cache"});
  EXPECT_EQ(output_of(relate), without);
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(RowCacheCli, TextsOfRowsAreKept) {
  std::string talk = "id,label,text\n";
  for (int i = 0; i < 12; ++i) {
    const bool good = i % 2 == 0 && i != 4;
    talk += fmt::format("r{},{},{} w{}\n", i, good ? "good" : "bad",
                        i % 2 == 0 ? "fine" : "dull", i % 3);
  }
  write("talk.csv", talk);
  write("books.txt", "good\tfine w0\nbad\tdull w1\ngood\tfine\nbad\tdull\n");
  const auto audit = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"audit",         "-q", "-d",  "books=books.txt", "-d",
                                 "talk=talk.csv", "-t", "talk"};
    all.insert(all.end(), more.begin(), more.end());
    return output_of(all);
  };
  const std::string plain = audit({});
  EXPECT_THAT(plain, HasSubstr("fine w1"));
  EXPECT_THAT(plain, HasSubstr("r4"));
  EXPECT_EQ(audit({"--row-cache", "cache"}), plain);
  EXPECT_EQ(audit({"--row-cache", "cache"}), plain);
}

TEST_F(RowCacheCli, AChangedFileIsReadAgain) {
  train_cached(domains(), "m.mega");
  write("news.txt", news() + "sun\tbright\n");
  expect_same_model(domains());
  EXPECT_EQ(kept().size(), 2u);
}

TEST_F(RowCacheCli, ADamagedFileIsReplaced) {
  train_cached(domains(), "m.mega");
  const std::string file = kept().at(0);
  const std::string whole = read(file);
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  for (const std::string& bytes : {flipped, whole.substr(0, whole.size() / 2),
                                   std::string(), std::string("hello\n"), read("m.mega")}) {
    write(file, bytes);
    const CommandResult result = train_cached(domains(), "again.mega");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err,
                StartsWith("note: " + file + " is damaged, so the input is read again\n"));
    EXPECT_EQ(read("again.mega"), read("m.mega"));
    EXPECT_EQ(read(file), whole);
  }
}

// A cache that cannot be written costs time but no result.
TEST_F(RowCacheCli, AFolderInPlaceOfTheFileDoesNotStopTheWork) {
  train_cached(domains(), "m.mega");
  const std::string file = kept().at(0);
  std::filesystem::remove(folder() + "/" + file);
  std::filesystem::create_directory(folder() + "/" + file);
  const CommandResult result = train_cached(domains(), "again.mega");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("note: the rows are not kept for --row-cache: "));
  EXPECT_EQ(read("again.mega"), read("m.mega"));
}

TEST_F(RowCacheCli, TwoRunsAtOnce) {
  const auto arguments = [&](const std::string& model) {
    std::vector<std::string> all{"train",       "-q",    "-s", "mix",
                                 "--row-cache", "cache", "-o", model};
    const std::vector<std::string> input = domains();
    all.insert(all.end(), input.begin(), input.end());
    return command(all);
  };
  RunningCommand first(arguments("a.mega"), folder());
  RunningCommand second(arguments("b.mega"), folder());
  EXPECT_EQ(first.finish().exit_code, 0);
  EXPECT_EQ(second.finish().exit_code, 0);
  EXPECT_EQ(read("a.mega"), read("b.mega"));
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(RowCacheCli, BadUseIsRefused) {
  const auto error = [&](const std::vector<std::string>& more) {
    const CommandResult result = train(more, "m.mega");
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(error({"-d", "a=-", "--row-cache", "cache"}),
              HasSubstr("--row-cache: standard input can be read only once"));
  EXPECT_THAT(error({"-d", "a=none.txt", "--row-cache", "cache"}), HasSubstr("none.txt"));
  EXPECT_THAT(error({"-d", "a=news.txt", "--row-cache", "calls.txt"}),
              HasSubstr("calls.txt: cannot keep rows there"));
}

}  // namespace
}  // namespace megadapt
