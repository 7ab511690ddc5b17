#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <csignal>
#include <limits>

#include "megadapt/error.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

using sample::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint32_t> weight_bits(const Model& model) {
  const auto& maxent = dynamic_cast<const MaxentPredictor&>(*model.predictor);
  std::vector<std::uint32_t> bits;
  for (std::uint32_t f = 0; f < maxent.num_features(); ++f) {
    for (std::uint32_t y = 0; y < maxent.num_labels(); ++y) {
      bits.push_back(std::bit_cast<std::uint32_t>(maxent.weight(f, y)));
    }
  }
  return bits;
}

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (std::uint32_t f = 0; f < model.features.size(); ++f) {
    names.emplace_back(model.features.name(f));
    EXPECT_EQ(model.features.find(names.back()), f);
  }
  return names;
}

TEST(ModelFile, InMemoryIsTheSameBytes) {
  const TempFolder folder;
  const Model model = sample::small_model();
  save_model(model, folder / "m.mega");
  const std::vector<std::byte> bytes = model_bytes(model);
  const std::string file = sample::read_bytes(folder / "m.mega");
  ASSERT_EQ(bytes.size(), file.size());
  EXPECT_EQ(std::memcmp(bytes.data(), file.data(), file.size()), 0);

  const Model loaded = load_model(bytes, "a pickle");
  EXPECT_EQ(names_of(loaded), names_of(model));
  EXPECT_EQ(weight_bits(loaded), weight_bits(model));
}

TEST(ModelFile, InMemoryIsVerified) {
  std::vector<std::byte> bytes = model_bytes(sample::small_model());
  bytes[bytes.size() - 1] ^= std::byte{1};
  try {
    load_model(bytes, "a pickle");
    FAIL() << "accepted";
  } catch (const ModelFileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a pickle"));
  }
}

TEST(ModelFile, KeepsEverything) {
  const TempFolder folder;
  const Model model = sample::small_model();
  save_model(model, folder / "m.mega");
  const Model loaded = load_model(folder / "m.mega");
  EXPECT_EQ(names_of(loaded), names_of(model));
  EXPECT_EQ(loaded.features.find("unseen"), kNone);
  EXPECT_EQ(loaded.labels, model.labels);
  EXPECT_EQ(weight_bits(loaded), weight_bits(model));
  EXPECT_EQ(loaded.predictor->kind(), "maxent");
  EXPECT_EQ(loaded.binning.features.names(), model.binning.features.names());
  EXPECT_EQ(loaded.binning.begin, model.binning.begin);
  EXPECT_EQ(loaded.binning.edges, model.binning.edges);

  EXPECT_EQ(loaded.info.system, "mix");
  EXPECT_EQ(loaded.info.options, model.info.options);
  EXPECT_EQ(loaded.info.seed, model.info.seed);
  EXPECT_EQ(loaded.info.created_by, model.info.created_by);
  ASSERT_EQ(loaded.info.domains.size(), 2U);
  EXPECT_EQ(loaded.info.domains[0].general_share, std::nullopt);
  EXPECT_EQ(loaded.info.domains[1].name, "in");
  EXPECT_EQ(loaded.info.domains[1].examples, 3U);
  EXPECT_EQ(loaded.info.domains[1].general_share, 0.25);
  ASSERT_EQ(loaded.info.sources.size(), 2U);
  EXPECT_EQ(loaded.info.sources[0].file, "news \"a\".txt");
  EXPECT_EQ(loaded.info.sources[0].sha256, "00ff");
  EXPECT_EQ(loaded.info.sources[0].rows, 12U);
  EXPECT_EQ(loaded.info.sources[0].domain, "out");
  EXPECT_EQ(*loaded.recipe, *model.recipe);
}

RC_GTEST_PROP(ModelFile, AnyModelComesBackBitForBit, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const TempFolder folder;
  const Model model = sample::random_model(random);
  save_model(model, folder / "m.mega");
  const Model loaded = load_model(folder / "m.mega");
  RC_ASSERT(names_of(loaded) == names_of(model));
  RC_ASSERT(loaded.labels == model.labels);
  RC_ASSERT(weight_bits(loaded) == weight_bits(model));
  save_model(loaded, folder / "again.mega");
  RC_ASSERT(sample::read_bytes(folder / "again.mega") ==
            sample::read_bytes(folder / "m.mega"));
}

TEST(ModelFile, KnowsItsDomains) {
  const Model model = sample::small_model();
  EXPECT_EQ(model.target(), 1U);
  EXPECT_EQ(model.domain("out"), 0U);
  try {
    model.domain("outt");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'out'?"));
  }
}

TEST(ModelFile, MayHaveNoFeatureAndNoDomain) {
  const TempFolder folder;
  Model model = sample::make_model({}, {"only"}, {});
  model.info.domains.clear();
  model.info.target.clear();
  save_model(model, folder / "m.mega");
  const Model loaded = load_model(folder / "m.mega");
  EXPECT_EQ(loaded.features.size(), 0U);
  EXPECT_EQ(loaded.features.find("x"), kNone);
}

TEST(ModelFile, RefusesNumbersThatAreNotFinite) {
  const TempFolder folder;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::nan(""), 1e39}) {
    EXPECT_THROW(save_model(sample::make_model({"f"}, {"a", "b"}, {0, bad}), folder / "m"),
                 NumericError);
  }
  Model model = sample::small_model();
  model.info.domains[1].general_share = infinity;
  EXPECT_THROW(save_model(model, folder / "m"), NumericError);
  EXPECT_TRUE(folder.files().empty());
}

TEST(ModelFile, RefusesPartsThatDoNotFit) {
  const TempFolder folder;
  Model model = sample::small_model();
  model.labels.push_back("D");
  EXPECT_THROW(save_model(model, folder / "m"), UsageError);
  model = sample::small_model();
  model.labels[2] = "A";
  EXPECT_THROW(save_model(model, folder / "m"), UsageError);
  model = sample::small_model();
  model.info.target = "elsewhere";
  EXPECT_THROW(save_model(model, folder / "m"), UsageError);
  model = sample::small_model();
  model.features = {};
  EXPECT_THROW(save_model(model, folder / "m"), UsageError);
  EXPECT_TRUE(folder.files().empty());
}

TEST(ModelFile, FullDiskAndMissingPlaces) {
  const TempFolder folder;
  EXPECT_THROW(save_model(sample::small_model(), "/dev/full"), ResourceError);
  EXPECT_THROW(save_model(sample::small_model(), folder / "missing/m"), UsageError);
  EXPECT_THROW(load_model(folder / "missing"), InputError);
}

TEST(ModelFile, ListsItsSections) {
  const TempFolder folder;
  save_model(sample::small_model(), folder / "m.mega");
  std::vector<std::string> names;
  for (const auto& check : check_sections(folder / "m.mega")) {
    EXPECT_TRUE(check.intact) << check.name;
    names.push_back(check.name + " " + check.type);
  }
  EXPECT_THAT(names,
              ElementsAre("info text", "labels/ends u64", "labels/bytes chars",
                          "features/slots u64", "features/ends u64", "features/bytes chars",
                          "binning/ends u64", "binning/bytes chars", "binning/begin u32",
                          "binning/edges f32", "recipe text", "predictor/num_labels u32",
                          "predictor/weights f32"));
}

}  // namespace
}  // namespace megadapt
