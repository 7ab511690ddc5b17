// Uses the installed library as a stranger would; exits 0 when it works.
#include <megadapt/dataset.hpp>

int main() {
  megadapt::NameIndex names;
  const auto bank = names.add("w=bank");
  names.add("w=river");
  return names.find("w=bank") == bank && names.size() == 2 ? 0 : 1;
}
