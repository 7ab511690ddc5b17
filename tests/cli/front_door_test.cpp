// What people do with tables and texts of their own, and what they should be told.
//
// What version 0.1 did wrong, and the tests that hold each point:
//   1  Guess.TablesWithOtherHeadersAreRefusedWithTheOptionsToType,
//      Cli.ATableWithOtherColumnsIsReadByTheOptionsThatItsRefusalNames
//   2  Doors.ADocumentHasOneAnswerInEveryFormatAndThroughEveryDoor,
//      test_text.py: test_a_document_has_one_answer_in_every_format
//   3  CompareCli.OneTableOfManyDomains
//   4  ReportResult.WithFoldsExplanationsAreOfTheTestedModels,
//      FrontDoor.AReportCountsTheRowsOfATableOfManyDomains
//   5  Adapt.RowsOfTheOldModelsTrainingAreTold, Adapt.KeepsTheOldModelWhereItIsBetter,
//      Adapt.EveryKindOfModelCanBeAdapted, Adapt.ATaggerIsAdapted
//   6  Interrupt.AComparisonKeepsWhatIsFinished, Warnings.EvalOfTheTrainingFile,
//      Warnings.EvalOfUnlabelledTextIsRefused
//   7  Doors.SymbolsAreFeaturesOfTheirOwn, TextFeatures.WeightsFollowTheNumberOfTimes,
//      Doors.NumbersCategoriesAndSeveralTextsHaveOneAnswer
//   8  Tagging.TagsRunningTextAndKeepsItsSpaces, Recap.TakesRunningText,
//      Tagging.GuessesTheFormatOfEachFile
//   9  KeepCli.TheModelOfTheVerdictIsTheOneThatWasTested,
//      KeepCli.TrainTakesTheSettingsOfAComparison,
//      CompareCli.TuneUsesFiveFoldsUnlessToldOtherwise
//  10  Warnings.*, FrontDoor.RawTextIsNoTrainingData
//  11  test_text.py: test_a_table_trained_on_the_command_line_reads_text;
//      test_tagging.py: test_text_is_split_and_given_back; test_conventions.py:
//      test_a_loaded_model_has_its_parameters, test_tuned_settings_are_arguments,
//      test_related_domains, test_a_target_without_domains_is_refused,
//      test_linear_models_have_weights, test_class_weights; test_text.py:
//      test_a_model_is_adapted_and_compared_with_the_old_one; test_options.py:
//      test_values_out_of_range_are_refused_in_the_words_of_python
//  12  report.test.ts: "the text is shown as it was, its words coloured by what they add",
//      "evidence is below the verdict, and each system says what it is", "every table fits a
//      laptop and a phone", "a gate that says the same of every row gets no panel and no
//      filter", "all labels are shown, or how many are hidden", "a tagger of spans is judged
//      by span F1"; Tables.*, Tables.OfCurveFitAndHaveTheDefaultSystem,
//      Predict.TheIdOfARowIsTheLastColumn
#include <signal.h>

#include "cli/cli_fixture.hpp"
#include "megadapt/classifier.hpp"
#include "serve/http_client.hpp"

