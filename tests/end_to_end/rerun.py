"""A result can be run again from what it holds, and says so when that would not be the same run."""
import json
import shutil
import unittest

from program import Case, npz, market_rows, pricing_spec, run, run_spec


class Rerun(Case):
    def setUp(self):
        super().setUp()
        self.small_market("data/market")
        self.path("specs").mkdir()
        self.write("specs/run.json", run_spec(datasets=["../data/market"], record={"fills": True, "orders": True, "equity_every_ns": 1_000_000_000}))
        self.good("backtest", self.path("specs/run.json"), "-o", self.path("results/run.json"))

    def test_a_backtest_and_a_price_come_out_identical(self):
        self.assertEqual(self.good("rerun", self.path("results/run.json")), "identical\n")
        spec = self.write("specs/price.json", pricing_spec(datasets=["../data/market"]))
        self.good("price", spec, "-o", self.path("results/price.json"))
        self.assertEqual(self.good("rerun", self.path("results/price.json"), "--threads", "3"), "identical\n")
        self.assertTrue(self.good_json("rerun", self.path("results/run.json"), "--json")["identical"])

    def test_names_without_a_folder_count_from_here(self):
        self.good("backtest", "run.json", "-o", "here.json", cwd=self.path("specs"))
        self.assertEqual(json.loads(self.path("specs/here.json").read_text())["spec_folder"], ".")
        self.assertEqual(self.good("rerun", "here.json", cwd=self.path("specs")), "identical\n")

    def test_result_and_data_can_move_together(self):
        self.path("moved").mkdir()
        for name in ("data", "results", "specs"):
            shutil.move(self.path(name), self.path("moved") / name)
        self.assertEqual(self.good("rerun", "moved/results/run.json", cwd=self.folder), "identical\n")
        result = self.path("moved/results/run.json").read_text()
        self.assertNotIn(str(self.folder), result)

    def test_other_data_are_refused_unless_asked_for(self):
        npz(self.path("other.npz"), market_rows(1900))
        self.good("data", "import", self.path("other.npz"), "-o", self.path("data/market"), "--tick", "0.1", "--lot", "0.001", "--symbol", "TEST", "--currency", "USD")
        self.refused(1, "rerun", self.path("results/run.json"), "-o", self.path("now.json"), says=["market", "has other rows", "--anyway"])
        self.assertFalse(self.path("now.json").exists())
        done = run("rerun", self.path("results/run.json"), "--anyway", "-o", self.path("now.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("warning: ", done.stderr)
        self.assertIn("not the same: first at /", done.stderr)
        self.assertTrue(self.path("now.json").exists())

    def test_an_edited_result_is_found_out(self):
        result = json.loads(self.path("results/run.json").read_text())
        result["lanes"][0]["counts"]["wakes"] += 1
        self.write("results/edited.json", result)
        self.refused(1, "rerun", self.path("results/edited.json"), says="first at /lanes/0/counts/wakes")
        result["code_version"] = "0.0.1+old"
        self.write("results/edited.json", result)
        self.refused(1, "rerun", self.path("results/edited.json"), says="made by 0.0.1+old")
        for key in ("profiles", "data_fingerprints", "code_version", "spec_folder"):
            self.write("results/edited.json", {**result, key: 7})
            self.refused(1, "rerun", self.path("results/edited.json"), says=key)

    def test_what_cannot_be_run_again_is_refused(self):
        result = json.loads(self.path("results/run.json").read_text())
        del result["spec"]
        self.refused(1, "rerun", self.write("results/old.json", result), says="holds no spec")
        self.refused(2, "rerun", self.path("specs/run.json"), says="neither")
        self.refused(2, "rerun", self.write("list.json", [1]), says="neither")


if __name__ == "__main__":
    unittest.main()
