"""A strategy outside the repository: builds against an installed Tailcost, runs as its own program and as a shared object, and is refused
with one sentence where it is not what it should be."""
import os
import subprocess
import unittest
from pathlib import Path

from program import CMAKE, SOURCE, Case, install, pricing_spec, run_spec

FAULTS = """
cmake_minimum_required(VERSION 3.25)
project(faults LANGUAGES CXX)
find_package(tailcost CONFIG REQUIRED)
foreach(name empty future fails uses_all)
  tailcost_strategy(${name} SOURCES ${name}.cpp)
endforeach()
"""
SOURCES = {
    "empty": "int nothing() { return 1; }",
    "future": 'extern "C" __attribute__((visibility("default"))) const unsigned tailcost_strategy = 999;',
    "fails": """
#include <stdexcept>
#include <tailcost/backtest/strategy_plugin.hpp>
using namespace tailcost;
struct Fails final : Strategy {
  Wake on_wake(const View&, Orders&) override { throw std::runtime_error{"no price left"}; }
};
std::unique_ptr<Strategy> make(const Parameters& given, const InstrumentFacts&) {
  if (given.truth("at_once", false)) throw std::runtime_error{"nothing to trade"};
  return std::make_unique<Fails>();
}
const StrategyPlugin tailcost_strategy{.name = "fails", .parameters = R"({"properties": {"at_once": {"type": "boolean"}}})", .make = make};
""",
    # Whatever the view hands out can be called from a shared object, and a built-in strategy can be wrapped there.
    "uses_all": """
#include <tailcost/backtest/strategy_plugin.hpp>
#include <tailcost/strategies/grid.hpp>
using namespace tailcost;
struct Wrapped final : Strategy {
  Grid grid{GridOptions{}};
  Wake on_wake(const View& view, Orders& orders) override {
    const auto best = view.book().best(Side::buy);
    if (best && view.book().next(Side::buy, *best) == best) throw 1;
    if (view.account().equity(1) != view.account().position() + view.account().balance() - view.account().fee()) throw 2;
    return grid.on_wake(view, orders);
  }
};
const StrategyPlugin tailcost_strategy{
    .name = "wrapped",
    .make = [](const Parameters&, const InstrumentFacts&) -> std::unique_ptr<Strategy> { return std::make_unique<Wrapped>(); }};
"""}


class OwnStrategy(Case):
    def build(self, source, name):
        folder = self.path(name)
        for words in (["-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={self.path('installed')}", "-DCMAKE_BUILD_TYPE=Release"], ["--build", folder]):
            done = subprocess.run([CMAKE, *words], capture_output=True, text=True, timeout=240)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return folder

    def setUp(self):
        super().setUp()
        install(self.path("installed"))
        self.good("data", "generate", "--duration", "1m", "-o", self.path("market"))

    def equities(self, *words):
        return [lane["instruments"][0]["equity"] for lane in self.good_json("backtest", *words, "--json")["lanes"]]

    def test_example_in_its_own_program_and_as_a_shared_object(self):
        built = self.build(SOURCE / "examples" / "join_bid", "built")
        late = {"entry_ns": 1000000, "response_ns": 1000000}
        spec = self.write("spec.json", run_spec(strategy={"name": "./built/join_bid.so"}, lanes=[{"name": "at once"}, {"name": "late", "latency": late}]))
        equities = self.equities(spec)
        self.assertNotEqual(equities[0], equities[1])

        alone = subprocess.run([built / "run_join_bid", self.path("market")], capture_output=True, text=True)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual([f"{float(line.split()[-2]):.2f}" for line in alone.stdout.splitlines()], [f"{equity:.2f}" for equity in equities])

        self.assertEqual(self.equities(self.write("grid.json", run_spec(lanes=[{"name": "at once"}])), "--strategy", built / "join_bid.so")[0], equities[0])
        self.check_price(built)
        self.check_identity(spec, built)
        self.check_parameters(built)

    def check_price(self, built):
        priced = self.write("priced.json", pricing_spec(strategies=[{"name": "built/join_bid.so", "parameters": {"qty_lots": 2}}, {"name": "grid"}], block_ns=5000000000))
        one, two = (self.good_json("price", priced, "--threads", threads, "--json", "--quiet") for threads in (1, 2))
        self.assertEqual(one, two)
        self.assertEqual({c["strategy"] for c in one["comparisons"]}, {"built/join_bid.so", "grid"})
        only = self.good_json("price", priced, "--strategy", built / "join_bid.so", "--json", "--quiet")
        self.assertEqual({c["strategy"] for c in only["comparisons"]}, {"built/join_bid.so"})

    def check_identity(self, spec, built):
        """Another file is another run, though it does the same; a spec may insist on its digest."""
        before = self.good_json("backtest", spec, "--json")
        with open(built / "join_bid.so", "ab") as file:
            file.write(b"\0")
        after = self.good_json("backtest", spec, "--json")
        self.assertNotEqual(before["spec_digest"], after["spec_digest"])
        self.assertNotEqual(before["lanes"][0]["lane_digest"], after["lanes"][0]["lane_digest"])
        self.assertEqual(before["lanes"][0]["instruments"], after["lanes"][0]["instruments"])
        pinned = self.write("pinned.json", run_spec(strategy={"name": "./built/join_bid.so", "digest": "0" * 64}))
        self.refused(2, "backtest", pinned, says=["join_bid.so", "000000000000...", "digest"])

    def check_parameters(self, built):
        self.assertIn("qty_lots", self.good("schema", built / "join_bid.so"))
        wrong = self.write("wrong.json", run_spec(strategy={"name": "./built/join_bid.so", "parameters": {"qty": 1}}))
        self.refused(2, "backtest", wrong, says=["join_bid.so", "unknown key 'qty'", "qty_lots"])

    def test_what_is_no_strategy_is_refused(self):
        self.path("faults").mkdir()
        self.write("faults/CMakeLists.txt", FAULTS)
        for name, text in SOURCES.items():
            self.write(f"faults/{name}.cpp", text)
        built = self.build(self.path("faults"), "built")
        spec = self.write("spec.json", run_spec())
        priced = self.write("priced.json", pricing_spec(block_ns=5000000000))
        self.assertEqual(self.equities(spec, "--strategy", built / "uses_all.so"), self.equities(spec))

        def refused(file, *says):
            for command in ("backtest", "price"):
                asked = spec if command == "backtest" else priced
                self.refused(1, command, asked, "--strategy", file, "-o", self.path("result.json"), "--quiet", says=[Path(file).name, *says])

        before = sorted(os.listdir(self.folder))
        refused(built / "empty.so", "no strategy of Tailcost", "tailcost_strategy")
        refused(built / "future.so", "version 999", "version 1", "build it again")
        refused(built / "fails.so", "on_wake at 2023-11-14T", "no price left")
        refused(self.path("none.so"), "no such file")
        refused(self.path("faults/empty.cpp"), "not a shared object")
        whole = (built / "uses_all.so").read_bytes()
        for kept in (10, len(whole) // 2, len(whole) - 1):
            (built / "short.so").write_bytes(whole[:kept])
            refused(built / "short.so", "cut short")
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        at_once = self.write("at_once.json", run_spec(strategy={"name": "built/fails.so", "parameters": {"at_once": True}}))
        self.refused(1, "backtest", at_once, says=["built/fails.so", "nothing to trade"])


if __name__ == "__main__":
    unittest.main()
