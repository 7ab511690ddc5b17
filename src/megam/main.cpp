// megam-megadapt: the command line of MEGAM 0.92 over this library (docs/megam.md).

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "cli/failures.hpp"
#include "cli/standard_streams.hpp"
#include "megadapt/error.hpp"
#include "megam/training.hpp"

namespace megadapt::megam {
namespace {

void print(const std::string& text) {
  AtomicFile out("-");
  out.write(text);
  out.commit();
}

int run(const std::vector<std::string>& words) {
  const Options options = parse_options(words);
  if (options.help) {
    print(help_text());
  } else if (options.man_page) {
    print(man_page());
  } else if (options.version) {
    print(fmt::format("megam-megadapt {}\n", version()));
  } else if (!options.weights.empty()) {
    predict(options);
  } else {
    print(text_of(train(options, Execution())));
  }
  return cli::kSuccess;
}

}  // namespace
}  // namespace megadapt::megam

int main(int argc, char** argv) {
  megadapt::cli::occupy_standard_streams();
  megadapt::cli::report_uncaught();
  return megadapt::cli::run_reporting_failures([&] {
    return megadapt::megam::run({argv + 1, argv + argc});
  });
}