namespace megadapt {
namespace {

using nlohmann::json;
using testing::AllOf;

/// Reviews of films and phones in one table, and phones.mega, which learnt from them.
class FrontDoor : public Cli {
 protected:
  FrontDoor() {
    write("all.csv", "id,label,text,domain\n" + rows("films", 12) + rows("phones", 8));
    output_of({"train", "-q", "-s", "easyadapt", "-d", "all=all.csv", "-t", "phones", "-o",
               "phones.mega"});
  }
  static std::string rows(const std::string& domain, int count) {
    const char* words[] = {"great", "awful", "lovely", "broken"};
    std::string text;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      text += domain[0] + number + "," + (i % 2 == 0 ? "good" : "bad") + "," +
              words[i % 4] + " thing w" + number + "," + domain + "\n";
    }
    return text;
  }
  CommandResult refused(std::vector<std::string> arguments, const std::string& input = {}) {
    const CommandResult result = run(std::move(arguments), input);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    return result;
  }
};

constexpr const char* kUsual = "label,text\ngood,a great one\nbad,the awful one\n";
constexpr const char* kOwn = "review,stars\na great one,good\nthe awful one,bad\n";

TEST_F(FrontDoor, AFileMayHaveOtherColumnNamesThanTraining) {
  write("usual.csv", kUsual);
  write("own.csv", kOwn);
  const std::vector<std::string> names = {"--text-column", "review", "--label-column",
                                          "stars"};
  for (const char* command : {"predict", "eval", "explain"}) {
    std::vector<std::string> words = {command, "phones.mega", "own.csv", "--json"};
    const CommandResult without = refused(words);
    EXPECT_THAT(without.err, HasSubstr("--text-column review --label-column stars"));
    words.insert(words.end(), names.begin(), names.end());
    EXPECT_EQ(output_of(words), output_of({command, "phones.mega", "usual.csv", "--json"}))
        << command;
  }
  std::vector<std::string> words = {"diff", "phones.mega", "phones.mega", "own.csv",
                                    "--json"};
  words.insert(words.end(), names.begin(), names.end());
  EXPECT_EQ(json_of(words)["rows"], 2);
}

TEST_F(FrontDoor, AModelIsAdaptedToATableOfOtherNames) {
  std::string table = "review,stars\n";
  for (int i = 0; i < 10; ++i) table += "a great one,good\nthe awful one,bad\n";
  write("own.csv", table);
  const std::vector<std::string> words = {"adapt", "phones.mega", "-d", "tablets=own.csv",
                                          "-o",    "new.mega",    "-q", "--force",
                                          "--json"};
  EXPECT_THAT(refused(words).err, HasSubstr("--text-column review --label-column stars"));
  std::vector<std::string> named = words;
  named.insert(named.end(), {"--text-column", "review", "--label-column", "stars"});
  EXPECT_EQ(json_of(named)["examples"], 20);
  EXPECT_EQ(output_of({"predict", "new.mega", "own.csv"}).substr(0, 9), "good\nbad\n");
}

TEST_F(FrontDoor, AColumnThatIsNamedMustBeThere) {
  write("usual.csv", kUsual);
  for (const std::string option : {"text", "label", "id", "domain"}) {
    const CommandResult result = refused(
        {"predict", "phones.mega", "usual.csv", "--" + option + "-column", "nowhere"});
    EXPECT_THAT(result.err, HasSubstr("no column is called 'nowhere'; found: label, text"));
    EXPECT_THAT(result.err, HasSubstr("--" + option + "-column"));
  }
  EXPECT_THAT(refused({"predict", "phones.mega", "-", "-u", "--text-column", "review"},
                      "{\"text\": \"great\"}\n")
                  .err,
              HasSubstr("no field is called \"review\""));
  EXPECT_THAT(
      refused({"predict", "phones.mega", "-", "-u", "--text-column", "review"}, "great\n")
          .err,
      HasSubstr("have no column 'review'"));
}

TEST_F(FrontDoor, RowsOfAnUnknownDomainArePredictedAsTheTargetWithAWarning) {
  write("target.csv", "label,text\ngood,great w1\nbad,awful w2\n");
  write("tablets.csv", "label,text,domain\ngood,great w1,tablets\nbad,awful w2,tablet\n");
  for (const char* command : {"predict", "eval", "explain"}) {
    const CommandResult result = run({command, "phones.mega", "tablets.csv", "--proba"});
    if (result.exit_code != 0) {  // only predict has --proba
      const CommandResult plain = run({command, "phones.mega", "tablets.csv"});
      EXPECT_EQ(plain.exit_code, 0) << plain.err;
      EXPECT_EQ(plain.out, output_of({command, "phones.mega", "target.csv"}));
      EXPECT_THAT(plain.err, HasSubstr("such as 'tablets', predicted as 'phones'"));
      continue;
    }
    EXPECT_EQ(result.out, output_of({command, "phones.mega", "target.csv", "--proba"}));
    EXPECT_THAT(
        result.err,
        AllOf(HasSubstr("warning: 2 rows are of a domain that the model does not "
                        "know, such as 'tablets', predicted as 'phones'"),
              HasSubstr("the model knows films, phones"), HasSubstr("--as-domain")));
  }
  EXPECT_EQ(run({"predict", "phones.mega", "tablets.csv", "--strict"}).exit_code, 4);
  EXPECT_EQ(
      run({"predict", "phones.mega", "tablets.csv", "--proba", "--as-domain", "films"}).out,
      output_of(
          {"predict", "phones.mega", "target.csv", "--proba", "--as-domain", "films"}));
  const json diff = json::parse(
      run({"diff", "phones.mega", "phones.mega", "tablets.csv", "--json", "-q"}).out);
  ASSERT_EQ(diff["warnings"].size(), 1u);
  EXPECT_EQ(diff["warnings"][0]["kind"], "unknown-domain");
}

TEST_F(FrontDoor, TheServerAndTheClassTakeAnUnknownDomainForTheTargetToo) {
  const Classifier classifier = Classifier::load(folder() + "/phones.mega");
  const auto target = classifier.predict({.text = "great w1"}).probabilities;
  EXPECT_EQ(classifier.predict({.text = "great w1", .domain = "tablets"}).probabilities,
            target);
  EXPECT_NE(classifier.predict({.text = "great w1", .domain = "films"}).probabilities,
            target);
  RunningCommand server(command({"serve", "phones.mega", "--port", "0", "--json"}),
                        folder());
  testing_support::HttpClient client(json::parse(server.read_line())["port"]);
  const auto post = [&](const std::string& body) {
    return json::parse(client.post("/v1/predict", body).body);
  };
  const json known = post(R"({"text": "great w1"})");
  json unknown = post(R"({"text": "great w1", "domain": "tablets"})");
  ASSERT_EQ(unknown["warnings"].size(), 1u);
  EXPECT_EQ(unknown["warnings"][0]["kind"], "unknown-domain");
  unknown.erase("warnings");
  EXPECT_EQ(unknown, known);
  const json many =
      post(R"({"rows": [{"text": "great w1"}, {"text": "great w1", "domain": "tablet"}]})");
  EXPECT_EQ(many["rows"][1], known);
  EXPECT_THAT(many["warnings"][0]["problem"].get<std::string>(), HasSubstr("'tablet'"));
  server.send_signal(SIGTERM);
  server.finish();
}

TEST_F(FrontDoor, ANumberOfACategoryIsItsText) {
  write("t.csv", "label,text,stars\ngood,hat,1.0\nbad,hat,1\ngood,cap,1.0\nbad,cap,2.50\n");
  output_of({"train", "-q", "-s", "mix", "-d", "shop=t.csv", "--category-columns", "stars",
             "-o", "m.mega"});
  RunningCommand server(command({"serve", "m.mega", "--port", "0", "--json"}), folder());
  testing_support::HttpClient client(json::parse(server.read_line())["port"]);
  for (const std::string stars : {"1.0", "1", "2.50", "2.5", "1e0"}) {
    const std::string row = R"({"text":"hat","stars":)" + stars + "}";
    const json csv = json::parse(output_of({"predict", "m.mega", "-", "-u", "--json"},
                                           "text,stars\nhat," + stars + "\n"));
    EXPECT_EQ(
        json::parse(output_of({"predict", "m.mega", "-", "-u", "--json"}, row + "\n")), csv)
        << stars;
    EXPECT_EQ(json::parse(client.post("/v1/predict", row).body), csv) << stars;
  }
  server.send_signal(SIGTERM);
  server.finish();
}

TEST_F(FrontDoor, SeveralClassWeightsInOneWordGetTheLineToType) {
  const CommandResult result =
      refused({"train", "-q", "-s", "mix", "-d", "all=all.csv", "-t", "phones",
               "--class-weight", "good=2,bad=9", "-o", "m.mega"});
  EXPECT_THAT(result.err, HasSubstr("--class-weight A=2 --class-weight B=9"));
}

TEST_F(FrontDoor, AVerdictOnTrainingRowsIsNone) {
  write("phones.csv", "label,text\n" + std::string("good,great thing w0\nbad,awful thing "
                                                   "w1\ngood,lovely thing w2\n"));
  const CommandResult result =
      run({"compare", "-q", "-d", "all=all.csv", "-t", "phones", "--test", "phones.csv",
           "--systems", "mix,onlyi", "--no-tuning", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json compared = json::parse(result.out);
  EXPECT_THAT(compared["verdict"].get<std::string>(),
              StartsWith("No verdict: 3 of 3 test rows equal a training row."));
  EXPECT_THAT(compared["evidence"].dump(), HasSubstr("too optimistic"));
}

// Independent rows of a table with few values are often equal: that is no leak.
TEST_F(FrontDoor, ATableOfFewValuesGetsAVerdict) {
  const auto table = [](int first) {
    std::string rows = "label,domain,colour,size\n";
    for (int i = first; i < first + 40; ++i) {
      const char* colour = i % 3 == 0 ? "red" : i % 3 == 1 ? "blue" : "green";
      rows += std::string(i % 5 < 2 ? "yes," : "no,") + (i % 2 == 0 ? "news," : "calls,") +
              colour + (i % 4 < 2 ? ",big\n" : ",small\n");
    }
    return rows;
  };
  write("train.csv", table(0));
  write("test.csv", table(7));
  const CommandResult result =
      run({"compare", "-q", "-d", "all=train.csv", "-t", "calls", "--test", "test.csv",
           "--category-columns", "colour,size", "--systems", "mix,onlyi", "--no-tuning"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Ship "));
}

// A header names the label column, so labels that occur once are unusual but no error.
TEST_F(FrontDoor, ATableWithManyLabelsIsRead) {
  std::string lines, table = "label,text\n";
  for (int i = 0; i < 60; ++i) {
    table += "kind" + std::to_string(i) + ",some words " + std::to_string(i % 7) + "\n";
    lines += "kind" + std::to_string(i) + " some words\n";
  }
  write("many.csv", table);
  const CommandResult result =
      run({"train", "-s", "mix", "-d", "a=many.csv", "-t", "a", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("60 of 60 rows have a label that no other row has"));
  write("many.txt", lines);
  refused({"train", "-q", "-s", "mix", "-d", "a=many.txt", "-t", "a", "-o", "m.mega"});
}

TEST_F(FrontDoor, AnAuditNamesRowsAsTheFileCountsThem) {
  std::string news = "label,text\n", calls = "name,label,text\n";
  for (int i = 0; i < 60; ++i) {
    news += i % 2 == 0 ? "sun,warm dry\n" : "rain,cold wet\n";
    calls += "n" + std::to_string(i) +
             (i % 3 == 0   ? ",fog,grey\n"
              : i % 2 == 0 ? ",sun,warm dry\n"
                           : ",rain,cold wet\n");
  }
  calls += "odd,sun,cold wet\n";  // row 61, of which the map drops 20
  write("news.csv", news);
  write("calls.csv", calls);
  write("map.tsv", "fog\t-\n");
  const std::string found =
      output_of({"audit", "-q", "-d", "news=news.csv", "-d", "calls=calls.csv", "-t",
                 "calls", "--map-labels", "map.tsv", "--no-tuning", "--json"});
  const json first = json::parse(found.substr(0, found.find('\n')));
  EXPECT_EQ(first["row"], "calls.csv:61");
  EXPECT_EQ(first["id"], "calls.csv:61");
  write("calls.csv", "id" + calls.substr(4));
  const std::string named =
      output_of({"audit", "-q", "-d", "news=news.csv", "-d", "calls=calls.csv", "-t",
                 "calls", "--map-labels", "map.tsv", "--no-tuning"});
  EXPECT_THAT(named, HasSubstr("\nlabel-error,odd,calls.csv:61,calls,sun,"));
}

TEST_F(FrontDoor, RawTextIsNoTrainingData) {
  write("mail.txt",
        "The parcel came late, and it was wet.\nWe met in the old town.\n"
        "Nobody said that it was late!\nDid the parcel come?\n");
  for (const char* command : {"train", "relate", "compare"}) {
    std::vector<std::string> words = {command,         "-q", "-d",
                                      "mail=mail.txt", "-d", "all=all.csv"};
    if (command != std::string("relate")) words.insert(words.end(), {"-t", "mail"});
    if (command == std::string("train")) {
      words.insert(words.end(), {"-s", "mix", "-o", "m.mega"});
    }
    EXPECT_THAT(refused(words).err,
                AllOf(HasSubstr("mail.txt: looks like text without labels"),
                      HasSubstr("LABEL<TAB>")));
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"all.csv", "mail.txt", "phones.mega"}));
}

TEST_F(FrontDoor, StandardInputIsReadOnce) {
  EXPECT_THAT(refused({"predict", "-", "-"}).err, HasSubstr("both read standard input"));
  EXPECT_THAT(
      refused({"train", "-s", "mix", "-d", "a=-", "-d", "b=-", "-t", "a", "-o", "m.mega"})
          .err,
      HasSubstr("reads standard input twice"));
  for (const auto& [model, test] :
       {std::pair{"-", "all.csv"}, std::pair{"phones.mega", "-"}}) {
    EXPECT_THAT(refused({"adapt", model, "-d", "phones=all.csv", "-o", "n.mega",
                         "--old-test", test})
                    .err,
                HasSubstr("--old-test needs"));
  }
}

TEST_F(FrontDoor, ATaggerRefusesProseWithoutTags) {
  const std::string tagged =
      "the\tDET\ndog\tNOUN\nbites\tVERB\n\ndogs\tNOUN\nsee\tVERB\n\n";
  write("a.conll", tagged);
  output_of(
      {"train", "-q", "-s", "mix", "--task", "pos", "-d", "a=a.conll", "-o", "t.mega"});
  for (const char* command : {"predict", "eval", "explain"}) {
    const CommandResult prose =
        refused({command, "t.mega", "-"}, "The old dog sees it.\nIt bites the dog, too.\n");
    EXPECT_THAT(prose.err, AllOf(HasSubstr("plain text has no tags"),
                                 HasSubstr("'megadapt tag' tags text")));
  }
  const CommandResult words = run({"predict", "t.mega", "-"}, "the dog\nthe cat\nit is\n");
  EXPECT_THAT(words.err, HasSubstr("have a label that the model does not know"));
  const CommandResult eval = run({"eval", "t.mega", "a.conll"});
  EXPECT_THAT(eval.out, Not(HasSubstr("words unknown")));
}

TEST_F(FrontDoor, AFileInTheWrongPlaceGetsTheLineToType) {
  EXPECT_THAT(refused({"adapt", "phones.mega", "all.csv", "-o", "n.mega"}).err,
              HasSubstr("fix: name the domain of the file: --domain NAME=all.csv"));
  EXPECT_THAT(
      refused({"compare", "-d", "all=all.csv", "-t", "phones", "--json", "c.json"}).err,
      HasSubstr("fix: --json writes to standard output: add '> c.json'"));
}

TEST_F(FrontDoor, RemediesNameOnlyWhatTheCommandHas) {
  write("plain.txt", "great thing w1\nawful thing w2\n");
  write("bare.csv", "text\ngreat thing\n");
  for (const char* file : {"plain.txt", "bare.csv"}) {
    const std::string error = refused({"eval", "phones.mega", file}).err;
    EXPECT_THAT(error, HasSubstr("'megadapt predict --no-labels'"));
    EXPECT_EQ(run({"predict", "phones.mega", file, "--no-labels"}).exit_code, 0);
  }
}

// `notes` is the longest, `lang` has one value and `size` few: none of them is the label.
TEST_F(FrontDoor, TheColumnOfLabelsIsGuessedByNameThenByItsValues) {
  write("own.csv",
        "lang,size,Sentiment,notes\nen,1,good,a great film\nen,1,bad,an awful film\n"
        "en,2,mixed,a long film\n");
  EXPECT_THAT(refused({"train", "-s", "mix", "-d", "a=own.csv", "-o", "n.mega"}).err,
              HasSubstr("fix: add --text-column notes --label-column Sentiment\n"));
  write("own.csv", "lang,kind,notes\nen,good,a great film\nen,bad,an awful film\n");
  EXPECT_THAT(refused({"train", "-s", "mix", "-d", "a=own.csv", "-o", "n.mega"}).err,
              HasSubstr("fix: add --text-column notes --label-column kind\n"));
}

TEST_F(FrontDoor, RowsOfOneGroupCannotBeCompared) {
  write("one.csv",
        "label,text,group\ngood,great,g\nbad,awful,g\ngood,lovely,g\nbad,broken,g\n");
  EXPECT_THAT(refused({"compare", "-d", "a=one.csv", "--systems", "mix"}).err,
              HasSubstr("different groups, or leave out the groups"));
}

TEST_F(FrontDoor, AReportCountsTheRowsOfATableOfManyDomains) {
  const CommandResult result =
      run({"compare", "-q", "-d", "all=all.csv", "-t", "phones", "--systems", "mix,onlyi",
           "--no-tuning", "--folds", "2", "--report", "r.html"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string page = read("r.html");
  const std::size_t at = page.find("\"row\":[");
  ASSERT_NE(at, std::string::npos);
  json rows = json::parse(page.substr(at + 6, page.find(']', at) - at - 5));
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, json({12, 13, 14, 15, 16, 17, 18, 19}));  // below twelve rows of films
}

}  // namespace
}  // namespace megadapt
