#include "tailcost/host/interrupt_counts.hpp"

#include <doctest/doctest.h>

using namespace tailcost;

namespace {

constexpr std::string_view text =
    "            CPU0       CPU2       \n"
    "   4:        100          7   IO-APIC   4-edge      ttyS0\n"
    "  36:          0         55   PCI-MSIX-0000:00:01.0   0-edge      virtio1-req.0\n"
    " NMI:          0          1   Non-maskable interrupts\n"
    " LOC:  123456789      98765   Local timer interrupts\n"
    " ERR:          0\n"
    " MIS:          0\n";

}  // namespace

TEST_CASE("each kind has the count of the core that the header names, not of its place") {
  const std::vector<InterruptCount> expected{{"4 ttyS0", 7}, {"36 virtio1-req.0", 55}, {"NMI", 1}, {"LOC", 98765}};
  CHECK(parse_interrupts(text, 2) == expected);
  CHECK(parse_interrupts(text, 0).back() == InterruptCount{"LOC", 123456789});
}

TEST_CASE("a core without a column and a damaged text have no counts") {
  CHECK(parse_interrupts(text, 1).empty());
  CHECK(parse_interrupts("", 0).empty());
  CHECK(parse_interrupts("CPU0\nLOC: many\nRES:\n:\nTLB 5\n", 0).empty());
  for (std::size_t length = 0; length < text.size(); ++length) CHECK(parse_interrupts(text.substr(0, length), 2).size() <= 4);
}

TEST_CASE("this machine's first core has been interrupted") {
  const auto counts = interrupt_counts(0);
  CHECK_FALSE(counts.empty());
}
