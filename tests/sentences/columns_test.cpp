#include <gmock/gmock.h>

#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string column_problem(const std::string& text) {
  try {
    ColumnChoice::parse(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Columns, AreReadAndWritten) {
  EXPECT_EQ(ColumnChoice::parse("token,-,pos,tag").text(), "token=1,pos=3,tag=4");
  EXPECT_EQ(ColumnChoice::parse("token=FORM,tag=last,x=7").text(), "token=2,tag=last,x=7");
  EXPECT_THAT(ColumnChoice::parse("lemma,token,tag,pos").extra_names(),
              ElementsAre("lemma", "pos"));
  const ColumnChoice again = ColumnChoice::parse("token=2,tag=last,x=7");
  EXPECT_EQ(ColumnChoice::parse(again.text()).columns, again.columns);
  EXPECT_TRUE(ColumnChoice::parse("").empty());
}

TEST(Columns, AreRefused) {
  EXPECT_THAT(column_problem("token,tag,token"), HasSubstr("names 'token' twice"));
  EXPECT_THAT(column_problem("pos,tag"), HasSubstr("names no 'token'"));
  EXPECT_THAT(column_problem("token,suf3"), HasSubstr("already means something"));
  EXPECT_THAT(column_problem("token=0"), HasSubstr("'0' is not a column"));
  EXPECT_THAT(column_problem("token=FROM"), HasSubstr("'FROM' is not a column"));
  EXPECT_THAT(column_problem("token,my column"), HasSubstr("cannot be the name"));
  EXPECT_THAT(column_problem("token,,tag"), HasSubstr("cannot be the name"));
}

}  // namespace
}  // namespace megadapt
