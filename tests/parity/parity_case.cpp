// parity_case DIR CASE: plays one case of the adversarial feeds in compat mode and prints the columns of its CASE_expected.csv.

#include <cstdio>
#include <exception>

#include "tailcost/core/error.hpp"
#include "tests/parity/script_run.hpp"

int main(int count, char** words) {
  try {
    if (count != 3) throw tailcost::UsageError{"usage: parity_case DIR CASE, such as parity_case cases case07"};
    for (const std::string& line : tailcost::parity::run_script({.folder = words[1], .name = words[2]})) std::puts(line.c_str());
    return 0;
  } catch (const tailcost::UsageError& error) {
    std::fprintf(stderr, "parity_case: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity_case: %s\n", error.what());
    return 1;
  }
}
