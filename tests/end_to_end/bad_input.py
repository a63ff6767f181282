"""Every bad input gives one clear sentence, the right exit code, and leaves nothing half-written."""
import os
import shutil
import unittest

from program import FIELDS, PROGRAM, Case, market_rows, npz, pricing_spec, run_spec

IMPORT = ["--tick", "0.1", "--lot", "0.001"]


class BadMarketData(Case):
    def refused_import(self, source, says):
        before = sorted(os.listdir(self.folder))
        self.refused(1, "data", "import", source, "-o", self.path("dataset"), *IMPORT, says=says)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_truncated_archive(self):
        whole = npz(self.path("a.npz"), market_rows()).read_bytes()
        for kept in (len(whole) // 2, len(whole) - 5, 10, 0):
            self.path("a.npz").write_bytes(whole[:kept])
            self.refused_import(self.path("a.npz"), "a.npz")

    def test_damaged_archive(self):
        npz(self.path("a.npz"), market_rows())
        damaged = bytearray(self.path("a.npz").read_bytes())
        damaged[len(damaged) // 2] ^= 0xFF
        self.path("a.npz").write_bytes(damaged)
        self.refused_import(self.path("a.npz"), "a.npz")

    def test_missing_column(self):
        fields = [field for field in FIELDS if not field.startswith("qty")]
        npz(self.path("a.npz"), [row[:4] + row[5:] for row in market_rows()], fields)
        self.refused_import(self.path("a.npz"), ["a.npz", "qty"])

    def test_rows_out_of_order(self):
        rows = market_rows()
        rows[7], rows[8] = rows[8], rows[7]
        npz(self.path("a.npz"), rows)
        self.refused_import(self.path("a.npz"), ["a.npz", "row"])

    def test_missing_file(self):
        self.refused_import(self.path("no.npz"), "no.npz")

    def test_dry_run_of_a_bad_archive(self):
        self.write("a.npz", "no archive")
        self.refused(1, "data", "import", self.path("a.npz"), "-o", self.path("dataset"), *IMPORT, "--dry-run", says="a.npz")

    def test_an_old_dataset_stays_when_the_new_one_is_bad(self):
        self.small_market("dataset")
        before = self.good("data", "inspect", self.path("dataset"), "--verify")
        self.write("bad.npz", "no archive")
        self.refused(1, "data", "import", self.path("bad.npz"), "-o", self.path("dataset"), *IMPORT)
        self.assertEqual(self.good("data", "inspect", self.path("dataset"), "--verify"), before)

    def test_a_folder_that_is_no_dataset_is_not_replaced(self):
        npz(self.path("a.npz"), market_rows())
        self.path("precious").mkdir()
        self.write("precious/thesis.txt", "years of work")
        self.refused(1, "data", "import", self.path("a.npz"), "-o", self.path("precious"), *IMPORT, says="precious")
        self.assertEqual(self.path("precious/thesis.txt").read_text(), "years of work")


class BadDataset(Case):
    def setUp(self):
        super().setUp()
        self.small_market()

    def test_missing_column(self):
        self.path("market/rank.npy").unlink()
        self.refused(1, "data", "inspect", self.path("market"), says="rank.npy")

    def test_short_column(self):
        whole = self.path("market/rank.npy").read_bytes()
        self.path("market/rank.npy").write_bytes(whole[:-4])
        self.refused(1, "data", "inspect", self.path("market"), says="rank.npy")

    def test_truncated_description(self):
        whole = self.path("market/dataset.json").read_text()
        self.write("market/dataset.json", whole[: len(whole) // 2])
        self.refused(1, "data", "inspect", self.path("market"), says="dataset.json")

    def test_changed_row(self):
        column = bytearray(self.path("market/rank.npy").read_bytes())
        column[-4] ^= 1
        self.path("market/rank.npy").write_bytes(column)
        self.refused(1, "data", "inspect", self.path("market"), "--verify", says="market")


class BadSpec(Case):
    def setUp(self):
        super().setUp()
        self.small_market()

    def refused_spec(self, code, command, spec, says, name="spec.json"):
        self.write(name, spec)
        before = sorted(os.listdir(self.folder))
        self.refused(code, command, self.path(name), "-o", self.path("result.json"), says=says)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_unknown_key(self):
        self.refused_spec(2, "backtest", run_spec(sed=1), ["spec.json", "sed", "seed"])
        self.refused_spec(2, "price", pricing_spec(machine=[]), ["spec.json", "machine", "machines"])
        self.refused_spec(2, "backtest", run_spec(lanes=[{"name": "a", "latency": {"entri_ns": 1}}]), ["/lanes/0/latency", "entri_ns"])

    def test_unknown_strategy_and_parameter(self):
        self.refused_spec(2, "backtest", run_spec(strategy={"name": "gird"}), ["gird", "grid"])
        self.refused_spec(2, "price", pricing_spec(strategies=[{"name": "grid", "parameters": {"qty": 1}}]), "qty")

    def test_other_schema_or_version(self):
        self.refused_spec(2, "backtest", run_spec(version=99), ["version 99", "version 1"])
        self.refused_spec(2, "backtest", pricing_spec(), ["tailcost.run_spec", "tailcost.pricing_spec"])

    def test_not_json_and_not_toml(self):
        self.refused_spec(2, "backtest", '{"schema": "tailcost.run_spec",\n "version" 1}', ["line 2", "column"])
        self.refused_spec(2, "price", 'schema = "tailcost.pricing_spec"\nversion = = 1\n', ["spec.toml", "line 2, column 11"], "spec.toml")

    def test_missing_files(self):
        self.refused(1, "backtest", self.path("no.json"), says="no.json")
        self.refused_spec(1, "backtest", run_spec(datasets=["nowhere"]), "nowhere")
        reaction = {"kind": "stall_playback", "profile": "no_profile.json"}
        self.refused_spec(1, "price", pricing_spec(machines=[{"name": "none", "reaction": {"kind": "none"}}, {"name": "m", "reaction": reaction}]), "no_profile.json")

    def test_profile_of_another_version(self):
        self.write("profile.json", {"schema": "tailcost.latency_profile", "version": 99, "name": "old"})
        reaction = {"kind": "stall_playback", "profile": "profile.json"}
        self.refused_spec(2, "price", pricing_spec(machines=[{"name": "none", "reaction": {"kind": "none"}}, {"name": "m", "reaction": reaction}]), ["profile.json", "version 99"])
        self.refused(2, "report", self.path("profile.json"), "-o", self.path("report.html"), says="version 99")
        self.assertFalse(self.path("report.html").exists())

    def test_result_that_cannot_be_written(self):
        spec = self.write("spec.json", run_spec())
        self.path("taken").mkdir()
        self.refused(1, "backtest", spec, "-o", self.path("taken"), says="taken")
        self.assertEqual(os.listdir(self.path("taken")), [])

    def test_report_of_something_else(self):
        self.refused(2, "report", self.path("market/dataset.json"), "-o", self.path("report.html"), says="tailcost measure")
        self.refused(2, "report", self.path("market/dataset.json"), "-o", self.path("report.pdf"), says=".html")


class BadMeasurement(Case):
    def test_core_that_is_not_there(self):
        self.refused(2, "measure", "--cpus", "4000", "--duration", "100ms", "-o", self.path("p.json"), says="4000")
        self.assertFalse(self.path("p.json").exists())

    def test_options_that_make_no_sense(self):
        self.refused(2, "measure", "--duration", "-1s", says="duration")
        self.refused(2, "measure", "--period", "0s", says="period")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv") and shutil.which("prlimit"), "needs root to become nobody")
    def test_no_permission_for_fifo(self):
        program = shutil.copy(PROGRAM, self.path("tailcost"))
        os.chmod(program, 0o755)
        self.path("out").mkdir()
        os.chmod(self.path("out"), 0o777)
        prefix = ["prlimit", "--rtprio=0", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "env", "HOME=/nonexistent"]
        self.refused(1, "measure", "--scheduling", "fifo", "--duration", "100ms", "-o", self.path("out/p.json"), prefix=prefix, says="FIFO")
        self.assertEqual(os.listdir(self.path("out")), [])


class BadStore(Case):
    def test_file_that_is_no_store(self):
        self.write("store.sqlite", "not a database at all, but longer than a header of one hundred bytes would be, so that it is read as one")
        self.refused(1, "profiles", "list", "--store", self.path("store.sqlite"), says="store.sqlite")

    def test_no_such_profile(self):
        self.refused(1, "profiles", "show", "nobody", "--store", self.path("none.sqlite"), says="none.sqlite")
        self.assertFalse(self.path("none.sqlite").exists())


if __name__ == "__main__":
    unittest.main()
