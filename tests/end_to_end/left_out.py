"""The program without the commands that measure: those say so in one sentence, the rest works."""
import unittest

from program import Case, pricing_spec, run_spec

CYCLICTEST = """# Histogram
000000 000000
000001 000007
000002 000990
000003 000003
# Total: 000001000
# Min Latencies: 00001
# Avg Latencies: 00002
# Max Latencies: 00003
# Histogram Overflows: 00000
"""


class LeftOut(Case):
    def test_what_measures_says_why_not_in_one_sentence(self):
        for words in (["measure", "--cpus", "1", "--duration", "1s", "-o", "x.json"], ["pairs", "1", "2"], ["audit", "--fix"], ["demo"]):
            self.refused(1, *words, says=[words[0] + " needs Linux on x86-64; this build is for ", "; everything else works"])
        listed = self.good("--help")
        for command in ("measure", "pairs", "audit", "demo", "backtest"):
            self.assertIn("\n  " + command, listed)

    def test_the_rest_works(self):
        histogram = self.write("cyclictest.txt", CYCLICTEST)
        profile = self.path("profile.json")
        self.good("profiles", "import", histogram, "-o", profile)
        self.assertIn("cyclictest", self.good("report", profile))
        self.small_market("data/market")
        self.good("data", "inspect", self.path("data/market"))
        self.good("backtest", self.write("run.json", run_spec(datasets=["data/market"])), "-o", self.path("run_result.json"))
        self.assertEqual(self.good("rerun", self.path("run_result.json")), "identical\n")
        self.good("price", self.write("price.json", pricing_spec(datasets=["data/market"])), "-o", self.path("price_result.json"))
        self.assertIn("tailcost.audit", self.good("schema", "audit"))


if __name__ == "__main__":
    unittest.main()
