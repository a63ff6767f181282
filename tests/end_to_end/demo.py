"""The demo, short: it finds the planted stall, claims nothing from an interval around zero, and can be run again from its files."""
import json
import unittest

from program import Case

MACHINES = {"this machine", "this machine twice as late", "published", "positive control: 5 ms stall every 100 ms"}


class Demo(Case):
    def test_demo(self):
        folder = self.path("demo")
        text = self.good("demo", "-o", folder, "--duration", "4s", timeout=280)
        report = json.loads((folder / "report.json").read_text())
        comparisons = report["comparisons"]
        self.assertEqual({c["machine"] for c in comparisons}, MACHINES)
        self.assertEqual({c["strategy"] for c in comparisons}, {"grid", "mean_reversion"})
        for c in comparisons:
            self.assertIn(c["machine"], text)
            self.assertEqual(c["baseline"], "no host latency")
            self.assertLessEqual(c["low"], c["difference"])
            self.assertLessEqual(c["difference"], c["high"])
            self.assertGreater(c["blocks"], 0)
            expected = "worse" if c["high"] < 0 else "better" if c["low"] > 0 else "no difference shown"
            self.assertEqual(c["verdict"], expected)
        control = [c["verdict"] for c in comparisons if c["machine"].startswith("positive control")]
        self.assertIn("worse", control)
        self.assertIn("<svg", (folder / "report.html").read_text())
        again = json.loads(self.good("price", folder / "pricing_spec.json", "--json", timeout=280))
        self.assertEqual(again["comparisons"], comparisons)


if __name__ == "__main__":
    unittest.main()
