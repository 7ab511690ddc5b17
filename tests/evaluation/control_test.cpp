#include "evaluation/control.hpp"

#include <gmock/gmock.h>

#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing_support::planted_domains;

class ControlTest : public testing::Test {
 protected:
  std::vector<double> predicted(const Dataset& train, const char* system) const {
    Options options;
    options.prior_exponent = 0.3;
    const auto model =
        find_system(system).fit(train, 1, options, FitContext{.exec = exec_});
    std::vector<std::size_t> rows = test_.rows_of(1);
    return predict_rows(*model, test_, rows, 1, exec_).probability;
  }

  Execution exec_{1};
  Dataset train_ = planted_domains(200, 60, 1);
  Dataset test_ = planted_domains(0, 100, 2);
};

TEST_F(ControlTest, DomainsKeepTheirSizes) {
  const Dataset permuted = with_permuted_domains(train_, 3);
  EXPECT_EQ(permuted.rows_of(0).size(), 200u);
  EXPECT_EQ(permuted.rows_of(1).size(), 60u);
  EXPECT_NE(permuted.domain, train_.domain);
  EXPECT_EQ(permuted.label, train_.label);
  EXPECT_EQ(permuted.domain, with_permuted_domains(train_, 3).domain);
}

TEST_F(ControlTest, PermutedDomainsLeaveMixAsItIs) {
  const Dataset permuted = with_permuted_domains(train_, 3);
  EXPECT_EQ(predicted(permuted, "mix"), predicted(train_, "mix"));
  EXPECT_NE(predicted(permuted, "prior"), predicted(train_, "prior"));
}

TEST_F(ControlTest, TheVerdictSplitsTheGainOverMix) {
  CompareOptions options;
  options.systems = {"mix", "prior"};
  options.tuning.folds = 3;
  for (const Dataset* test :
       {static_cast<const Dataset*>(&test_), static_cast<const Dataset*>(nullptr)}) {
    options.folds = 2;
    options.control = false;
    const Comparison plain = compare(train_, 1, test, options, exec_);
    options.control = true;
    const Comparison controlled = compare(train_, 1, test, options, exec_);
    ASSERT_EQ(plain.best, "prior") << "the planted domains differ";
    EXPECT_FALSE(plain.systems[0].permuted);
    ASSERT_TRUE(controlled.systems[0].permuted && controlled.systems[1].permuted);
    const SystemResult& mix = controlled.systems[0];
    EXPECT_EQ(mix.permuted->log_loss, mix.evaluation.log_loss);
    EXPECT_EQ(controlled.systems[1].evaluation.log_loss,
              plain.systems[1].evaluation.log_loss);
    EXPECT_EQ(plain.evidence.size() + 1, controlled.evidence.size());
    EXPECT_THAT(controlled.evidence,
                testing::Contains(testing::AllOf(
                    testing::HasSubstr("are adaptation"),
                    testing::HasSubstr("keep the settings tuned for the true domains"))));
  }
}

}  // namespace
}  // namespace megadapt
