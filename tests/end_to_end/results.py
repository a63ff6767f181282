"""Good runs: what is printed, written and kept, and that programs can read it."""
import csv
import json
import os
import unittest

from program import Case, pricing_spec, run, run_spec


class Results(Case):
    def setUp(self):
        super().setUp()
        self.small_market()

    def test_every_json_output_names_its_schema(self):
        spec = self.write("run.json", run_spec())
        price = self.write("price.json", pricing_spec())
        profile, store = self.path("profile.json"), self.path("store.sqlite")
        for words in (["version"], ["schema"], ["data", "inspect", self.path("market")],
                      ["data", "generate", "-o", self.path("made"), "--duration", "10s"],
                      ["data", "generate", "-o", self.path("made"), "--dry-run"],
                      ["data", "import", self.path("small.npz"), "-o", self.path("again"), "--tick", "0.1", "--lot", "0.001"],
                      ["data", "import", self.path("small.npz"), "-o", self.path("again"), "--tick", "0.1", "--lot", "0.001", "--dry-run"],
                      ["measure", "--duration", "200ms", "--warmup", "20ms", "-o", profile, "--store", store], ["measure", "--dry-run"],
                      ["backtest", spec], ["backtest", spec, "--dry-run"], ["price", price, "-o", self.path("priced.json")], ["price", price, "--dry-run"],
                      ["report", profile, self.path("priced.json")], ["profiles", "list", "--store", store], ["profiles", "show", "1", "--store", store]):
            with self.subTest(" ".join(map(str, words))):
                self.good_json(*words, "--json")

    def test_toml_and_json_specs_mean_the_same(self):
        self.write("run.json", run_spec(seed=3))
        self.write("run.toml", 'schema = "tailcost.run_spec"\nversion = 1\nseed = 3\ndatasets = ["market"]\n[strategy]\nname = "grid"\n[[lanes]]\nname = "now"\n')
        self.assertEqual(self.good("backtest", self.path("run.json"), "--json"), self.good("backtest", self.path("run.toml"), "--json"))

    def test_paths_in_a_spec_count_from_its_folder(self):
        self.write("run.json", run_spec())
        here = self.good("backtest", "run.json", "--json", cwd=self.folder)
        self.assertEqual(here, self.good("backtest", self.path("run.json"), "--json", cwd="/"))

    def test_threads_do_not_change_a_price(self):
        spec = self.write("price.json", pricing_spec())
        self.assertEqual(self.good("price", spec, "--threads", "1", "--json"), self.good("price", spec, "--threads", "3", "--json"))

    def test_dry_run_writes_nothing(self):
        spec = self.write("run.json", run_spec())
        before = sorted(os.listdir(self.folder))
        self.assertIn("Nothing was run", self.good("backtest", spec, "--dry-run", "-o", self.path("result.json")))
        self.good("data", "generate", "-o", self.path("made"), "--dry-run")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_fills_orders_and_equity_as_csv(self):
        spec = self.write("run.json", run_spec(lanes=[{"name": "now"}, {"name": "a, b"}]))
        self.good("backtest", spec, "--fills-csv", self.path("fills.csv"), "--orders-csv", self.path("orders.csv"),
                  "--equity-csv", self.path("equity.csv"), "-o", self.path("result.json"))
        result = json.loads(self.path("result.json").read_text())
        with open(self.path("fills.csv"), newline="") as file:
            fills = list(csv.DictReader(file))
        with open(self.path("orders.csv"), newline="") as file:
            orders = list(csv.DictReader(file))
        with open(self.path("equity.csv"), newline="") as file:
            equity = list(csv.DictReader(file))
        self.assertEqual({row["lane"] for row in equity}, {"now", "a, b"})
        self.assertEqual(len(fills), sum(lane["instruments"][0]["trades"] for lane in result["lanes"]))
        self.assertEqual(sum(row["change"] == "execution" for row in orders), len(fills))
        requests = sum(lane["counts"][kind] for lane in result["lanes"] for kind in ("submits", "modifies", "cancels"))
        self.assertEqual(sum(row["received_ns"] == "" for row in orders), requests)

    def test_a_backtest_has_metrics_or_says_why_not(self):
        spec = self.write("run.json", run_spec(record={"fills": True, "orders": True}, metrics={"window_ns": 1_000_000_000}))
        self.assertIn("no sharpe, sortino: 1 day; 20 are needed", self.good("backtest", spec, "-o", self.path("result.json")))
        held = json.loads(self.path("result.json").read_text())["lanes"][0]["instruments"][0]
        self.assertNotIn("path", held)
        self.assertEqual(held["metrics"]["NumberOfTrades"]["value"], held["trades"])
        for name in ("SR", "sharpe", "markout_1ms", "fill_rate_qty"):
            figure = held["metrics"][name]
            self.assertTrue((figure["value"] is None) == ("reason" in figure), name)

    def test_the_same_seed_makes_the_same_market(self):
        facts = [self.good_json("data", "generate", "-o", self.path(name), "--seed", "5", "--duration", "20s", "--json") for name in ("one", "two")]
        self.assertEqual(facts[0]["fingerprint"], facts[1]["fingerprint"])
        self.good("data", "inspect", self.path("one"), "--verify")

    def test_a_kept_profile_is_found_again(self):
        home = {"XDG_DATA_HOME": str(self.path("data"))}
        self.assertIn("no profiles", self.good("profiles", "list", env=home))
        self.assertFalse(self.path("data").exists())
        self.good("measure", "--duration", "100ms", "--warmup", "0s", "--name", "my box", "--keep", "-o", self.path("p.json"), env=home)
        self.assertIn("my box", self.good("profiles", "list", env=home))
        self.assertEqual(json.loads(self.good("profiles", "show", "my box", "--json", env=home)), json.loads(self.path("p.json").read_text()))

    def test_a_report_is_one_file_that_needs_no_network(self):
        self.good("measure", "--duration", "200ms", "-o", self.path("p.json"))
        self.good("report", self.path("p.json"), "-o", self.path("r.html"), "-o", self.path("r.json"))
        html = self.path("r.html").read_text()
        for part in ("<svg", "<table"):
            self.assertIn(part, html)
        for part in ("<script src", "<link", "@import", "url("):
            self.assertNotIn(part, html)
        self.assertEqual(json.loads(self.path("r.json").read_text())["schema"], "tailcost.report")

    def test_results_are_on_standard_output_and_quiet_is_quiet(self):
        done = run("measure", "--duration", "1500ms", "--quiet", "--json", "-o", self.path("p.json"))
        self.assertEqual(done.stderr, "")
        profile = json.loads(done.stdout)
        laws = profile["cores"][0]["probes"]["wakeup"]["laws"]
        self.assertEqual(set(laws), {"events", "deadlines", "arrivals"})
        for law in laws.values():
            self.assertEqual(set(law), {"count", "p50_ns", "p90_ns", "p95_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns"})

    def test_progress_is_told_on_standard_error_only(self):
        done = run("measure", "--duration", "1500ms", "--json")
        self.assertRegex(done.stderr, r"measuring +\d+ %")
        self.assertNotIn("\x1b", done.stderr)
        json.loads(done.stdout)


if __name__ == "__main__":
    unittest.main()
